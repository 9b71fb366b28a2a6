//! Tool arguments: what is coerced in which mode, what is refused and in which words.

use pi_ai::{CoercionMode, Error, ToolDefinition, ToolValidator, ValidationError, string_enum};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use CoercionMode::{Lenient, Plain};

fn validator(schema: Value, mode: CoercionMode) -> ToolValidator {
    let definition = ToolDefinition { name: "probe".to_owned(), description: String::new(), parameters: schema };
    ToolValidator::new(&definition, mode).unwrap()
}

fn object(properties: &Value) -> Value {
    json!({ "type": "object", "properties": properties })
}

/// The lines of the report, without its head and the arguments.
fn complaints(schema: Value, mode: CoercionMode, arguments: &Value) -> Vec<String> {
    let error = validator(schema, mode).validate(arguments).unwrap_err();
    let Error::Validation(ValidationError::InvalidArguments { message }) = error else { panic!("{error:?}") };
    message.lines().filter_map(|line| line.strip_prefix("  - ")).map(str::to_owned).collect()
}

/// Property `a` of this schema, given `value`: the value afterwards, or the complaints.
fn outcome(schema: &Value, mode: CoercionMode, value: &Value) -> Result<Value, Vec<String>> {
    let (schema, arguments) = (object(&json!({ "a": schema })), json!({ "a": value }));
    match validator(schema.clone(), mode).validate(&arguments) {
        Ok(mut coerced) => Ok(coerced["a"].take()),
        Err(_) => Err(complaints(schema, mode, &arguments)),
    }
}

#[test]
fn measured_outcomes() {
    let cases = [
        (Plain, json!({"type": "string"}), json!(1), json!("1")),
        (Lenient, json!({"type": "string"}), json!(null), json!("null")),
        (Lenient, json!({"type": "number"}), json!(null), json!(0)),
        (Lenient, json!({"type": "boolean"}), json!("True"), json!(true)),
        (Lenient, json!({"type": "boolean"}), json!("1"), json!(true)),
        (Lenient, json!({"type": "integer"}), json!("4"), json!(4)),
        (Lenient, json!({"type": "array", "items": {"type": "string"}}), json!("4"), json!(["4"])),
        (Lenient, json!({"type": "array", "items": {"type": "object"}}), json!({"a": 1}), json!([{"a": 1}])),
        (Plain, json!({"type": ["number", "null"]}), json!("5"), json!(5)),
        (Plain, json!({"anyOf": [{"type": "number"}, {"type": "string"}]}), json!("5"), json!(5)),
        (Plain, json!({"anyOf": [{"type": "string"}, {"type": "number"}]}), json!("5"), json!("5")),
    ];
    for (mode, schema, value, wanted) in cases {
        assert_eq!(outcome(&schema, mode, &value), Ok(wanted), "{mode:?} {schema} {value}");
    }
}

#[test]
fn measured_refusals() {
    let cases = [
        (json!({"type": "boolean"}), json!("TRUE"), "a: must be boolean"),
        (json!({"type": "integer"}), json!(3.7), "a: must be integer"),
        (json!({"type": "array", "items": {"type": "string"}}), json!("x"), "a: must be array"),
        (json!({"type": "object", "required": ["b"]}), json!({}), "a.b: must have required properties b"),
        (json!({"minimum": 3}), json!(1), "a: must be >= 3"),
    ];
    for (schema, value, line) in cases {
        assert_eq!(outcome(&schema, Plain, &value), Err(vec![line.to_owned()]), "{schema} {value}");
    }
    let closed = json!({"type": "object", "additionalProperties": false});
    let closed_too = json!({"type": "object", "properties": {"a": {}}, "additionalProperties": false});
    for schema in [closed, closed_too] {
        assert_eq!(complaints(schema, Plain, &json!({"x": 1})), ["root: must not have additional properties"]);
    }
}

#[test]
fn plain_conversions() {
    // Schema type, then value and result; a value that stays is refused.
    let cases = [
        ("number", json!(null), Some(json!(0))),
        ("number", json!(" 1e3 "), Some(json!(1000))),
        ("number", json!("2.5"), Some(json!(2.5))),
        ("number", json!(true), Some(json!(1))),
        ("number", json!("  "), None),
        ("number", json!("1e999"), None),
        ("integer", json!("4.0"), Some(json!(4))),
        ("integer", json!(9.0), Some(json!(9))),
        ("integer", json!(-0.0), Some(json!(0))),
        ("integer", json!("4.5"), None),
        ("integer", json!(false), Some(json!(0))),
        ("boolean", json!(null), Some(json!(false))),
        ("boolean", json!("true"), Some(json!(true))),
        ("boolean", json!(1), Some(json!(true))),
        ("boolean", json!(0.0), Some(json!(false))),
        ("boolean", json!("1"), None),
        ("boolean", json!(2), None),
        ("string", json!(null), Some(json!(""))),
        ("string", json!(1.0), Some(json!("1"))),
        ("string", json!(false), Some(json!("false"))),
        ("string", json!(["x"]), None),
        ("null", json!(""), Some(json!(null))),
        ("null", json!(0), Some(json!(null))),
        ("null", json!(false), Some(json!(null))),
        ("null", json!("null"), None),
        ("array", json!("x"), None),
        ("object", json!("{}"), None),
    ];
    for (kind, value, wanted) in cases {
        let result = outcome(&json!({ "type": kind }), Plain, &value);
        assert_eq!(result, wanted.ok_or_else(|| vec![format!("a: must be {kind}")]), "{kind} {value}");
    }
}

