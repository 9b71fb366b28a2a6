//! The body in the key order of the service's own clients, without what is in the URL.
//!
//! Payload hooks see the input of the operation, in which these clients let callers order keys as they like.

use serde_json::{Map, Value};

/// Keys of the body, in order; others follow.
const BODY: [&str; 7] = [
    "messages",
    "system",
    "inferenceConfig",
    "toolConfig",
    "guardrailConfig",
    "additionalModelRequestFields",
    "requestMetadata",
];
const TOOL: [&str; 3] = ["name", "inputSchema", "description"];

/// The body of a payload.
pub(super) fn wire_body(mut payload: Map<String, Value>) -> Map<String, Value> {
    payload.shift_remove("modelId");
    let tools = payload.get_mut("toolConfig").and_then(|config| config.get_mut("tools")?.as_array_mut());
    for tool in tools.into_iter().flatten() {
        if let Some(Value::Object(definition)) = tool.get_mut("toolSpec") {
            *definition = ordered(std::mem::take(definition), &TOOL);
        }
    }
    ordered(payload, &BODY)
}

/// The same entries, these first.
fn ordered(mut entries: Map<String, Value>, first: &[&str]) -> Map<String, Value> {
    let mut sorted = Map::with_capacity(entries.len());
    for key in first {
        if let Some((key, value)) = entries.shift_remove_entry(*key) {
            sorted.insert(key, value);
        }
    }
    sorted.extend(entries);
    sorted
}
