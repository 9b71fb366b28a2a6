//! From the payload that hooks see to the body: Mistral's SDK names things in camel case and fills in what the API
//! insists on.

use serde_json::{Map, Value};

use crate::error::Error;

/// The body for a payload. Keys that are already spelled as on the wire stay as they are.
///
/// # Errors
/// [`Error::Hook`] when a hook made something else than an object of it.
pub(super) fn to_wire(payload: Value) -> Result<Value, Error> {
    let Value::Object(payload) = payload else {
        let message = "the payload must stay a JSON object".to_owned();
        return Err(Error::Hook { hook: "on_payload", message });
    };
    let mut body = snake_keys(payload);
    body.entry("stream").or_insert(Value::Bool(true));
    edit_each(&mut body, "messages", message);
    edit_object(&mut body, "response_format", |format| edit_object(format, "json_schema", schema_format));
    Ok(body.into())
}

fn message(message: &mut Map<String, Value>) {
    edit_each(message, "content", |_| {});
    edit_each(message, "tool_calls", |call| {
        call.entry("index").or_insert(0.into());
    });
    if message.get("role").is_some_and(|role| role == "assistant") {
        message.entry("prefix").or_insert(false.into());
    }
}

/// The schema of an answer has a name of its own in the SDK.
fn schema_format(format: &mut Map<String, Value>) {
    if let Some(schema) = format.remove("schema_definition") {
        format.insert("schema".to_owned(), schema);
    }
}

/// Translates the keys of every object in a list, then edits it. Nothing below these objects is touched: tool schemas
/// and arguments are the caller's own.
fn edit_each(parent: &mut Map<String, Value>, key: &str, edit: impl Fn(&mut Map<String, Value>)) {
    for item in parent.get_mut(key).and_then(Value::as_array_mut).into_iter().flatten() {
        edit_value(item, &edit);
    }
}

/// Translates the keys of an object, then edits it.
fn edit_object(parent: &mut Map<String, Value>, key: &str, edit: impl Fn(&mut Map<String, Value>)) {
    if let Some(value) = parent.get_mut(key) {
        edit_value(value, &edit);
    }
}

fn edit_value(value: &mut Value, edit: &impl Fn(&mut Map<String, Value>)) {
    if let Value::Object(object) = value {
        *object = snake_keys(std::mem::take(object));
        edit(object);
    }
}

fn snake_keys(object: Map<String, Value>) -> Map<String, Value> {
    object.into_iter().map(|(key, value)| (snake_case(&key), value)).collect()
}

fn snake_case(key: &str) -> String {
    let mut snake = String::with_capacity(key.len() + 2);
    for letter in key.chars() {
        if letter.is_ascii_uppercase() {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
    }
    snake
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn names_are_those_of_the_wire_and_defaults_are_filled_in() {
        let payload = json!({
            "model": "m", "maxTokens": 5, "top_p": 1, "randomSeed": 7,
            "messages": [
                {"role": "user", "content": [{"type": "image_url", "imageUrl": {"url": "data:", "detailLevel": "low"}}]},
                {"role": "assistant", "toolCalls": [{"id": "a", "function": {"name": "n", "arguments": {"aB": 1}}}]},
                {"role": "assistant", "content": "x", "prefix": true},
                {"role": "tool", "toolCallId": "a", "content": "plain"},
            ],
            "tools": [{"type": "function", "function": {"name": "n", "parameters": {"properties": {"aB": {}}}}}],
            "responseFormat": {"type": "json_schema", "jsonSchema": {"name": "n", "schemaDefinition": {"aB": 1}}},
        });
        let wire = json!({
            "model": "m", "max_tokens": 5, "top_p": 1, "random_seed": 7,
            "messages": [
                {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:", "detailLevel": "low"}}]},
                {
                    "role": "assistant",
                    "tool_calls": [{"id": "a", "function": {"name": "n", "arguments": {"aB": 1}}, "index": 0}],
                    "prefix": false,
                },
                {"role": "assistant", "content": "x", "prefix": true},
                {"role": "tool", "tool_call_id": "a", "content": "plain"},
            ],
            "tools": [{"type": "function", "function": {"name": "n", "parameters": {"properties": {"aB": {}}}}}],
            "response_format": {"type": "json_schema", "json_schema": {"name": "n", "schema": {"aB": 1}}},
            "stream": true,
        });
        assert_eq!(to_wire(payload).unwrap(), wire);
    }

    #[test]
    fn a_payload_that_is_no_object_is_the_hooks_mistake() {
        let error = to_wire(json!([1])).unwrap_err();
        assert_eq!(error.to_string(), "on_payload hook failed: the payload must stay a JSON object");
    }
}
