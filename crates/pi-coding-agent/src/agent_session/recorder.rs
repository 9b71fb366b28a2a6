//! Follows the agent: passes its events on, writes messages to the session file, makes turns durable.
//!
//! Order per event: listeners first, then the file, then what follows from it (a retry that succeeded). A write that
//! fails does not stop the run: the entry stays in memory, the user is told, and the next write tries again.

use std::sync::{Arc, Mutex, Weak};

use futures::FutureExt;
use pi_agent_core::AgentEvent;
use pi_ai::{AssistantMessage, Message, StopReason};
use tokio::task::JoinHandle;

use super::extensions::tell_extensions;
use super::{Inner, SessionEvent, effects, lock};
use crate::error::Error;

type Warn = Arc<dyn Fn(&str) + Send + Sync>;

/// What the recorder remembers between events.
pub(crate) struct Recorder {
    warn: Warn,
    /// The last answer of the run, until somebody looked at it.
    last_assistant: Mutex<Option<Arc<Message>>>,
    /// The write-out of the last turn that is still going on.
    syncing: Mutex<Option<JoinHandle<Result<(), Error>>>>,
}

impl Recorder {
    pub(super) fn new(warn: Warn) -> Self {
        Self { warn, last_assistant: Mutex::default(), syncing: Mutex::default() }
    }

    /// Tells the user in one sentence.
    pub(super) fn warn(&self, error: &dyn std::error::Error) {
        self.tell(&error.to_string());
    }

    /// Tells the user a sentence.
    pub(super) fn tell(&self, sentence: &str) {
        (self.warn)(sentence);
    }

    /// The last answer of the run that just ended; the next call returns nothing.
    pub(super) fn take_last_assistant(&self) -> Option<Arc<Message>> {
        lock(&self.last_assistant).take()
    }
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
    inner.agent.subscribe(Arc::new(listener));
}

async fn follow(session: &Inner, event: AgentEvent) {
    before(session, &event).await;
    effects::note(session, &event);
    tell_extensions(session, &event).await;
    let after = after(&event);
    let passed_on = match event {
        AgentEvent::AgentEnd { messages } => {
            let will_retry = session.retry.announce(&session.settings, messages.last());
            SessionEvent::AgentEnd { messages, will_retry }
        }
        event => SessionEvent::Agent(event),
    };
    // Whoever sees the end may count on the file, and may send the next prompt at once: nothing is left to wait for.
    if matches!(passed_on, SessionEvent::AgentEnd { .. }) {
        flush_inner(session).await;
    }
    session.listeners.emit(passed_on).await;
    match after {
        After::Record(message) => record(session, message).await,
        After::Sync => sync(session).await,
        After::Nothing => {}
    }
}

/// What an event calls for once the listeners have seen it.
enum After {
    Record(Arc<Message>),
    Sync,
    Nothing,
}

fn after(event: &AgentEvent) -> After {
    match event {
        AgentEvent::MessageEnd { message } => After::Record(Arc::clone(message)),
        AgentEvent::TurnEnd { .. } => After::Sync,
        _ => After::Nothing,
    }
}

/// A user message that is being delivered leaves the list of queued texts before it is announced.
async fn before(session: &Inner, event: &AgentEvent) {
    let AgentEvent::MessageStart { message } = event else { return };
    let Message::User(user) = &**message else { return };
    session.compaction.new_user_message();
    if let Some(update) = session.prompting.delivered(&user.content.to_text()) {
        session.listeners.emit(update).await;
    }
}

async fn record(session: &Inner, message: Arc<Message>) {
    if matches!(&*message, Message::Other(other) if other.role() != "custom") {
        return;
    }
    let (appended, entry) = {
        let mut manager = lock(&session.manager);
        (manager.append_said(Arc::clone(&message)), manager.leaf_id().map(ToOwned::to_owned))
    };
    if let Err(error) = appended {
        session.recorder.warn(&error);
    }
    heed_notices(session);
    if let Some(assistant) = message.as_assistant() {
        session.limits.count(assistant);
        session.effects.answered(entry, assistant.tool_calls().count());
        settle(session, assistant).await;
        *lock(&session.recorder.last_assistant) = Some(message);
    }
}

/// An answer that is not an error ends a series of retries.
async fn settle(session: &Inner, assistant: &AssistantMessage) {
    if assistant.stop_reason == StopReason::Error {
        return;
    }
    session.compaction.answered();
    if let Some(attempt) = session.retry.end() {
        // An aborted answer ends the series, too, but it is no success.
        let final_error = assistant.error_message.clone();
        let event = SessionEvent::AutoRetryEnd { success: final_error.is_none(), attempt, final_error };
        session.listeners.emit(event).await;
    }
}

/// Tells what became of the session's file while it was open, and has the notes about tool calls follow it.
pub(super) fn heed_notices(session: &Inner) {
    let (notices, file) = {
        let mut manager = lock(&session.manager);
        (manager.take_notices(), manager.session_file().map(ToOwned::to_owned))
    };
    if let Some(file) = file.filter(|_| !notices.is_empty())
        && let Err(error) = effects::follow(session, &file)
    {
        session.recorder.warn(&error);
    }
    notices.iter().for_each(|notice| session.recorder.tell(notice));
}

/// Starts to make the finished turn durable; the next turn goes on meanwhile.
async fn sync(session: &Inner) {
    flush_inner(session).await;
    let job = lock(&session.manager).sync_job();
    heed_notices(session);
    if let Some(job) = job {
        *lock(&session.recorder.syncing) = Some(tokio::task::spawn_blocking(job));
    }
}

/// Waits until the last turn is on disk.
pub(super) async fn flush(session: &Inner) {
    sync(session).await;
    flush_inner(session).await;
}

async fn flush_inner(session: &Inner) {
    let syncing = lock(&session.recorder.syncing).take();
    if let Some(syncing) = syncing
        && let Ok(Err(error)) = syncing.await
    {
        session.recorder.warn(&error);
    }
}
