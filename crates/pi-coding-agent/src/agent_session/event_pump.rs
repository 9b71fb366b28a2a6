//! Passes the events of the agent on: store, then tell.
//!
//! Order per event: the file first (`recorder.rs`), then extensions and listeners, then what follows from it (a retry that
//! succeeded). So nothing is announced that a crash could still take back. A message that is whole from its beginning is
//! announced when it is stored: its `message_start` waits for that.

use std::sync::{Arc, Mutex, Weak};

use futures::FutureExt;
use pi_agent_core::AgentEvent;
use pi_ai::{Message, StopReason};

use super::extensions::emit_to_extensions;
use super::{Inner, SessionEvent, effects, lock, recorder, retry};

/// What waits to be told.
#[derive(Default)]
pub(crate) struct Pump {
    /// The announcement of a message that is not stored yet.
    announcement: Mutex<Vec<SessionEvent>>,
}

/// Subscribes to the agent. The agent must not keep the session alive.
pub(super) fn connect(inner: &Arc<Inner>) {
    let session = Arc::downgrade(inner);
    let listener = move |event: AgentEvent, _| {
        let session = Weak::upgrade(&session);
        async move {
            if let Some(session) = session {
                follow(&session, event).await;
            }
            Ok(())
        }
        .boxed()
    };
    inner.run.agent().subscribe(Arc::new(listener));
}

async fn follow(session: &Inner, event: AgentEvent) {
    match &event {
        AgentEvent::MessageStart { message } if message.as_assistant().is_none() => {
            hold_announcement(session, message);
            return emit_to_extensions(session, &event).await;
        }
        // Nothing comes before this: whoever looks at the session from now on finds the message there.
        AgentEvent::MessageEnd { message } => recorder::record(session, message),
        // A run that was dropped may have left one.
        AgentEvent::AgentStart => {
            session.run.activity().run_has_begun();
            lock(&session.run.pump().announcement).clear();
        }
        event => effects::note(session, event),
    }
    emit_to_extensions(session, &event).await;
    let after = after(&event);
    if matches!(event, AgentEvent::AgentStart) {
        session.run.activity().settling().note_run();
    }
    let passed_on = match event {
        AgentEvent::AgentEnd { messages } => {
            let will_retry = retry::announce(session, messages.last());
            session.run.activity().settling().note_end_of_run(is_aborted(messages.last()));
            SessionEvent::AgentEnd { messages, will_retry }
        }
        event => SessionEvent::Agent(event),
    };
    // Whoever sees the end may count on the file, and may send the next prompt at once: nothing is left to wait for.
    if matches!(passed_on, SessionEvent::AgentEnd { .. }) {
        recorder::finish_sync(session).await;
    }
    if matches!(after, After::Settle(_)) {
        let announcement = std::mem::take(&mut *lock(&session.run.pump().announcement));
        for event in announcement {
            session.listeners.emit(event).await;
        }
    }
    session.listeners.emit(passed_on).await;
    match after {
        After::Settle(message) => settle(session, &message).await,
        After::Sync => recorder::sync(session).await,
        After::Nothing => {}
    }
}

fn is_aborted(last: Option<&Arc<Message>>) -> bool {
    last.and_then(|message| message.as_assistant()).is_some_and(|answer| answer.stop_reason == StopReason::Aborted)
}

/// What an event calls for once the listeners have seen it.
enum After {
    Settle(Arc<Message>),
    Sync,
    Nothing,
}

fn after(event: &AgentEvent) -> After {
    match event {
        AgentEvent::MessageEnd { message } => After::Settle(Arc::clone(message)),
        AgentEvent::TurnEnd { .. } => After::Sync,
        _ => After::Nothing,
    }
}

/// Keeps the events that announce a message until the message is stored. A user message that is being delivered leaves the
/// list of queued texts before it is announced.
fn hold_announcement(session: &Inner, message: &Arc<Message>) {
    let mut update = None;
    if matches!(**message, Message::User(_)) {
        session.run.compaction().new_user_message();
        update = session.run.queue().delivered();
    }
    let start = SessionEvent::Agent(AgentEvent::MessageStart { message: Arc::clone(message) });
    *lock(&session.run.pump().announcement) = update.into_iter().chain([start]).collect();
}

/// An answer that is not an error ends a series of retries.
async fn settle(session: &Inner, message: &Message) {
    let Some(assistant) = message.as_assistant().filter(|answer| answer.stop_reason != StopReason::Error) else {
        return;
    };
    if let Some(attempt) = session.run.retry().end() {
        // An aborted answer ends the series, too, but it is no success.
        let final_error = assistant.error_message.clone();
        let event = SessionEvent::AutoRetryEnd { success: final_error.is_none(), attempt, final_error };
        session.listeners.emit(event).await;
    }
}
