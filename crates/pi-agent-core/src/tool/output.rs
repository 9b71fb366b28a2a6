//! What a call returns.

use pi_ai::{ContentBlock, Extra};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a call returned.
#[doc(alias = "AgentToolResult")]
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolOutput {
    /// What the model sees: text and images.
    pub content: Vec<ContentBlock>,
    /// What programs see: structured data of the tool's own shape.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<Value>,
    /// Asks the loop to stop after this batch; it does when every result of the batch asks.
    #[serde(default, skip_serializing_if = "is_false")]
    pub terminate: bool,
    /// What else the tool said. Listeners of the call's events see it; it is no part of the transcript.
    #[serde(flatten)]
    pub extra: Extra,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature serde calls")]
fn is_false(value: &bool) -> bool {
    !*value
}

impl ToolOutput {
    /// A result of one text block.
    pub fn text(text: impl Into<String>) -> Self {
        Self { content: vec![ContentBlock::text(text)], ..Self::default() }
    }

    /// Adds structured data.
    #[must_use]
    pub fn with_details(mut self, details: Value) -> Self {
        self.details = Some(details);
        self
    }
}

/// Why a call failed, in words for the model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ToolError {
    message: String,
    details: Option<Value>,
}

impl ToolError {
    /// An error with this text.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), details: None }
    }

    /// Adds structured data for programs, such as what was done before the call failed.
    #[must_use]
    pub fn with_details(mut self, details: Value) -> Self {
        self.details = Some(details);
        self
    }

    /// Structured data for programs.
    pub fn details(&self) -> Option<&Value> {
        self.details.as_ref()
    }

    /// What a tool answers when it was aborted.
    pub fn aborted() -> Self {
        Self::new("Operation aborted")
    }
}

impl From<&str> for ToolError {
    fn from(message: &str) -> Self {
        Self::new(message)
    }
}

impl From<String> for ToolError {
    fn from(message: String) -> Self {
        Self::new(message)
    }
}
