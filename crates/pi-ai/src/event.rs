//! Events of a streaming answer.
//!
//! Order: `Start`, then block events, then exactly one `Done` or `Error`; a failure before the response was
//! accepted yields `Error` alone. Events of different blocks may interleave, so consumers key on `content_index`.

use std::sync::Arc;

use crate::error::Error;
use crate::message::{AssistantMessage, StopReason, ToolCall};
use crate::partial::Partial;

/// One step of a streaming answer. `partial` is a handle to the message so far and costs nothing until asked.
#[derive(Debug, Clone)]
pub enum AssistantMessageEvent {
    /// The response was accepted.
    Start {
        /// The message so far.
        partial: Partial,
    },
    /// A text block opened.
    TextStart {
        /// Index of the block in the message's content.
        content_index: usize,
        /// The message so far.
        partial: Partial,
    },
    /// Text arrived.
    TextDelta {
        /// Index of the block.
        content_index: usize,
        /// The new text.
        delta: String,
        /// The message so far.
        partial: Partial,
    },
    /// A text block is complete.
    TextEnd {
        /// Index of the block.
        content_index: usize,
        /// The whole text.
        content: String,
        /// The message so far.
        partial: Partial,
    },
    /// A thinking block opened.
    ThinkingStart {
        /// Index of the block.
        content_index: usize,
        /// The message so far.
        partial: Partial,
    },
    /// Thinking arrived.
    ThinkingDelta {
        /// Index of the block.
        content_index: usize,
        /// The new text.
        delta: String,
        /// The message so far.
        partial: Partial,
    },
    /// A thinking block is complete.
    ThinkingEnd {
        /// Index of the block.
        content_index: usize,
        /// The whole text.
        content: String,
        /// The message so far.
        partial: Partial,
    },
    /// A tool call opened.
    ToolCallStart {
        /// Index of the block.
        content_index: usize,
        /// The message so far.
        partial: Partial,
    },
    /// A piece of the arguments' JSON text arrived; it may be empty.
    ToolCallDelta {
        /// Index of the block.
        content_index: usize,
        /// The new piece of JSON text.
        delta: String,
        /// The message so far.
        partial: Partial,
    },
    /// A tool call is complete.
    ToolCallEnd {
        /// Index of the block.
        content_index: usize,
        /// The call with its final arguments.
        tool_call: Arc<ToolCall>,
        /// The message so far.
        partial: Partial,
    },
    /// The answer is complete.
    Done {
        /// `stop`, `length` or `toolUse`.
        reason: StopReason,
        /// The final message.
        message: Arc<AssistantMessage>,
    },
    /// The call failed or was aborted.
    Error {
        /// `error` or `aborted`.
        reason: StopReason,
        /// The final message with everything that arrived, `error_message` set.
        error: Arc<AssistantMessage>,
        /// The failure as a value; absent where the message itself was scripted or replayed as a failure.
        cause: Option<Error>,
    },
}

impl AssistantMessageEvent {
    /// The `type` string of the event's JSON form.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Start { .. } => "start",
            Self::TextStart { .. } => "text_start",
            Self::TextDelta { .. } => "text_delta",
            Self::TextEnd { .. } => "text_end",
            Self::ThinkingStart { .. } => "thinking_start",
            Self::ThinkingDelta { .. } => "thinking_delta",
            Self::ThinkingEnd { .. } => "thinking_end",
            Self::ToolCallStart { .. } => "toolcall_start",
            Self::ToolCallDelta { .. } => "toolcall_delta",
            Self::ToolCallEnd { .. } => "toolcall_end",
            Self::Done { .. } => "done",
            Self::Error { .. } => "error",
        }
    }

    /// The message so far; absent on the two terminal events.
    pub fn partial(&self) -> Option<&Partial> {
        match self {
            Self::Start { partial }
            | Self::TextStart { partial, .. }
            | Self::TextDelta { partial, .. }
            | Self::TextEnd { partial, .. }
            | Self::ThinkingStart { partial, .. }
            | Self::ThinkingDelta { partial, .. }
            | Self::ThinkingEnd { partial, .. }
            | Self::ToolCallStart { partial, .. }
            | Self::ToolCallDelta { partial, .. }
            | Self::ToolCallEnd { partial, .. } => Some(partial),
            Self::Done { .. } | Self::Error { .. } => None,
        }
    }

    /// The block that the event is about.
    pub fn content_index(&self) -> Option<usize> {
        match self {
            Self::TextStart { content_index, .. }
            | Self::TextDelta { content_index, .. }
            | Self::TextEnd { content_index, .. }
            | Self::ThinkingStart { content_index, .. }
            | Self::ThinkingDelta { content_index, .. }
            | Self::ThinkingEnd { content_index, .. }
            | Self::ToolCallStart { content_index, .. }
            | Self::ToolCallDelta { content_index, .. }
            | Self::ToolCallEnd { content_index, .. } => Some(*content_index),
            Self::Start { .. } | Self::Done { .. } | Self::Error { .. } => None,
        }
    }

    /// The final message of a terminal event.
    pub fn final_message(&self) -> Option<&Arc<AssistantMessage>> {
        match self {
            Self::Done { message, .. } => Some(message),
            Self::Error { error, .. } => Some(error),
            _ => None,
        }
    }
}
