//! Follows the agent: passes its events on, writes messages to the session file, makes turns durable.
//!
//! Order per event: the file first, then the listeners, then what follows from it (a retry that succeeded). So nothing is
//! announced that a crash could still take back. A message that is whole from its beginning is announced when it is
//! stored: its `message_start` waits for that. A write that fails does not stop the run: the entry stays in memory, the
//! user is told, and the next write tries again.

use std::sync::{Arc, Mutex, Weak};

use futures::FutureExt;
use pi_agent_core::AgentEvent;
use pi_ai::{Message, StopReason};
use tokio::task::JoinHandle;

use super::extensions::tell_extensions;
use super::{AgentSession, Inner, SessionEvent, effects, lock};
use crate::error::Error;
use crate::session::Durability;

type Warn = Arc<dyn Fn(&str) + Send + Sync>;

/// What the recorder remembers between events.
pub(crate) struct Recorder {
    warn: Warn,
    /// What the user was told last of what goes wrong; it is told again when something has gone well meanwhile.
    told: Mutex<String>,
    /// The last answer of the run, until somebody looked at it.
    last_assistant: Mutex<Option<Arc<Message>>>,
    /// The announcement of a message that is not stored yet.
    announcement: Mutex<Vec<SessionEvent>>,
    /// Why the last attempt to make a turn durable failed.
    failure: Mutex<Option<String>>,
    /// The same for a session that was left in this state.
    left_behind: Mutex<Option<String>>,
    /// The write-out of the last turn that is still going on.
    syncing: Mutex<Option<JoinHandle<Result<(), Error>>>>,
}

impl Recorder {
    pub(super) fn new(warn: Warn) -> Self {
        Self {
            warn,
            told: Mutex::default(),
            last_assistant: Mutex::default(),
            announcement: Mutex::default(),
            failure: Mutex::default(),
            left_behind: Mutex::default(),
            syncing: Mutex::default(),
        }
    }

    /// Tells the user in one sentence, but not the same one again and again.
    pub(super) fn warn(&self, error: &dyn std::error::Error) {
        let sentence = error.to_string();
        let mut told = lock(&self.told);
        if *told != sentence {
            self.tell(&sentence);
            *told = sentence;
        }
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
    match &event {
        AgentEvent::MessageStart { message } if message.as_assistant().is_none() => {
            hold_announcement(session, message);
            return tell_extensions(session, &event).await;
        }
        // Nothing comes before this: whoever looks at the session from now on finds the message there.
        AgentEvent::MessageEnd { message } => record(session, message),
        // A run that was dropped may have left one.
        AgentEvent::AgentStart => lock(&session.recorder.announcement).clear(),
        event => effects::note(session, event),
    }
    tell_extensions(session, &event).await;
    let after = after(&event);
    if matches!(event, AgentEvent::AgentStart) {
        session.settlement.run_began();
    }
    let passed_on = match event {
        AgentEvent::AgentEnd { messages } => {
            let will_retry = session.retry.announce(&session.settings, messages.last());
            session.settlement.run_ended(is_aborted(messages.last()));
            SessionEvent::AgentEnd { messages, will_retry }
        }
        event => SessionEvent::Agent(event),
    };
    // Whoever sees the end may count on the file, and may send the next prompt at once: nothing is left to wait for.
    if matches!(passed_on, SessionEvent::AgentEnd { .. }) {
        flush_inner(session).await;
    }
    if matches!(after, After::Settle(_)) {
        let announcement = std::mem::take(&mut *lock(&session.recorder.announcement));
        for event in announcement {
            session.listeners.emit(event).await;
        }
    }
    session.listeners.emit(passed_on).await;
    match after {
        After::Settle(message) => settle(session, &message).await,
        After::Sync => sync(session).await,
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
    if let Message::User(user) = &**message {
        session.compaction.new_user_message();
        update = session.prompting.delivered(&user.content.to_text());
    }
    let start = SessionEvent::Agent(AgentEvent::MessageStart { message: Arc::clone(message) });
    *lock(&session.recorder.announcement) = update.into_iter().chain([start]).collect();
}

/// Writes a message to the file. Whoever is asked for it from now on may rely on it.
fn record(session: &Inner, message: &Arc<Message>) {
    if matches!(&**message, Message::Other(other) if other.role() != "custom") {
        return;
    }
    let (appended, entry) = {
        let mut manager = lock(&session.manager);
        manager.needs_file();
        (manager.append().said(Arc::clone(message)), manager.leaf_id().map(ToOwned::to_owned))
    };
    match appended {
        Ok(_) => lock(&session.recorder.told).clear(),
        Err(error) => session.recorder.warn(&error),
    }
    heed_notices(session);
    if let Some(assistant) = message.as_assistant() {
        session.limits.count(assistant);
        session.effects.answered(entry);
        if assistant.stop_reason != StopReason::Error {
            session.compaction.answered();
        }
        *lock(&session.recorder.last_assistant) = Some(Arc::clone(message));
    }
}

/// An answer that is not an error ends a series of retries.
async fn settle(session: &Inner, message: &Message) {
    let Some(assistant) = message.as_assistant().filter(|answer| answer.stop_reason != StopReason::Error) else {
        return;
    };
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
    let Some(syncing) = syncing else { return };
    let failed = syncing.await.ok().and_then(Result::err);
    failed.iter().for_each(|error| session.recorder.warn(error));
    *lock(&session.recorder.failure) = failed.map(reason);
}

/// The error without what is said while there is still hope.
fn reason(error: Error) -> String {
    match error {
        Error::SessionWrite { path, source } => format!("Cannot write to session file {}: {source}", path.display()),
        other => other.to_string(),
    }
}

impl Inner {
    /// Why something of the conversation is not in its file, as far as the last attempt told.
    fn storing_failure(&self) -> Option<String> {
        let failure = lock(&self.recorder.failure).clone();
        let manager = lock(&self.manager);
        // Where the disk is not waited for, nobody hears of a later success.
        failure.filter(|_| !manager.storage().is_written() || manager.storage().durability() != Durability::None)
    }

    /// The conversation is about to be exchanged for another one.
    pub(super) fn leave_behind(&self) {
        if let Some(failure) = self.storing_failure() {
            *lock(&self.recorder.left_behind) = Some(failure);
        }
        *lock(&self.recorder.failure) = None;
    }
}

impl AgentSession {
    /// Why something that was said could not be stored; to be asked when the session is closed.
    pub fn unstored(&self) -> Option<String> {
        self.0.storing_failure().or_else(|| lock(&self.0.recorder.left_behind).clone())
    }
}
