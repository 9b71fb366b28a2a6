//! The JSON Schema of `settings.json`, written from the declarations to `docs/settings.schema.json`, and its agreement with
//! the check.

use pi_ai::{CoercionMode, ToolDefinition, ToolValidator};
use serde_json::{Map, Value, json};

use super::super::check::check;
use super::super::kind::Kind;
use super::super::spec::{DefaultValue, Spec};
use super::super::table::ALL;
use super::{compare_or_write, only, samples};

/// Where editors find it.
pub(super) const ID: &str = "https://raw.githubusercontent.com/pi-agent/pi/main/docs/settings.schema.json";

fn schema() -> Value {
    let mut schema = json!({
        // The draft that editors know best.
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": ID,
        "title": "Settings of pi",
        "description": "settings.json in ~/.pi/agent, or in .pi of a project. Unknown keys are kept.",
        "type": "object",
        "properties": {"$schema": {"type": "string", "description": "The schema that editors use; the program ignores it."}},
    });
    for spec in ALL {
        let mut object = &mut schema;
        for name in spec.path() {
            let inner = &mut object["properties"][name];
            if inner.is_null() {
                *inner = json!({"type": "object"});
            }
            object = inner;
        }
        *object = declared(spec);
    }
    schema
}

fn declared(spec: &Spec) -> Value {
    let mut schema = json!({ "description": description(spec) });
    let default = match spec.default {
        DefaultValue::None | DefaultValue::Depends(_) => None,
        DefaultValue::Switch(is_on) => Some(json!(is_on)),
        DefaultValue::Number(number) => Some(json!(number)),
        DefaultValue::Word(word) => Some(word()),
        DefaultValue::Elsewhere(json) => Some(serde_json::from_str(json).unwrap()),
    };
    for (name, value) in default.map(|value| ("default".to_owned(), value)).into_iter().chain(kind(spec.kind)) {
        schema[name] = value;
    }
    schema
}

fn description(spec: &Spec) -> String {
    let scope = if spec.is_users_own { " Only the user's own file counts." } else { "" };
    format!("{}{scope}", spec.sentence.trim())
}

fn kind(kind: Kind) -> Map<String, Value> {
    let schema = match kind {
        Kind::Text => json!({"type": "string"}),
        Kind::Switch => json!({"type": "boolean"}),
        Kind::Number => json!({"type": "number"}),
        Kind::Range(min, max) => json!({"type": "number", "minimum": min, "maximum": max}),
        Kind::Texts => json!({"type": "array", "items": {"type": "string"}}),
        Kind::OneOf(words) => json!({"enum": words}),
        // Each of the two keywords counts for its own type only.
        Kind::Limit => json!({
            "type": ["number", "string"],
            "minimum": 0,
            "pattern": r"^\s*(disabled|\d+(\.\d+)?)\s*$",
        }),
        Kind::Packages => json!({"type": "array", "items": {"anyOf": [{"type": "string"}, package()]}}),
        Kind::Positive => json!({"type": "number", "exclusiveMinimum": 0}),
        Kind::Count => json!({"type": "integer", "minimum": 1}),
        Kind::Whole => json!({"type": "integer", "minimum": 0}),
        Kind::Numbers(names) => json!({"type": "object", "properties": each(names, &json!({"type": "number"}))}),
        Kind::PerModel(names) => {
            let figures = each(names, &json!({"type": "integer", "minimum": 0}));
            json!({
                "type": "object",
                "propertyNames": {"pattern": "/"},
                "additionalProperties": {"type": "object", "properties": figures},
            })
        }
        Kind::Grants(words) => json!({
            "type": "object",
            "additionalProperties": {"type": "array", "items": {"enum": words}},
        }),
    };
    schema.as_object().unwrap().clone()
}

fn each(names: &[&str], schema: &Value) -> Map<String, Value> {
    names.iter().map(|name| ((*name).to_owned(), schema.clone())).collect()
}

fn package() -> Value {
    let mut properties = each(&["extensions", "skills", "prompts", "themes"], &Value::from(kind(Kind::Texts)));
    properties.insert("source".to_owned(), json!({"type": "string"}));
    json!({"type": "object", "properties": properties, "required": ["source"]})
}

#[test]
fn the_schema_has_every_setting() {
    let schema = schema();
    for spec in ALL {
        let found = spec.path().fold(&schema, |schema, name| &schema["properties"][name]);
        assert_eq!(found["description"], description(spec), "{}", spec.key);
    }
    compare_or_write("settings.schema.json", &format!("{}\n", serde_json::to_string_pretty(&schema).unwrap()));
}

#[test]
fn the_schema_agrees_with_the_check() {
    let (name, description) = ("settings".to_owned(), String::new());
    let definition = ToolDefinition { name, description, parameters: schema() };
    let validator = ToolValidator::new(&definition, CoercionMode::Plain).unwrap();
    let accepts = |settings: &Map<String, Value>| {
        let settings = Value::Object(settings.clone());
        // What it had to convert is not what the schema wants.
        validator.validate(&settings).is_ok_and(|converted| converted == settings)
    };
    let common =
        [json!(-1), json!(0), json!(0.5), json!(2), json!(true), json!(""), json!("soon"), json!("12"), json!([])];
    let nested = [json!([5]), json!({}), json!({"p/m": 5}), json!({"p/m": {"reserveTokens": -1}}), json!({"low": "x"})];
    for spec in ALL {
        let probes = common.iter().chain(&nested).cloned().chain(samples(spec.kind));
        for probe in probes {
            // The check leaves entries of lists and limits to those who read them; an editor may well mark them.
            let is_stricter = match spec.kind {
                Kind::Packages => probe.is_array(),
                Kind::Range(..) => probe.is_number(),
                _ => false,
            };
            let settings = only(spec, probe);
            let is_right = check(&settings).is_empty();
            assert!(accepts(&settings) == is_right || (is_right && is_stricter), "{settings:?}");
        }
    }
    assert!(!accepts(&Map::from_iter([("packages".to_owned(), json!([{"skills": []}]))])));
    assert!(!accepts(&Map::from_iter([("editorPaddingX".to_owned(), json!(9))])));
    assert!(accepts(&Map::from_iter([("futureKey".to_owned(), json!(1)), ("$schema".to_owned(), json!(ID))])));
}
