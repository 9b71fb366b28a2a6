//! Argument schemas from Rust types, in the plain form that every provider accepts.
//!
//! What the derive macro writes is correct but rich: references, titles, number formats, constants. Some wire formats
//! keep only `properties` and `required`, and some providers reject what they do not know. Checking arguments against a
//! schema is done in `validate`.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

use crate::context::ToolDefinition;
use crate::error::{Error, ValidationError};

impl ToolDefinition {
    /// A tool whose arguments are a Rust struct: doc comments become descriptions, `Option` fields are not required, and
    /// `serde` attributes count. Arguments that went through `ToolValidator` (feature `validate`) can be read
    /// back with `serde_json::from_value`.
    ///
    /// # Errors
    /// [`ValidationError::InvalidSchema`] when the type is not written as a JSON object, or refers to itself: providers
    /// take no references.
    pub fn from_type<T: JsonSchema>(name: impl Into<String>, description: impl Into<String>) -> Result<Self, Error> {
        let name = name.into();
        let settings = SchemaSettings::draft2020_12().with(|settings| {
            settings.inline_subschemas = true;
            settings.meta_schema = None;
        });
        let mut parameters = settings.into_generator().into_root_schema_for::<T>().to_value();
        let invalid = |detail: String| Error::Validation(ValidationError::InvalidSchema { tool: name.clone(), detail });
        let type_name = std::any::type_name::<T>();
        if refers(&parameters) {
            return Err(invalid(format!("the type {type_name} contains itself; let the inner one be any JSON value")));
        }
        simplify(&mut parameters);
        // The tool has a description of its own.
        if let Value::Object(keywords) = &mut parameters {
            keywords.shift_remove("description");
        }
        if parameters["type"] != "object" {
            return Err(invalid(format!("the type {type_name} is no struct with named fields")));
        }
        Ok(Self { name, description: description.into(), parameters })
    }
}

/// Whether there is a reference left, which is so for types that contain themselves.
fn refers(schema: &Value) -> bool {
    match schema {
        Value::Object(object) => object.get("$ref").is_some_and(Value::is_string) || object.values().any(refers),
        Value::Array(items) => items.iter().any(refers),
        _ => false,
    }
}

/// Keywords whose value is a schema.
const SCHEMA: [&str; 4] = ["items", "additionalProperties", "not", "contains"];
/// Keywords whose value is a list of schemas.
const SCHEMAS: [&str; 4] = ["anyOf", "oneOf", "allOf", "prefixItems"];

/// Takes out what providers do not know or need, here and below. Only places that hold schemas are looked at: names of
/// fields and default values are the caller's own.
fn simplify(schema: &mut Value) {
    let Value::Object(keywords) = schema else { return };
    for key in ["$schema", "$defs", "title"] {
        keywords.shift_remove(key);
    }
    // Number formats are an invention of the derive macro.
    let is_text = keywords.get("type").is_some_and(|kind| kind == "string" || is_optional_text(kind));
    if !is_text {
        keywords.shift_remove("format");
    }
    if let Some(constant) = keywords.shift_remove("const") {
        keywords.insert("enum".to_owned(), vec![constant].into());
    }
    for (key, value) in keywords.iter_mut() {
        match (key.as_str(), value) {
            ("properties", Value::Object(properties)) => properties.values_mut().for_each(simplify),
            (key, value) if SCHEMA.contains(&key) => simplify(value),
            (key, Value::Array(schemas)) if SCHEMAS.contains(&key) => schemas.iter_mut().for_each(simplify),
            _ => {}
        }
    }
    merge_words(keywords);
}

fn is_optional_text(kind: &Value) -> bool {
    kind.as_array().is_some_and(|kinds| kinds.iter().any(|kind| kind == "string"))
}

/// An enum whose variants have descriptions comes as one schema per word: one list of words is understood everywhere.
/// The descriptions go into that of the whole.
fn merge_words(keywords: &mut Map<String, Value>) {
    let Some(branches) = keywords.get("oneOf").and_then(Value::as_array) else { return };
    let mut words = Vec::new();
    let mut lines: Vec<String> =
        keywords.get("description").and_then(Value::as_str).map(str::to_owned).into_iter().collect();
    for branch in branches {
        let (Some("string"), Some(values)) = (branch["type"].as_str(), branch["enum"].as_array()) else { return };
        if let (Some(text), [Value::String(word)]) = (branch["description"].as_str(), values.as_slice()) {
            lines.push(format!("`{word}`: {text}"));
        }
        words.extend(values.iter().cloned());
    }
    keywords.shift_remove("oneOf");
    if !lines.is_empty() {
        keywords.insert("description".to_owned(), lines.join("\n").into());
    }
    keywords.insert("type".to_owned(), "string".into());
    keywords.insert("enum".to_owned(), words.into());
}
