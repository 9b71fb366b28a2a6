//! Our checker against a complete implementation of JSON Schema: the same values fit, and the same is said of the others.

mod cases;

use std::fmt::Write;

use jsonschema::error::{TypeKind, ValidationErrorKind as Kind};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::report;
use super::schema::Compiler;

/// What the other implementation is asked for.
fn other(schema: &Value) -> Result<jsonschema::Validator, String> {
    let options = jsonschema::options().should_validate_formats(true).offline();
    let named = schema.get("$schema").is_some();
    let options =
        if !named && has_item_lists(schema) { options.with_draft(jsonschema::Draft::Draft201909) } else { options };
    options.build(schema).map_err(|error| error.to_string())
}

fn has_item_lists(schema: &Value) -> bool {
    match schema {
        Value::Object(map) => map.get("items").is_some_and(Value::is_array) || map.values().any(has_item_lists),
        Value::Array(list) => list.iter().any(has_item_lists),
        _ => false,
    }
}

fn phrase(schema: &Value, error: &jsonschema::ValidationError<'_>) -> String {
    match error.kind() {
        Kind::Type { kind: TypeKind::Single(name) } => format!("must be {name}"),
        Kind::Type { kind: TypeKind::Multiple(set) } => {
            let listed = schema.pointer(error.schema_path().as_str()).and_then(Value::as_array);
            let listed: Vec<&str> = listed.into_iter().flatten().filter_map(Value::as_str).collect();
            let names: Vec<&str> =
                if listed.is_empty() { set.iter().map(jsonschema::JsonType::as_str).collect() } else { listed };
            format!("must be either {}", names.join(" or "))
        }
        Kind::Enum { .. } => "must be equal to one of the allowed values".to_owned(),
        Kind::Constant { .. } => "must be equal to constant".to_owned(),
        Kind::AnyOf { .. } => "must match a schema in anyOf".to_owned(),
        Kind::OneOfMultipleValid { .. } | Kind::OneOfNotValid { .. } => {
            "must match exactly one schema in oneOf".to_owned()
        }
        Kind::MinLength { limit } => format!("must not have fewer than {limit} characters"),
        Kind::MaxLength { limit } => format!("must not have more than {limit} characters"),
        Kind::MinItems { limit } => format!("must not have fewer than {limit} items"),
        Kind::MaxItems { limit } => format!("must not have more than {limit} items"),
        Kind::MinProperties { limit } => format!("must not have fewer than {limit} properties"),
        Kind::MaxProperties { limit } => format!("must not have more than {limit} properties"),
        Kind::Pattern { pattern } => format!("must match pattern \"{pattern}\""),
        Kind::Format { format } => format!("must match format \"{format}\""),
        Kind::MultipleOf { multiple_of } => format!("must be multiple of {multiple_of}"),
        Kind::Minimum { limit } => format!("must be >= {}", report::limit_text(limit)),
        Kind::Maximum { limit } => format!("must be <= {}", report::limit_text(limit)),
        Kind::ExclusiveMinimum { limit } => format!("must be > {}", report::limit_text(limit)),
        Kind::ExclusiveMaximum { limit } => format!("must be < {}", report::limit_text(limit)),
        Kind::UniqueItems => "must not have duplicate items".to_owned(),
        Kind::AdditionalProperties { .. } | Kind::UnevaluatedProperties { .. } => {
            "must not have additional properties".to_owned()
        }
        Kind::FalseSchema if error.schema_path().as_str().ends_with("/additionalProperties") => {
            "must not have additional properties".to_owned()
        }
        Kind::FalseSchema => "must not be given".to_owned(),
        Kind::AdditionalItems { .. } | Kind::UnevaluatedItems { .. } => "must not have additional items".to_owned(),
        Kind::Not { .. } => "must not be valid".to_owned(),
        _ => error.masked().to_string(),
    }
}

/// The mismatches of a value, a line each: ours, and those of the other.
fn said(schema: &Value, value: &Value) -> (String, String) {
    let mut compiler = Compiler::new(schema).unwrap_or_else(|error| panic!("{schema}: {error}"));
    let root = compiler.root().unwrap_or_else(|error| panic!("{schema}: {error}"));
    let ours = compiler.finish();
    let mismatches = ours.mismatches(root, value);
    assert_eq!(ours.accepts(root, value), mismatches.is_empty(), "{schema} {value}");
    let mut text = String::new();
    for mismatch in &mismatches {
        let _ = writeln!(text, "{}: {}", mismatch.pointer, report::phrase(&mismatch.problem));
    }
    let mut theirs = String::new();
    for error in other(schema).unwrap_or_else(|error| panic!("{schema}: {error}")).iter_errors(value) {
        let words = match error.kind() {
            Kind::Required { property } => format!("must have required properties {}", property.as_str().unwrap()),
            _ => phrase(schema, &error),
        };
        let _ = writeln!(theirs, "{}: {words}", error.instance_path().as_str());
    }
    (text, theirs)
}

