//! Figures of a session: messages, tokens, cost, how full the context is.

use std::sync::Arc;

use pi_ai::{Message, StopReason};

use super::{AgentSession, Inner, LimitsHandle, StoreHandle};
use crate::compaction::{EstimateError, estimate_context_tokens};
use crate::events::{ContextUsage, Error, SessionStats};
use crate::session::MessageTotals;

/// Figures of a session: [`AgentSession::stats`](super::AgentSession::stats).
#[derive(Debug, Clone, Copy)]
pub struct StatsHandle<'a>(pub(super) &'a Arc<Inner>);

impl StatsHandle<'_> {
    /// Counts the current context.
    #[doc(alias = "getSessionStats")]
    pub fn current(self) -> SessionStats {
        let messages = self.0.run.messages();
        let mut totals = MessageTotals::default();
        messages.iter().for_each(|message| totals.add(message));
        SessionStats {
            session_file: self.0.store.session_file().map(|path| path.display().to_string()),
            session_id: self.0.store.session_id(),
            totals,
            context_usage: self.usage_of(&messages),
            limits: LimitsHandle(self.0).status(),
            estimate_error: EstimateError::of(&messages),
        }
    }

    /// Number of messages in the current context.
    pub fn message_count(self) -> usize {
        self.0.run.agent().with_state(|state| state.messages.len())
    }

    /// What all messages of the session's file add up to, those of other branches and summarised ones included.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub async fn file_totals(self) -> Result<MessageTotals, Error> {
        StoreHandle(self.0).read_copy(|manager| Ok(manager.entries().totals()?)).await
    }

    /// How full the context is; `None` when the model's window is not known.
    pub fn context_usage(self) -> Option<ContextUsage> {
        self.usage_of(&self.0.run.messages())
    }

    fn usage_of(self, context: &[Arc<Message>]) -> Option<ContextUsage> {
        let context_window = self.0.run.model().context_window;
        if context_window == 0 {
            return None;
        }
        if self.is_size_unknown(context) {
            return Some(ContextUsage { tokens: None, context_window, percent: None });
        }
        let tokens = estimate_context_tokens(context).tokens;
        let percent = tokens as f64 / context_window as f64 * 100.0;
        Some(ContextUsage { tokens: Some(tokens), context_window, percent: Some(percent) })
    }

    /// After a compaction the last reported usage is that of the old context.
    fn is_size_unknown(self, context: &[Arc<Message>]) -> bool {
        let compacted = context.first().is_some_and(|message| message.role() == "compactionSummary");
        if !compacted {
            return false;
        }
        let manager = self.0.store.manager();
        let newest = manager.entries().climb().map_while(Result::ok);
        let mut since = newest.take_while(|entry| entry.kind() != "compaction");
        let answer =
            since.find_map(|entry| entry.parse().into_message().filter(|found| found.as_assistant().is_some()));
        !answer.as_deref().and_then(Message::as_assistant).is_some_and(|message| {
            !message.stop_reason.is_failure() && (message.usage.total_tokens > 0 || message.usage.sum() > 0)
        })
    }
}

impl AgentSession {
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
