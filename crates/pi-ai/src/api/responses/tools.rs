//! Tools as a Responses body lists them.

use std::sync::Arc;

use serde_json::Value;

use crate::api::content::object;
use crate::context::ToolDefinition;

/// The body's `tools`; `strict` is what the format says about strict schemas.
pub(crate) fn definitions(tools: &[Arc<ToolDefinition>], strict: &Value) -> Vec<Value> {
    let definition = |tool: &Arc<ToolDefinition>| {
        object([
            ("type", "function".into()),
            ("name", tool.name.as_str().into()),
            ("description", tool.description.as_str().into()),
            ("parameters", tool.parameters.clone()),
            ("strict", strict.clone()),
        ])
    };
    tools.iter().map(definition).collect()
}
