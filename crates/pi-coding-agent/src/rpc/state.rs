//! What `get_state` reports.

use std::sync::Arc;

use pi_agent_core::QueueMode;
use pi_ai::{Model, ThinkingLevel};
use serde::Serialize;

use crate::agent_session::AgentSession;

/// The session in one object.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct State {
    model: Arc<Model>,
    thinking_level: ThinkingLevel,
    is_streaming: bool,
    is_compacting: bool,
    steering_mode: QueueMode,
    follow_up_mode: QueueMode,
    #[serde(skip_serializing_if = "Option::is_none")]
    session_file: Option<String>,
    session_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    session_name: Option<String>,
    auto_compaction_enabled: bool,
    message_count: usize,
    pending_message_count: usize,
}

impl State {
    pub(crate) fn of(session: &AgentSession) -> Self {
        let settings = session.settings();
        Self {
            model: session.model(),
            thinking_level: session.thinking_level(),
            is_streaming: session.is_streaming(),
            is_compacting: session.is_compacting(),
            steering_mode: session.steering_mode(),
            follow_up_mode: session.follow_up_mode(),
            // A name that is not Unicode is shown as well as JSON can.
            session_file: session.session_file().map(|path| path.to_string_lossy().into_owned()),
            session_id: session.session_id(),
            session_name: session.session_name(),
            auto_compaction_enabled: settings.compaction().enabled,
            message_count: session.message_count(),
            pending_message_count: session.pending_message_count(),
        }
    }
}
