//! Tools as they are listed.

use serde::Serialize;
use serde_json::Value;

use crate::resources::prompt::SourceInfo;

/// A tool, as it is listed.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolSummary {
    /// Name that the model calls.
    pub name: String,
    /// What the model is told of it.
    pub description: String,
    /// JSON schema of the arguments.
    pub parameters: Value,
    /// Rules for the system prompt.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub prompt_guidelines: Vec<String>,
    /// Where it came from.
    pub source_info: SourceInfo,
}
