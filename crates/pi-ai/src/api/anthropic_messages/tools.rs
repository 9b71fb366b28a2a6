//! Tool definitions.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::api::cache_control::mark;
use crate::context::ToolDefinition;

use super::compat::Compat;
use super::oauth;

/// The body's `tools`. The last one carries the cache marker, where the endpoint takes it there.
pub(super) fn convert(
    tools: &[Arc<ToolDefinition>],
    compat: Compat,
    oauth: bool,
    marker: Option<&Value>,
) -> Vec<Value> {
    let mut converted: Vec<Value> = tools.iter().map(|tool| definition(tool, compat, oauth)).collect();
    if let (Some(last), Some(marker), true) = (converted.last_mut(), marker, compat.cache_control_on_tools) {
        mark(last, marker);
    }
    converted
}

fn definition(tool: &ToolDefinition, compat: Compat, oauth: bool) -> Value {
    let name = if oauth { oauth::outgoing(&tool.name) } else { &tool.name };
    let mut definition = Map::new();
    definition.insert("name".into(), name.into());
    definition.insert("description".into(), tool.description.as_str().into());
    if compat.eager_tool_input {
        definition.insert("eager_input_streaming".into(), true.into());
    }
    definition.insert("input_schema".into(), schema(&tool.parameters));
    Value::Object(definition)
}

/// The part of the schema that the format knows.
fn schema(parameters: &Value) -> Value {
    let part = |key: &str| parameters.get(key).filter(|part| !part.is_null()).cloned();
    json!({
        "type": "object",
        "properties": part("properties").unwrap_or_else(|| json!({})),
        "required": part("required").unwrap_or_else(|| json!([])),
    })
}
