//! How large a context is, and whether that is too large.
//!
//! Providers report exact sizes with each answer; what came after the last answer is estimated. The estimate counts
//! UTF-16 units, four to a token, so that sessions shared with the reference are judged alike.

use std::sync::Arc;

use pi_ai::{AssistantMessage, ContentBlock, Message, Usage, UserContent};
use serde_json::Value;

use crate::messages::AppMessage;
pub use crate::settings::CompactionSettings;

/// What an image counts for, in characters.
const IMAGE_CHARS: u64 = 4800;
/// Characters that make a token.
const CHARS_PER_TOKEN: u64 = 4;

/// Whether a context is too large for its window. A window of unknown size (0) is never too small.
pub fn should_compact(context_tokens: u64, context_window: u64, settings: &CompactionSettings) -> bool {
    let used = context_tokens.saturating_add(settings.reserve_tokens);
    settings.enabled && context_window > 0 && used > context_window
}

/// The size of the context after an answer: the provider's total, else the sum of its parts.
pub fn context_tokens(usage: &Usage) -> u64 {
    if usage.total_tokens > 0 { usage.total_tokens } else { usage.sum() }
}

/// The size of a context.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ContextEstimate {
    /// All of it.
    pub tokens: u64,
    /// The part that a provider reported.
    pub usage_tokens: u64,
    /// The part that is estimated.
    pub trailing_tokens: u64,
    /// Index of the message that the report came with; `None` when everything is estimated.
    pub last_usage_index: Option<usize>,
}

/// Estimates the size of a context from its last report and what came after it.
pub fn estimate_context_tokens(messages: &[Arc<Message>]) -> ContextEstimate {
    let usable = |message: &Arc<Message>| message.as_assistant().is_some_and(|a| !a.stop_reason.is_failure());
    let last_usage_index = messages.iter().rposition(usable);
    let reported = last_usage_index.and_then(|index| messages[index].as_assistant());
    let usage_tokens = reported.map_or(0, |message| context_tokens(&message.usage));
    let trailing_tokens = estimate_total_tokens(&messages[last_usage_index.map_or(0, |index| index + 1)..]);
    ContextEstimate { tokens: usage_tokens + trailing_tokens, usage_tokens, trailing_tokens, last_usage_index }
}

/// The estimated size of some messages, whatever providers reported.
pub fn estimate_total_tokens(messages: &[Arc<Message>]) -> u64 {
    messages.iter().map(|message| estimate_tokens(message)).sum()
}

/// The estimated size of a message.
pub fn estimate_tokens(message: &Message) -> u64 {
    let chars = match message {
        Message::User(user) => content_chars(&user.content),
        Message::Assistant(assistant) => assistant_chars(assistant),
        Message::ToolResult(result) => blocks_chars(&result.content),
        Message::Other(other) => match AppMessage::from_other(other) {
            Some(AppMessage::BashExecution(bash)) => units(&bash.command) + units(&bash.output),
            Some(AppMessage::Custom(custom)) => content_chars(&custom.content),
            Some(AppMessage::BranchSummary(branch)) => units(&branch.summary),
            Some(AppMessage::CompactionSummary(compaction)) => units(&compaction.summary),
            None => 0,
        },
    };
    chars.div_ceil(CHARS_PER_TOKEN)
}

fn content_chars(content: &UserContent) -> u64 {
    match content {
        UserContent::Text(text) => units(text),
        UserContent::Blocks(blocks) => blocks_chars(blocks),
    }
}

fn blocks_chars(blocks: &[ContentBlock]) -> u64 {
    let chars = blocks.iter().map(|block| match block {
        ContentBlock::Text(text) => units(&text.text),
        ContentBlock::Image(_) => IMAGE_CHARS,
        _ => 0,
    });
    chars.sum()
}

fn assistant_chars(message: &AssistantMessage) -> u64 {
    let chars = message.content.iter().map(|block| match block {
        ContentBlock::Text(text) => units(&text.text),
        ContentBlock::Thinking(thinking) => units(&thinking.thinking),
        ContentBlock::ToolCall(call) => units(&call.name) + json_units(&call.arguments),
        _ => 0,
    });
    chars.sum()
}

fn json_units(value: &Value) -> u64 {
    units(&value.to_string())
}

/// Length in UTF-16 units.
pub(super) fn units(text: &str) -> u64 {
    let units = if text.is_ascii() { text.len() } else { text.encode_utf16().count() };
    units as u64
}
