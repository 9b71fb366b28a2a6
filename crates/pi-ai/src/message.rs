//! Messages and content blocks: the transcript format that every layer and every session file shares.
//!
//! Types are closed structs for what this version understands inside open enums: an unknown role or block keeps
//! its raw JSON, and an unknown field of a known struct is kept in `unknown_fields`. Parsing and serialising again is the
//! identity. Nothing here knows a wire format; conversions live in `api/`.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::name::Name;
use crate::number::present;
use crate::unknown_fields::Extra;
use crate::usage::Usage;

/// One message of a transcript, told apart by its `role`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "role")]
pub enum Message {
    /// What the user (or the program on the user's behalf) said.
    #[serde(rename = "user")]
    User(UserMessage),
    /// What the model answered. Shared with the stream that it arrived by.
    #[serde(rename = "assistant")]
    Assistant(Arc<AssistantMessage>),
    /// What a tool returned for one of the model's calls.
    #[serde(rename = "toolResult")]
    ToolResult(Box<ToolResultMessage>),
    /// Any other role, or a known role of a shape that this version cannot read: kept as raw JSON.
    #[serde(untagged)]
    Other(OtherMessage),
}

impl Message {
    /// The `role` string; empty when an unknown message has none.
    pub fn role(&self) -> &str {
        match self {
            Self::User(_) => "user",
            Self::Assistant(_) => "assistant",
            Self::ToolResult(_) => "toolResult",
            Self::Other(other) => other.role(),
        }
    }

    /// The message as an assistant message, if it is one.
    pub fn as_assistant(&self) -> Option<&AssistantMessage> {
        match self {
            Self::Assistant(message) => Some(message),
            _ => None,
        }
    }
}

/// A message of a role that belongs to a higher layer or a newer version.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct OtherMessage(pub Box<Map<String, Value>>);

impl OtherMessage {
    /// The `role` field; empty when there is none.
    pub fn role(&self) -> &str {
        self.0.get("role").and_then(Value::as_str).unwrap_or("")
    }
}

/// A user message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct UserMessage {
    /// Plain text, or text and images.
    pub content: UserContent,
    /// Unix time in milliseconds.
    #[serde(default)]
    pub timestamp: i64,
    /// Unknown fields.
    #[serde(flatten)]
    pub extra: Extra,
}

impl UserMessage {
    /// A message of plain text.
    pub fn text(text: impl Into<String>, timestamp: i64) -> Self {
        Self { content: UserContent::Text(text.into()), timestamp, extra: Extra::new() }
    }

    /// A message of content blocks.
    pub fn blocks(blocks: Vec<ContentBlock>, timestamp: i64) -> Self {
        Self { content: UserContent::Blocks(blocks), timestamp, extra: Extra::new() }
    }
}

impl From<UserMessage> for Message {
    fn from(message: UserMessage) -> Self {
        Self::User(message)
    }
}

/// Content of a user message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum UserContent {
    /// The short form.
    Text(String),
    /// The general form.
    Blocks(Vec<ContentBlock>),
}

impl From<&str> for UserContent {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for UserContent {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<Vec<ContentBlock>> for UserContent {
    fn from(blocks: Vec<ContentBlock>) -> Self {
        Self::Blocks(blocks)
    }
}

impl UserContent {
    /// All text, blocks concatenated without a separator.
    pub fn to_text(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Blocks(blocks) => blocks.iter().filter_map(ContentBlock::as_text).collect(),
        }
    }
}

/// An assistant message: always complete, also when the call failed (`stop_reason` says how).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AssistantMessage {
    /// Text, thinking and tool calls in the order in which the model produced them.
    pub content: Vec<ContentBlock>,
    /// Wire format that produced the message.
    #[serde(default)]
    pub api: Name,
    /// Provider id.
    #[serde(default)]
    pub provider: Name,
    /// Model id, as requested.
    #[serde(default)]
    pub model: Name,
    /// Tokens and cost; zeros until reported.
    #[serde(default)]
    pub usage: Usage,
    /// Why the message ended.
    #[serde(default)]
    pub stop_reason: StopReason,
    /// Unix time in milliseconds at which the request started.
    #[serde(default)]
    pub timestamp: i64,
    /// The provider's id of the response.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response_id: Option<String>,
    /// The model that answered, where it differs from `model`; only `openai-completions` sets it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response_model: Option<Name>,
    /// What went wrong; present exactly when `stop_reason` is `error` or `aborted`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_message: Option<String>,
    /// Transport incidents that did not fail the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diagnostics: Option<Vec<Value>>,
    /// The call failed because the model refused to go on, or a filter of the provider did. Not stored.
    #[serde(skip)]
    pub refused: bool,
    /// Unknown fields.
    #[serde(flatten)]
    pub extra: Extra,
}

impl AssistantMessage {
    /// All text blocks, concatenated without a separator.
    pub fn text(&self) -> String {
        self.content.iter().filter_map(ContentBlock::as_text).collect()
    }

    /// The tool calls in order of appearance.
    pub fn tool_calls(&self) -> impl Iterator<Item = &ToolCall> {
        self.content.iter().filter_map(|block| match block {
            ContentBlock::ToolCall(call) => Some(&**call),
            _ => None,
        })
    }
}

impl From<AssistantMessage> for Message {
    fn from(message: AssistantMessage) -> Self {
        Arc::new(message).into()
    }
}

impl From<Arc<AssistantMessage>> for Message {
    fn from(message: Arc<AssistantMessage>) -> Self {
        Self::Assistant(message)
    }
}

