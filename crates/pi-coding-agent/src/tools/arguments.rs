//! From validated JSON to a tool's argument struct.

use pi_agent_core::ToolError;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Reads the arguments of a call. The loop has validated them; a program that calls a tool directly may not have.
pub(crate) fn parse<T: DeserializeOwned>(tool: &str, arguments: Value) -> Result<T, ToolError> {
    serde_json::from_value(arguments).map_err(|e| ToolError::new(format!("Invalid arguments for tool {tool}: {e}")))
}
