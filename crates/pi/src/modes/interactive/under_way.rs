//! What a session does while its conversation is drawn: the answer that is coming, calls that run, events that wait.

use std::sync::Arc;

use pi_agent_core::{AgentEvent, AgentState, StreamingMessage};
use pi_ai::{Message, Partial};
use pi_coding_agent::agent_session::SessionEvent;

use super::app::App;
use super::footer_data;

/// The session at a moment, and the events that told of it and were not shown yet.
pub(super) struct Moment {
    state: AgentState,
    told: Vec<SessionEvent>,
}

impl Moment {
    /// The moment that is now, and the messages that there are. The session knows of everything that an event has told.
    pub(super) fn take(app: &App) -> (Self, Vec<Arc<Message>>) {
        let told = app.mailbox.take().into();
        let mut state = app.session.state();
        let messages = std::mem::take(&mut state.messages);
        (Self { state, told }, messages)
    }

    /// Shows what goes on, once the messages are drawn.
    pub(super) fn go_on(self, app: &mut App, messages: &[Arc<Message>]) {
        if self.state.is_streaming {
            app.transcript.resume(messages, &self.state.partial_results, self.answer());
        } else {
            app.transcript.leave_calls_open();
        }
        let left = self.told.into_iter().filter(|event| !is_shown(app, event)).collect();
        app.mailbox.return_all(left);
    }

    fn answer(&self) -> Option<&Partial> {
        match &self.state.streaming_message {
            Some(StreamingMessage::Partial(partial)) => Some(partial),
            _ => None,
        }
    }
}

/// Whether nothing is left to show of an event: messages, entries and results so far are drawn already.
fn is_shown(app: &mut App, event: &SessionEvent) -> bool {
    match event {
        SessionEvent::Agent(AgentEvent::MessageEnd { message }) => {
            footer_data::message(app, message);
            true
        }
        SessionEvent::Agent(
            AgentEvent::ToolExecutionStart { tool_call_id, .. } | AgentEvent::ToolExecutionEnd { tool_call_id, .. },
        ) => !app.transcript.has_open_call(tool_call_id),
        SessionEvent::EntryAppended { .. }
        | SessionEvent::Agent(
            AgentEvent::MessageStart { .. } | AgentEvent::MessageUpdate { .. } | AgentEvent::ToolExecutionUpdate { .. },
        ) => true,
        _ => false,
    }
}