/// Why an assistant message ended.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum StopReason {
    /// The model was done.
    #[default]
    Stop,
    /// The output limit cut the message.
    Length,
    /// The model waits for tool results.
    ToolUse,
    /// The call failed; see `error_message`.
    Error,
    /// The caller aborted.
    Aborted,
    /// A reason that this version does not know.
    #[serde(untagged)]
    Other(String),
}

impl StopReason {
    /// The JSON spelling.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Stop => "stop",
            Self::Length => "length",
            Self::ToolUse => "toolUse",
            Self::Error => "error",
            Self::Aborted => "aborted",
            Self::Other(other) => other,
        }
    }

    /// True for `error` and `aborted`: the message is not a usable answer.
    pub fn is_failure(&self) -> bool {
        matches!(self, Self::Error | Self::Aborted)
    }
}

/// The result of one tool call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolResultMessage {
    /// Id of the call that this answers.
    pub tool_call_id: String,
    /// Name of the tool.
    pub tool_name: String,
    /// What the model sees: text and images.
    pub content: Vec<ContentBlock>,
    /// What programs see: structured data of the tool's own shape.
    #[serde(default, deserialize_with = "present::deserialize", skip_serializing_if = "Option::is_none")]
    pub details: Option<Value>,
    /// Whether the call failed.
    #[serde(default)]
    pub is_error: bool,
    /// Unix time in milliseconds.
    #[serde(default)]
    pub timestamp: i64,
    /// Unknown fields.
    #[serde(flatten)]
    pub extra: Extra,
}

impl ToolResultMessage {
    /// A result in words; `timestamp` is the Unix time in milliseconds.
    pub fn text(call: &ToolCall, text: impl Into<String>, timestamp: i64) -> Self {
        Self {
            tool_call_id: call.id.clone(),
            tool_name: call.name.clone(),
            content: vec![ContentBlock::text(text)],
            details: None,
            is_error: false,
            timestamp,
            extra: Extra::new(),
        }
    }
}

impl From<ToolResultMessage> for Message {
    fn from(message: ToolResultMessage) -> Self {
        Self::ToolResult(Box::new(message))
    }
}

/// One block of message content, told apart by its `type`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type")]
pub enum ContentBlock {
    /// Text.
    #[serde(rename = "text")]
    Text(TextContent),
    /// Reasoning; only in assistant messages.
    #[serde(rename = "thinking")]
    Thinking(ThinkingContent),
    /// An image; only in user messages and tool results.
    #[serde(rename = "image")]
    Image(ImageContent),
    /// A tool call; only in assistant messages. Shared with the events about it: arguments may be a whole file.
    #[serde(rename = "toolCall")]
    ToolCall(Arc<ToolCall>),
    /// A block that this version does not know: kept as raw JSON, never sent to a provider.
    #[serde(untagged)]
    Other(Box<Value>),
}

impl ContentBlock {
    /// A text block.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(TextContent { text: text.into(), ..TextContent::default() })
    }

    /// An image block; `data` is base64 without a prefix.
    pub fn image(data: impl Into<String>, mime_type: impl Into<String>) -> Self {
        Self::Image(ImageContent { data: data.into(), mime_type: mime_type.into(), extra: Extra::new() })
    }

    /// The text of a text block.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(block) => Some(&block.text),
            _ => None,
        }
    }
}

impl From<ToolCall> for ContentBlock {
    fn from(call: ToolCall) -> Self {
        Self::ToolCall(Arc::new(call))
    }
}

/// A text block.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TextContent {
    /// The text.
    pub text: String,
    /// Opaque provider data to send back with the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text_signature: Option<String>,
    /// Unknown fields.
    #[serde(flatten)]
    pub extra: Extra,
}

/// A reasoning block.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ThinkingContent {
    /// The reasoning text; a placeholder when the provider redacted it.
    pub thinking: String,
    /// Opaque provider data to send back; its meaning depends on the message's `api`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thinking_signature: Option<String>,
    /// True when the provider sent only an opaque payload (held in `thinking_signature`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub redacted: Option<bool>,
    /// Unknown fields.
    #[serde(flatten)]
    pub extra: Extra,
}

/// An image.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ImageContent {
    /// Base64 without a `data:` prefix.
    pub data: String,
    /// For example `image/png`.
    pub mime_type: String,
    /// Unknown fields.
    #[serde(flatten)]
    pub extra: Extra,
}

/// A tool call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolCall {
    /// The provider's id of the call; `toolResult` messages refer to it.
    pub id: String,
    /// Name of the tool.
    pub name: String,
    /// Arguments, normally an object; not yet validated.
    pub arguments: Value,
    /// Opaque provider data to send back with the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thought_signature: Option<String>,
    /// Unknown fields.
    #[serde(flatten)]
    pub extra: Extra,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A transcript keeps every message for as long as the session runs, and programs run sessions by the thousand: what
    /// is large and rare belongs behind a pointer.
    #[test]
    fn messages_stay_small() {
        let sizes = [
            ("Message", size_of::<Message>(), 48),
            ("ContentBlock", size_of::<ContentBlock>(), 64),
            ("AssistantMessage", size_of::<AssistantMessage>(), 336),
            ("Usage", size_of::<Usage>(), 104),
        ];
        for (name, size, limit) in sizes {
            assert!(size <= limit, "{name} takes {size} bytes, more than {limit}");
        }
    }
}