fn agree(schema: &Value, values: &[Value]) {
    for value in values {
        let (ours, theirs) = said(schema, value);
        assert_eq!(ours, theirs, "{schema} {value}");
    }
}

fn some_values() -> Vec<Value> {
    let numbers = [json!(0), json!(1), json!(-1), json!(2.5), json!(3.0), json!(0.3), json!(1e20), json!(u64::MAX)];
    let others = [
        json!(null),
        json!(true),
        json!("a"),
        json!("abc"),
        json!(""),
        json!("ä😀"),
        json!([]),
        json!([1, 1.0]),
        json!([1, "a", null]),
        json!([[1], [1]]),
        json!({}),
        json!({"a": 1}),
        json!({"a": "x", "b": 2, "c": [1]}),
        json!({"b": null, "a/b": 1, "x~y": {"a": 1}}),
        json!({"c": {"c": {"c": 1}}}),
    ];
    numbers.into_iter().chain(others).collect()
}

#[test]
fn every_keyword() {
    for schema in cases::SCHEMAS.lines() {
        agree(&serde_json::from_str(schema).unwrap(), &some_values());
    }
}

#[test]
fn every_format() {
    let mut differences = Vec::new();
    for format in cases::FORMATS.split(' ') {
        for text in cases::TEXTS.split('¦') {
            let (ours, theirs) = said(&json!({"format": format}), &json!(text));
            // Whether a label that is marked as encoded can be decoded is not looked at.
            if ours != theirs && (format, text) != ("hostname", "xn--a") {
                differences.push(format!("{format} {text:?}: {ours:?} {theirs:?}"));
            }
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn what_is_no_schema() {
    let mut differences = Vec::new();
    for schema in cases::BROKEN.lines() {
        let schema = serde_json::from_str(schema).unwrap();
        let ours = Compiler::new(&schema).and_then(|mut compiler| compiler.root()).map(drop);
        let theirs = other(&schema).map(drop);
        if ours != theirs {
            differences.push(format!("{schema}: {ours:?} {theirs:?}"));
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-3_i64..5).prop_map(Value::from),
        (-9_i32..9).prop_map(|n| Value::from(f64::from(n) / 4.0)),
        "[ab]{0,3}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec(("[a-d]", inner), 0..4).prop_map(|members| members.into_iter().collect::<Value>()),
        ]
    })
}

fn any_schema() -> impl Strategy<Value = Value> {
    let kind = || prop::sample::select(vec!["string", "number", "integer", "boolean", "null", "array", "object"]);
    let key = |key: &'static str| move |value: Value| json!({ key: value });
    let leaf = prop_oneof![
        kind().prop_map(|kind| json!({"type": kind})),
        prop::collection::btree_set(kind(), 2..4).prop_map(|kinds| json!({"type": kinds})),
        (-2_i64..3).prop_map(|n| json!({"minimum": n})),
        (-2_i64..3).prop_map(|n| json!({"exclusiveMaximum": n})),
        (0_u64..3).prop_map(|n| json!({"minLength": n, "maxItems": n})),
        (0_u64..3).prop_map(|n| json!({"maxLength": n, "minProperties": n})),
        "[ab]".prop_map(|text| json!({"pattern": text})),
        prop::collection::btree_set("[a-d]", 0..4).prop_map(|names| json!({"required": names})),
        any_value().prop_map(key("const")),
        prop::collection::vec(any_value(), 1..4).prop_map(|values| json!({"enum": values})),
        any::<bool>().prop_map(|unique| json!({"uniqueItems": unique})),
        any::<bool>().prop_map(Value::from),
        Just(json!({"properties": {"a": {"$ref": "#"}}, "items": {"$ref": "#"}})),
    ];
    leaf.prop_recursive(4, 24, 4, move |inner| {
        let list = || prop::collection::vec(inner.clone(), 1..3).prop_map(Value::from);
        let map = || prop::collection::btree_map("[a-d]", inner.clone(), 0..3).prop_map(|map| json!(map));
        let part = prop_oneof![
            list().prop_map(key("allOf")),
            list().prop_map(key("anyOf")),
            list().prop_map(key("oneOf")),
            list().prop_map(key("prefixItems")),
            inner.clone().prop_map(key("not")),
            inner.clone().prop_map(key("items")),
            inner.clone().prop_map(key("contains")),
            inner.clone().prop_map(key("additionalProperties")),
            map().prop_map(key("properties")),
            map().prop_map(key("patternProperties")),
            map().prop_map(key("dependentSchemas")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| json!({"if": a, "then": b})),
            inner.clone(),
        ];
        // Several keywords beside each other, in any order.
        prop::collection::vec(part, 1..4).prop_map(|parts| {
            let members = parts.iter().filter_map(Value::as_object).flatten();
            Value::Object(members.map(|(key, value)| (key.clone(), value.clone())).collect::<Map<_, _>>())
        })
    })
}

proptest! {
    #[test]
    fn any_schema_and_any_value(schema in any_schema(), value in any_value()) {
        let (ours, theirs) = said(&schema, &value);
        prop_assert_eq!(ours, theirs, "{} {}", schema, value);
    }
}
