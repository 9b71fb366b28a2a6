//! Argument schemas, in the key order in which the reference sends them: type, required, properties, rest.

use serde_json::{Map, Value, json};

/// An object with these properties, of which those in the first list must be present.
pub(crate) fn object<const N: usize>(required: &[&str], properties: [(&str, Value); N]) -> Value {
    let properties: Map<String, Value> =
        properties.into_iter().map(|(name, schema)| (name.to_owned(), schema)).collect();
    if required.is_empty() {
        return json!({ "type": "object", "properties": properties });
    }
    json!({ "type": "object", "required": required, "properties": properties })
}

/// The same object, with no further properties allowed.
pub(crate) fn closed(mut object: Value) -> Value {
    object["additionalProperties"] = Value::Bool(false);
    object
}

/// An array.
pub(crate) fn array_of(items: &Value, description: &str) -> Value {
    json!({ "type": "array", "items": items, "description": description })
}

/// A string.
pub(crate) fn string(description: &str) -> Value {
    json!({ "type": "string", "description": description })
}

/// A number.
pub(crate) fn number(description: &str) -> Value {
    json!({ "type": "number", "description": description })
}

/// Yes or no.
pub(crate) fn boolean(description: &str) -> Value {
    json!({ "type": "boolean", "description": description })
}
