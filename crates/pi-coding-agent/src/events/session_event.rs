//! Events of a session: those of the agent, and what the session itself adds.

use std::sync::Arc;

use pi_agent_core::AgentEvent;
use pi_ai::{Message, ThinkingLevel};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::failure::ExtensionError;
use crate::config::settings::Limit;

/// One step of a session's life. Cloning is cheap.
#[doc(alias = "AgentSessionEvent")]
#[derive(Debug, Clone)]
pub enum SessionEvent {
    /// An event of the agent, `agent_end` excepted.
    Agent(AgentEvent),
    /// A run is over.
    AgentEnd {
        /// Messages that the run added.
        messages: Vec<Arc<Message>>,
        /// Whether the session will try again by itself.
        will_retry: bool,
    },
    /// A session-level run is over: nothing follows from it by itself any more. Exactly once per run, also after an
    /// aborted one; a command of an extension that begins no run causes none.
    AgentSettled {
        /// Whether the last answer was aborted.
        aborted: bool,
    },
    /// The queues changed.
    QueueUpdate {
        /// Texts that wait for the next turn.
        steering: Vec<String>,
        /// Texts that wait for the end of the run.
        follow_up: Vec<String>,
    },
    /// The history is about to be summarised.
    CompactionStart {
        /// Why.
        reason: CompactionReason,
    },
    /// The summary was made, or not.
    CompactionEnd {
        /// Why it was asked for.
        reason: CompactionReason,
        /// The outcome, when it was made.
        result: Option<CompactionOutcome>,
        /// Whether it was cancelled.
        aborted: bool,
        /// Whether the failed prompt is about to be repeated.
        will_retry: bool,
        /// What went wrong.
        error_message: Option<String>,
    },
    /// A failed call is about to be repeated after a pause.
    AutoRetryStart {
        /// From 1.
        attempt: u32,
        /// The limit.
        max_attempts: u32,
        /// The pause in milliseconds.
        delay_ms: u64,
        /// The failure.
        error_message: String,
    },
    /// Retrying is over.
    AutoRetryEnd {
        /// Whether a retry succeeded.
        success: bool,
        /// How many there were.
        attempt: u32,
        /// The last failure.
        final_error: Option<String>,
    },
    /// The call for a summary failed and is about to be repeated after a pause.
    SummarizationRetryScheduled {
        /// From 1.
        attempt: u32,
        /// The limit.
        max_attempts: u32,
        /// The pause in milliseconds.
        delay_ms: u64,
        /// The failure.
        error_message: String,
    },
    /// The pause is over: the call is made again.
    SummarizationRetryAttemptStart {
        /// What is summarised.
        source: SummarySource,
        /// Why, for a compaction.
        reason: Option<CompactionReason>,
    },
    /// Repeating that call is over, whatever came of it.
    SummarizationRetryFinished,
    /// The thinking level changed.
    ThinkingLevelChanged {
        /// The level in force.
        level: ThinkingLevel,
    },
    /// A limit is reached: the run ends.
    LimitReached {
        /// Which one.
        limit: Limit,
        /// The same in a sentence.
        message: String,
    },
    /// An extension failed.
    ExtensionError(ExtensionError),
    /// The session got another name.
    SessionInfoChanged {
        /// The name; `None` when it was cleared.
        name: Option<String>,
    },
    /// An extension has stored data. Clients of the wire are not told: only a screen shows such entries.
    EntryAppended {
        /// The entry as it stands in the file.
        entry: Arc<Value>,
    },
}

/// Why a session is compacted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CompactionReason {
    /// The user asked for it.
    Manual,
    /// The context is nearly full.
    Threshold,
    /// The model refused the context.
    Overflow,
}

/// What is summarised.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum SummarySource {
    /// History that no longer fits.
    Compaction,
    /// A branch that is left.
    BranchSummary,
}

/// What a compaction produced.
#[doc(alias = "CompactionResult")]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CompactionOutcome {
    /// The summary.
    pub summary: String,
    /// First entry that stays in the context as it is.
    pub first_kept_entry_id: String,
    /// Size of the context before, in tokens.
    pub tokens_before: u64,
    /// Estimated size after, in tokens.
    pub estimated_tokens_after: u64,
    /// File lists, in the form in which they are stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub details: Option<Value>,
}
