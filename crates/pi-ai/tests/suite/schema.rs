//! Tools whose arguments are Rust types: from the type to a request, and from a model's arguments back to the type.

use pi_ai::schemars::{self, JsonSchema};
use pi_ai::{CoercionMode, ToolDefinition, ToolValidator};
use serde::Deserialize;
use serde_json::{Value, json};

/// Searches files.
#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Search {
    /// What to look for.
    pattern: String,
    /// Where to look.
    #[serde(default)]
    folders: Vec<String>,
    /// At most so many.
    max_hits: Option<u32>,
    /// How sure.
    threshold: Option<f64>,
    /// Which files.
    kind: Kind,
    order: Option<Order>,
    /// The part to look at.
    window: Option<Window>,
    /// Not the title of a schema.
    title: Option<String>,
    /// When it was changed.
    #[schemars(extend("format" = "date-time"))]
    since: Option<String>,
}

/// Kinds of files.
#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Kind {
    /// Ends in `.rs`.
    Source,
    /// Everything else.
    Other,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Order {
    Name,
    Date,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Window {
    from: i64,
    to: Bound,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Bound {
    Line { number: u64 },
    End,
}

fn search() -> ToolDefinition {
    ToolDefinition::from_type::<Search>("search", "Searches files.").unwrap()
}

/// Calls `look` with every schema inside a schema.
fn each_schema(schema: &Value, look: &mut impl FnMut(&Value)) {
    look(schema);
    for (key, value) in schema.as_object().into_iter().flatten() {
        match value {
            Value::Object(properties) if key == "properties" => {
                properties.values().for_each(|value| each_schema(value, look));
            }
            Value::Object(_) => each_schema(value, look),
            Value::Array(schemas) if key != "enum" && key != "required" => {
                schemas.iter().for_each(|value| each_schema(value, look));
            }
            _ => {}
        }
    }
}

#[test]
fn the_schema_is_plain() {
    let definition = search();
    insta::assert_json_snapshot!(definition);
    // One wire format keeps nothing else of the outermost schema.
    let keywords: Vec<&String> = definition.parameters.as_object().unwrap().keys().collect();
    assert_eq!(keywords, ["type", "additionalProperties", "properties", "required"]);
    each_schema(&definition.parameters, &mut |schema| {
        for keyword in ["$schema", "$ref", "$defs", "const"] {
            assert!(schema.get(keyword).is_none(), "{keyword} in {schema}");
        }
        assert!(!schema["title"].is_string(), "{schema}");
        let format = schema["format"].as_str();
        assert!(format.is_none_or(|format| format == "date-time"), "{schema}");
    });
}

#[test]
fn what_a_model_sends_becomes_the_type() {
    let validator = ToolValidator::new(&search(), CoercionMode::Lenient).unwrap();
    let arguments = json!({
        "pattern": 5, "folders": "src", "maxHits": "7", "threshold": "0.5", "kind": "source", "order": null,
        "window": {"from": "-3", "to": {"type": "line", "number": 9.0}},
    });
    let search: Search = serde_json::from_value(validator.validate(&arguments).unwrap()).unwrap();
    let expected = Search {
        pattern: "5".into(),
        folders: vec!["src".into()],
        max_hits: Some(7),
        threshold: Some(0.5),
        kind: Kind::Source,
        order: None,
        window: Some(Window { from: -3, to: Bound::Line { number: 9 } }),
        title: None,
        since: None,
    };
    assert_eq!(search, expected);
}

#[test]
fn what_does_not_fit_is_reported() {
    let validator = ToolValidator::new(&search(), CoercionMode::Plain).unwrap();
    for (arguments, expected) in [
        (json!({"pattern": "x"}), "  - kind: must have required properties kind"),
        (json!({"pattern": "x", "kind": "neither"}), "  - kind: must be equal to one of the allowed values"),
        (json!({"pattern": "x", "kind": "other", "maxHits": -1}), "  - maxHits: must be >= 0"),
        (json!({"pattern": "x", "kind": "other", "more": 1}), "  - root: must not have additional properties"),
    ] {
        let report = validator.validate(&arguments).unwrap_err().to_string();
        assert!(report.contains(expected), "{report}");
    }
}

/// A type that contains itself.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema counts")]
struct Tree {
    children: Vec<Tree>,
}

#[test]
fn types_that_cannot_be_arguments_are_refused() {
    let error = ToolDefinition::from_type::<Tree>("plant", "").unwrap_err().to_string();
    assert!(error.contains("\"plant\"") && error.contains("Tree contains itself"), "{error}");
    for error in [
        ToolDefinition::from_type::<String>("say", "").unwrap_err(),
        ToolDefinition::from_type::<Vec<u8>>("say", "").unwrap_err(),
        ToolDefinition::from_type::<Kind>("say", "").unwrap_err(),
    ] {
        assert!(error.to_string().contains("is no struct with named fields"), "{error}");
    }
}
