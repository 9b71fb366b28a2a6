//! How large a context is, and whether that is too large.
//!
//! Providers report exact sizes with each answer; what came after the last answer is estimated. The estimate counts
//! UTF-16 units, four to a token, so that sessions shared with the reference are judged alike.

use std::sync::Arc;

use pi_ai::{AssistantMessage, ContentBlock, Message, Usage, UserContent};
use serde_json::Value;

pub use crate::config::settings::CompactionSettings;
use crate::session::messages::AppMessage;

/// What an image counts for, in characters.
const IMAGE_CHARS: u64 = 4800;
/// Characters that make a token.
const CHARS_PER_TOKEN: u64 = 4;

/// Whether a context is too large for its window. A window of unknown size (0) is never too small.
pub fn should_compact(context_tokens: u64, context_window: u64, settings: &CompactionSettings) -> bool {
    let settings = settings.fitted_to(context_window);
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

/// Estimates the size of a context from its last report and what came after it. A report of only zeros counts: clients
/// are told what the provider said.
pub fn estimate_context_tokens(messages: &[Arc<Message>]) -> ContextEstimate {
    estimate_after(messages, reported_tokens)
}

/// The same, but a report of only zeros counts as none: what decides on compaction must not believe that nothing was
/// used.
pub fn estimate_used_tokens(messages: &[Arc<Message>]) -> ContextEstimate {
    estimate_after(messages, reported)
}

fn estimate_after(messages: &[Arc<Message>], report: fn(&Message) -> Option<u64>) -> ContextEstimate {
    let last_usage_index = messages.iter().rposition(|message| report(message).is_some());
    let usage_tokens = last_usage_index.and_then(|index| report(&messages[index])).unwrap_or(0);
    let trailing_tokens = estimate_total_tokens(&messages[last_usage_index.map_or(0, |index| index + 1)..]);
    ContextEstimate { tokens: usage_tokens + trailing_tokens, usage_tokens, trailing_tokens, last_usage_index }
}

/// The size of the context that came with an answer. Failed answers say nothing of it.
fn reported_tokens(message: &Message) -> Option<u64> {
    let answer = message.as_assistant().filter(|answer| !answer.stop_reason.is_failure())?;
    Some(context_tokens(&answer.usage))
}

/// The same; a provider that reports only zeros says nothing, either.
fn reported(message: &Message) -> Option<u64> {
    reported_tokens(message).filter(|tokens| *tokens > 0)
}

/// How far estimates are from what providers report, over the answers of a conversation: by how much the context grew
/// from one report to the next. System prompt and tools do not come into it, they are in every report.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct EstimateError {
    /// Answers whose report could be compared.
    pub answers: usize,
    /// Growth as reported, in tokens.
    pub reported: u64,
    /// The same growth as estimated.
    pub estimated: u64,
}

impl EstimateError {
    /// Compares the reports in a conversation with estimates. A report that is smaller than the one before (history was
    /// summarised in between) is left out.
    pub fn of(messages: &[Arc<Message>]) -> Self {
        let mut error = Self::default();
        let mut last = None;
        for (index, message) in messages.iter().enumerate() {
            let Some(now) = reported(message) else { continue };
            if let Some((at, before)) = last.replace((index, now))
                && now >= before
            {
                error.answers += 1;
                error.reported += now - before;
                error.estimated += estimate_total_tokens(&messages[at + 1..=index]);
            }
        }
        error
    }

    /// Estimate over report minus one, in percent: positive when estimates are too high. `None` when nothing can be
    /// compared.
    pub fn percent(&self) -> Option<f64> {
        (self.reported > 0).then(|| (self.estimated as f64 / self.reported as f64 - 1.0) * 100.0)
    }
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

/// The estimated size of a text.
pub fn estimate_text_tokens(text: &str) -> u64 {
    units(text).div_ceil(CHARS_PER_TOKEN)
}

/// Length in UTF-16 units.
pub(super) fn units(text: &str) -> u64 {
    let units = if text.is_ascii() { text.len() } else { text.encode_utf16().count() };
    units as u64
}
