//! Figures of a session: messages, tokens, cost, how full the context is.

use pi_ai::{ContentBlock, Message, StopReason};
use serde::Serialize;

use super::{AgentSession, lock};
use crate::compaction::{EstimateError, estimate_context_tokens};

/// Counts over the messages of the current context.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionStats {
    /// The session's file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_file: Option<String>,
    /// The session id.
    pub session_id: String,
    /// User messages.
    pub user_messages: usize,
    /// Assistant messages.
    pub assistant_messages: usize,
    /// Tool calls in them.
    pub tool_calls: usize,
    /// Tool results.
    pub tool_results: usize,
    /// Messages of any role.
    pub total_messages: usize,
    /// Tokens of all answers.
    pub tokens: TokenTotals,
    /// Cost of all answers in US dollars.
    pub cost: f64,
    /// How full the context is; absent when the model's window is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context_usage: Option<ContextUsage>,
    /// How far our estimates of message sizes are from what the providers reported. Not part of the JSON form.
    #[serde(skip)]
    pub estimate_error: EstimateError,
}

/// Sums of token usage.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TokenTotals {
    /// Uncached prompt tokens.
    pub input: u64,
    /// Generated tokens.
    pub output: u64,
    /// Cache reads.
    pub cache_read: u64,
    /// Cache writes.
    pub cache_write: u64,
    /// Sum of the four.
    pub total: u64,
}

/// Size of the context against the model's window.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ContextUsage {
    /// Tokens in the context; `None` right after a compaction, until the model answers again.
    pub tokens: Option<u64>,
    /// The window in tokens.
    pub context_window: u64,
    /// Share in percent.
    pub percent: Option<f64>,
}

impl AgentSession {
    /// Counts the current context.
    pub fn stats(&self) -> SessionStats {
        let messages = self.messages();
        let mut stats = SessionStats {
            session_file: self.session_file().map(|path| path.display().to_string()),
            session_id: self.session_id(),
            user_messages: 0,
            assistant_messages: 0,
            tool_calls: 0,
            tool_results: 0,
            total_messages: messages.len(),
            tokens: TokenTotals::default(),
            cost: 0.0,
            context_usage: self.context_usage(),
            estimate_error: EstimateError::of(&messages),
        };
        messages.iter().for_each(|message| stats.add(message));
        let tokens = &mut stats.tokens;
        tokens.total = tokens.input + tokens.output + tokens.cache_read + tokens.cache_write;
        stats
    }

    /// How full the context is; `None` when the model's window is not known.
    pub fn context_usage(&self) -> Option<ContextUsage> {
        let context_window = self.model().context_window;
        if context_window == 0 {
            return None;
        }
        if self.is_size_unknown() {
            return Some(ContextUsage { tokens: None, context_window, percent: None });
        }
        let tokens = estimate_context_tokens(&self.messages()).tokens;
        let percent = tokens as f64 / context_window as f64 * 100.0;
        Some(ContextUsage { tokens: Some(tokens), context_window, percent: Some(percent) })
    }

    /// After a compaction the last reported usage is that of the old context.
    fn is_size_unknown(&self) -> bool {
        let compacted = self.messages().first().is_some_and(|message| message.role() == "compactionSummary");
        if !compacted {
            return false;
        }
        let manager = lock(&self.0.manager);
        let newest = manager.climb().map_while(Result::ok);
        let mut since = newest.take_while(|entry| entry.kind() != "compaction");
        let answer =
            since.find_map(|entry| entry.parse().into_message().filter(|found| found.as_assistant().is_some()));
        !answer.as_deref().and_then(Message::as_assistant).is_some_and(|message| {
            !message.stop_reason.is_failure() && (message.usage.total_tokens > 0 || message.usage.sum() > 0)
        })
    }

    /// Text of the newest answer, trimmed; an aborted answer without content does not count.
    pub fn last_assistant_text(&self) -> Option<String> {
        let messages = self.messages();
        let answers = messages.iter().rev().filter_map(|message| message.as_assistant());
        let mut answers = answers.filter(|m| !(m.stop_reason == StopReason::Aborted && m.content.is_empty()));
        let text = answers.next()?.text();
        let text = text.trim();
        (!text.is_empty()).then(|| text.to_owned())
    }
}

impl SessionStats {
    fn add(&mut self, message: &Message) {
        match message {
            Message::User(_) => self.user_messages += 1,
            Message::ToolResult(_) => self.tool_results += 1,
            Message::Assistant(assistant) => {
                self.assistant_messages += 1;
                let is_call = |block: &&ContentBlock| matches!(block, ContentBlock::ToolCall(_));
                self.tool_calls += assistant.content.iter().filter(is_call).count();
                self.tokens.input += assistant.usage.input;
                self.tokens.output += assistant.usage.output;
                self.tokens.cache_read += assistant.usage.cache_read;
                self.tokens.cache_write += assistant.usage.cache_write;
                self.cost += assistant.usage.cost.total;
            }
            Message::Other(_) => {}
        }
    }
}
