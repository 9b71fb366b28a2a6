//! Tool definitions, and who may choose among them.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::context::ToolDefinition;

/// The body's `toolConfig`; `None` without tools, and when none may be called.
pub(super) fn config(tools: &[Arc<ToolDefinition>], choice: Option<&Value>) -> Option<Value> {
    if tools.is_empty() || choice.is_some_and(|choice| choice == "none") {
        return None;
    }
    let definitions: Vec<Value> = tools.iter().map(|tool| definition(tool)).collect();
    let mut config = json!({"tools": definitions});
    if let Some(choice) = choice.and_then(tool_choice) {
        config["toolChoice"] = choice;
    }
    Some(config)
}

fn definition(tool: &ToolDefinition) -> Value {
    let schema = json!({"json": tool.parameters});
    json!({"toolSpec": {"name": tool.name, "description": tool.description, "inputSchema": schema}})
}

/// The choice in this format's words; words of no meaning count as none.
fn tool_choice(choice: &Value) -> Option<Value> {
    match choice.as_str().or_else(|| choice["type"].as_str()) {
        Some("auto") => Some(json!({"auto": {}})),
        Some("any") => Some(json!({"any": {}})),
        Some("tool") => Some(json!({"tool": {"name": choice["name"]}})),
        _ => choice.is_object().then(|| choice.clone()),
    }
}
