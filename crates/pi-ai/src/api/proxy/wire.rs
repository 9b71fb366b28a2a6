//! Events as they cross the network: those of a model call, without the message so far.
//!
//! The fields that every implementation knows come first. The optional ones after them are additions, sent only where
//! the message would lose something without them; whoever does not know them ignores them.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::message::{ContentBlock, StopReason};
use crate::name::Name;
use crate::unknown_fields::Extra;
use crate::usage::Usage;

/// What a line begins with, if it counts.
pub(super) const PREFIX: &str = "data: ";

/// One event.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub(super) enum WireEvent<'a> {
    /// The model accepted the request.
    Start,
    /// A text block opened.
    TextStart { content_index: u64 },
    /// Text arrived.
    TextDelta {
        content_index: u64,
        #[serde(borrow)]
        delta: Cow<'a, str>,
    },
    /// A text block is complete.
    TextEnd {
        content_index: u64,
        #[serde(flatten)]
        end: BlockEnd<'a>,
    },
    /// A thinking block opened.
    ThinkingStart { content_index: u64 },
    /// Thinking arrived.
    ThinkingDelta {
        content_index: u64,
        #[serde(borrow)]
        delta: Cow<'a, str>,
    },
    /// A thinking block is complete.
    ThinkingEnd {
        content_index: u64,
        #[serde(flatten)]
        end: BlockEnd<'a>,
    },
    /// A tool call opened.
    #[serde(rename = "toolcall_start")]
    ToolCallStart { content_index: u64, id: Cow<'a, str>, tool_name: Cow<'a, str> },
    /// A piece of the arguments' JSON text arrived.
    #[serde(rename = "toolcall_delta")]
    ToolCallDelta {
        content_index: u64,
        #[serde(borrow)]
        delta: Cow<'a, str>,
    },
    /// A tool call is complete.
    #[serde(rename = "toolcall_end")]
    ToolCallEnd {
        content_index: u64,
        #[serde(flatten)]
        end: BlockEnd<'a>,
    },
    /// An addition: a block as it is in the final message, where no other event says so.
    Block { content_index: u64, block: Cow<'a, ContentBlock> },
    /// The message is complete.
    Done {
        reason: StopReason,
        #[serde(default)]
        usage: Option<Usage>,
        #[serde(flatten)]
        rest: MessageRest,
    },
    /// The call failed or was aborted.
    Error {
        reason: StopReason,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error_message: Option<String>,
        #[serde(default)]
        usage: Option<Usage>,
        #[serde(flatten)]
        rest: MessageRest,
    },
    /// An event of a newer version.
    #[serde(other, skip_serializing)]
    Unknown,
}

/// What is known of a block at its end.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BlockEnd<'a> {
    /// Signature of a text or thinking block.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) content_signature: Option<Cow<'a, str>>,
    /// An addition: the whole block, where signature and deltas do not say everything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) block: Option<Box<ContentBlock>>,
}

/// Additions: what is known of a message besides its content, its end and its usage.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct MessageRest {
    /// See [`crate::AssistantMessage::response_id`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) response_id: Option<String>,
    /// See [`crate::AssistantMessage::response_model`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) response_model: Option<Name>,
    /// See [`crate::AssistantMessage::diagnostics`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) diagnostics: Option<Vec<Value>>,
    /// See [`crate::AssistantMessage::extra`].
    #[serde(default, skip_serializing_if = "Extra::is_empty")]
    pub(super) extra: Extra,
}