#[test]
fn lenient_conversions() {
    let cases = [
        (json!({"type": "string"}), json!(5), Some(json!("5"))),
        (json!({"type": "number"}), json!(""), Some(json!(0))),
        (json!({"type": "number"}), json!("FALSE"), Some(json!(0))),
        (json!({"type": "number"}), json!("0x10"), Some(json!(16))),
        (json!({"type": "number"}), json!("many"), None),
        (json!({"type": "integer"}), json!(-3.7), Some(json!(-3))),
        (json!({"type": "integer"}), json!("3.7"), Some(json!(3))),
        (json!({"type": "boolean"}), json!("yes"), None),
        (json!({"type": "null"}), json!("Undefined"), Some(json!(null))),
        (json!({"type": "array", "items": {"type": "integer"}}), json!(["1", 2.5]), Some(json!([1, 2]))),
        (json!({"type": "array"}), json!({}), Some(json!([{}]))),
        (json!({"type": "array"}), json!(null), None),
        (json!({"const": 1}), json!("1"), Some(json!(1))),
        (json!({"const": "on"}), json!(true), None),
        (json!({"type": "string", "enum": ["1", "2"]}), json!(2), Some(json!("2"))),
        (json!({"anyOf": [{"type": "boolean"}, {"type": "null"}]}), json!("TRUE"), Some(json!(true))),
        (json!({"anyOf": [{"const": "a"}, {"const": "b"}]}), json!("b"), Some(json!("b"))),
    ];
    for (schema, value, wanted) in cases {
        assert_eq!(outcome(&schema, Lenient, &value).ok(), wanted, "{schema} {value}");
    }
}

#[test]
fn conversion_reaches_every_part() {
    let schema = json!({
        "type": "object",
        "properties": { "list": { "items": [{ "type": "integer" }, { "type": "string" }] } },
        "additionalProperties": { "allOf": [{ "type": "number" }] },
    });
    let coerced = validator(schema, Plain).validate(&json!({ "list": ["1", 2, 3], "other": "7" })).unwrap();
    assert_eq!(coerced, json!({ "list": [1, "2", 3], "other": 7 }));

    let one_of = json!({ "oneOf": [{ "type": "integer" }, { "type": "array", "items": { "type": "integer" } }] });
    assert_eq!(outcome(&one_of, Plain, &json!(["1"])), Ok(json!([1])));
}

#[test]
fn references_between_branches_resolve() {
    let schema = json!({
        "type": "object",
        "$defs": { "size": { "type": "integer", "minimum": 1 } },
        "properties": { "a": { "anyOf": [{ "$ref": "#/$defs/size" }, { "type": "null" }] } },
    });
    let validator = validator(schema, Plain);
    assert_eq!(validator.validate(&json!({ "a": 2 })).unwrap(), json!({ "a": 2 }));
    assert!(validator.validate(&json!({ "a": 0.5 })).is_err());
}

#[test]
fn every_keyword_has_its_words() {
    let cases = [
        (json!({"type": ["string", "array"]}), json!({}), "must be either string or array"),
        (json!({"enum": ["x"]}), json!("y"), "must be equal to one of the allowed values"),
        (json!({"const": "x"}), json!("y"), "must be equal to constant"),
        (json!({"anyOf": [{"const": 1}, {"const": 2}]}), json!("y"), "must match a schema in anyOf"),
        (json!({"oneOf": [{"const": 1}, {"const": 2}]}), json!("y"), "must match exactly one schema in oneOf"),
        (json!({"minLength": 2}), json!("y"), "must not have fewer than 2 characters"),
        (json!({"maxLength": 2}), json!("yyy"), "must not have more than 2 characters"),
        (json!({"minItems": 2}), json!([1]), "must not have fewer than 2 items"),
        (json!({"maxItems": 0}), json!([1]), "must not have more than 0 items"),
        (json!({"minProperties": 1}), json!({}), "must not have fewer than 1 properties"),
        (json!({"maxProperties": 0}), json!({"x": 1}), "must not have more than 0 properties"),
        (json!({"pattern": "^x"}), json!("y"), "must match pattern \"^x\""),
        (json!({"format": "date"}), json!("y"), "must match format \"date\""),
        (json!({"multipleOf": 2}), json!(3), "must be multiple of 2"),
        (json!({"minimum": 1.5}), json!(1), "must be >= 1.5"),
        (json!({"maximum": 1.0}), json!(2), "must be <= 1"),
        (json!({"exclusiveMinimum": 1}), json!(1), "must be > 1"),
        (json!({"exclusiveMaximum": 1}), json!(1), "must be < 1"),
        (json!({"uniqueItems": true}), json!([1, 1]), "must not have duplicate items"),
        (json!({"not": {"type": "string"}}), json!("y"), "must not be valid"),
    ];
    for (schema, value, phrase) in cases {
        assert_eq!(outcome(&schema, Plain, &value), Err(vec![format!("a: {phrase}")]), "{schema}");
    }
}

