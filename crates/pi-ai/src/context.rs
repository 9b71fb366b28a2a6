//! What a model call is made of: system prompt, transcript and tool definitions.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::message::{Message, UserMessage};

/// Input of one model call. Cloning is cheap: messages and tools are shared.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Context {
    /// Instructions that precede the transcript.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system_prompt: Option<Arc<str>>,
    /// The transcript, oldest first.
    pub messages: Vec<Arc<Message>>,
    /// Tools that the model may call.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<Arc<ToolDefinition>>,
}

impl Context {
    /// A context with one user message and nothing else.
    pub fn prompt(text: impl Into<String>) -> Self {
        Self { messages: vec![Arc::new(UserMessage::text(text, 0).into())], ..Self::default() }
    }

    /// Sets the system prompt.
    #[must_use]
    pub fn with_system_prompt(mut self, prompt: impl Into<Arc<str>>) -> Self {
        self.system_prompt = Some(prompt.into());
        self
    }

    /// Appends a message.
    #[must_use]
    pub fn with_message(mut self, message: impl Into<Message>) -> Self {
        self.messages.push(Arc::new(message.into()));
        self
    }

    /// Adds a tool definition.
    #[must_use]
    pub fn with_tool(mut self, tool: ToolDefinition) -> Self {
        self.tools.push(Arc::new(tool));
        self
    }
}

/// A tool as the model sees it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolDefinition {
    /// Name that the model calls.
    pub name: String,
    /// What the tool does and when to use it.
    pub description: String,
    /// JSON Schema of the arguments, an object schema.
    pub parameters: Value,
}

/// The schema of a string that is one of `values`, in the form that every provider accepts. Empty descriptions and
/// defaults are left out.
#[doc(alias = "StringEnum")]
pub fn string_enum(values: &[&str], description: Option<&str>, default: Option<&str>) -> Value {
    let mut schema = json!({ "type": "string", "enum": values });
    for (key, value) in [("description", description), ("default", default)] {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            schema[key] = value.into();
        }
    }
    schema
}
