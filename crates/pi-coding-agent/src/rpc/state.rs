//! What `get_state` reports.

use std::sync::Arc;

use pi_agent_core::QueueMode;
use pi_ai::{Model, ThinkingLevel};
use serde::{Deserialize, Serialize};

use crate::agent_session::AgentSession;

/// The session in one object.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RpcState {
    /// The model; its identity is `unknown` when none is selected.
    pub model: Arc<Model>,
    /// The thinking level.
    pub thinking_level: ThinkingLevel,
    /// Whether a run is in progress.
    pub is_streaming: bool,
    /// Whether history is being summarised.
    pub is_compacting: bool,
    /// How much of the steering queue a turn takes.
    pub steering_mode: QueueMode,
    /// How much of the follow-up queue a stop takes.
    pub follow_up_mode: QueueMode,
    /// The file, also before it exists; absent for a session in memory. A name that is not Unicode is shown as well as
    /// JSON can.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_file: Option<String>,
    /// The session's id.
    pub session_id: String,
    /// The display name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_name: Option<String>,
    /// Whether compaction starts by itself.
    pub auto_compaction_enabled: bool,
    /// Messages in the context.
    pub message_count: usize,
    /// Messages that wait in the queues.
    pub pending_message_count: usize,
}

impl RpcState {
    pub(super) async fn of(session: &AgentSession) -> Self {
        // The name may have to be looked for in a big file. From there on nothing is waited for, so all of it is of one
        // moment.
        let session_name = session.name().read().await;
        Self {
            model: session.model(),
            thinking_level: session.thinking().level(),
            is_streaming: session.is_streaming(),
            is_compacting: session.compaction().is_running(),
            steering_mode: session.queue().steering_mode(),
            follow_up_mode: session.queue().follow_up_mode(),
            session_file: session.session_file().map(|path| path.to_string_lossy().into_owned()),
            session_id: session.session_id(),
            session_name,
            auto_compaction_enabled: session.settings().compaction().enabled,
            message_count: session.stats().message_count(),
            pending_message_count: session.queue().count(),
        }
    }
}