#[test]
fn the_report_shows_the_arguments_as_they_came() {
    let schema = json!({
        "type": "object",
        "required": ["path", "text"],
        "properties": { "path": { "type": "string" }, "limit": { "type": "integer" } },
    });
    let error = validator(schema, Lenient).validate(&json!({ "limit": "many", "tags": [] })).unwrap_err();
    insta::assert_snapshot!(error, @r#"
    Validation failed for tool "probe":
      - path: must have required properties path, text
      - limit: must be integer

    Received arguments:
    {
      "limit": "many",
      "tags": []
    }
    "#);
}

#[test]
fn eight_complaints_are_enough() {
    let names: Vec<String> = (0..12).map(|n| format!("p{n}")).collect();
    let properties: Map<String, Value> = names.iter().map(|name| (name.clone(), json!({ "type": "object" }))).collect();
    let arguments: Map<String, Value> = names.into_iter().map(|name| (name, json!("x"))).collect();
    assert_eq!(complaints(object(&properties.into()), Plain, &arguments.into()).len(), 8);
}

#[test]
fn an_unusable_schema_is_refused_by_name() {
    for schema in [json!({ "type": "strin" }), json!({ "$ref": "https://example.com/schema.json" }), json!(7)] {
        let definition =
            ToolDefinition { name: "probe".to_owned(), description: String::new(), parameters: schema.clone() };
        let error = ToolValidator::new(&definition, Plain).unwrap_err();
        assert!(matches!(error, Error::Validation(ValidationError::InvalidSchema { .. })), "{schema}: {error:?}");
        assert!(error.to_string().contains("\"probe\""), "{error}");
    }
}

#[test]
fn string_enums_leave_out_what_is_empty() {
    assert_eq!(string_enum(&["a", "b"], None, Some("")), json!({ "type": "string", "enum": ["a", "b"] }));
    assert_eq!(
        string_enum(&["a"], Some("Which."), Some("a")),
        json!({ "type": "string", "enum": ["a"], "description": "Which.", "default": "a" })
    );
}

fn any_scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-5_i64..5).prop_map(Value::from),
        (-20_i32..20).prop_map(|n| Value::from(f64::from(n) / 4.0)),
        "[ a0-9.e-]{0,4}".prop_map(Value::from),
        Just(json!("true")),
    ]
}

fn any_value() -> impl Strategy<Value = Value> {
    any_scalar().prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[a-c]", inner, 0..4).prop_map(|map| json!(map)),
        ]
    })
}

fn any_kind() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["string", "number", "integer", "boolean", "null"])
}

/// Schemas without unions.
fn any_schema() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        any_kind().prop_map(|kind| json!({ "type": kind })),
        prop::collection::btree_set(any_kind(), 2..4).prop_map(|kinds| json!({ "type": kinds })),
        Just(json!({ "type": "integer", "minimum": 1 })),
        Just(json!({ "type": "string", "enum": ["1", "true"] })),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(|items| json!({ "type": "array", "items": items })),
            inner.clone().prop_map(|part| json!({ "allOf": [part] })),
            (prop::collection::btree_map("[a-c]", inner.clone(), 0..3), inner).prop_map(
                |(properties, rest)| json!({ "type": "object", "properties": properties, "additionalProperties": rest })
            ),
        ]
    })
}

/// The same value with `2.0` written as `2`: which of the two it is does not count.
fn whole_numbers(value: Value) -> Value {
    match value {
        Value::Number(number) if number.as_f64().is_some_and(|number| number.fract() == 0.0) => {
            json!(number.as_f64().unwrap() as i64)
        }
        Value::Array(items) => items.into_iter().map(whole_numbers).collect(),
        Value::Object(members) => members.into_iter().map(|(key, value)| (key, whole_numbers(value))).collect(),
        other => other,
    }
}

proptest! {
    #[test]
    fn what_is_returned_satisfies_the_schema(
        schema in any_schema(),
        other in any_schema(),
        value in any_value(),
        lenient in any::<bool>(),
        key in prop::sample::select(vec!["allOf", "anyOf", "oneOf"]),
    ) {
        let schema = json!({ key: [schema, other] });
        let mode = if lenient { Lenient } else { Plain };
        if let Ok(coerced) = validator(schema.clone(), mode).validate(&value) {
            prop_assert!(jsonschema::is_valid(&schema, &coerced), "{schema} {value} {coerced}");
        }
    }

    #[test]
    fn valid_arguments_are_not_touched_in_plain_mode(schema in any_schema(), value in any_value()) {
        let result = validator(schema.clone(), Plain).validate(&value);
        if jsonschema::is_valid(&schema, &value) {
            prop_assert_eq!(whole_numbers(result.unwrap()), whole_numbers(value));
        }
    }
}
