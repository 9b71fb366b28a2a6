//! Stores what was said: writes messages to the session file and makes turns durable. When that happens, and who hears of
//! it, is decided in `event_pump.rs`.
//!
//! A write that fails does not stop the run: the entry stays in memory, the user is told, and the next write tries again.

use std::sync::{Arc, Mutex};

use pi_ai::{Message, StopReason};
use tokio::task::JoinHandle;

use super::{Inner, effects, lock};
use crate::session;

type Warn = Arc<dyn Fn(&str) + Send + Sync>;

/// What the recorder remembers between events.
pub(crate) struct Recorder {
    warn: Warn,
    /// What the user was told last of what goes wrong; it is told again when something has gone well meanwhile.
    told: Mutex<String>,
    /// The last answer of the run, until somebody looked at it.
    last_assistant: Mutex<Option<Arc<Message>>>,
    /// Why the last attempt to make a turn durable failed.
    failure: Mutex<Option<String>>,
    /// The same for a session that was left in this state.
    left_behind: Mutex<Option<String>>,
    /// The write-out of the last turn that is still going on.
    syncing: Mutex<Option<JoinHandle<Result<(), session::Error>>>>,
}

impl Recorder {
    pub(super) fn new(warn: Warn) -> Self {
        Self {
            warn,
            told: Mutex::default(),
            last_assistant: Mutex::default(),
            failure: Mutex::default(),
            left_behind: Mutex::default(),
            syncing: Mutex::default(),
        }
    }

    /// Tells the user in one sentence, but not the same one again and again.
    pub(super) fn warn_of_error(&self, error: &dyn std::error::Error) {
        let sentence = error.to_string();
        let mut told = lock(&self.told);
        if *told != sentence {
            self.warn(&sentence);
            *told = sentence;
        }
    }

    /// Tells the user a sentence.
    pub(super) fn warn(&self, sentence: &str) {
        (self.warn)(sentence);
    }

    /// Why the last attempt to make a turn durable failed.
    pub(super) fn failure(&self) -> Option<String> {
        lock(&self.failure).clone()
    }

    /// Why a conversation that was left could not be stored.
    pub(super) fn left_behind(&self) -> Option<String> {
        lock(&self.left_behind).clone()
    }

    /// The conversation is exchanged for another one; `failure` is why it could not be stored.
    pub(super) fn leave_behind(&self, failure: Option<String>) {
        if let Some(failure) = failure {
            *lock(&self.left_behind) = Some(failure);
        }
        *lock(&self.failure) = None;
    }

    /// The last answer of the run that just ended; the next call returns nothing.
    pub(super) fn take_last_assistant(&self) -> Option<Arc<Message>> {
        lock(&self.last_assistant).take()
    }
}

/// Writes a message to the file. Whoever is asked for it from now on may rely on it.
pub(super) fn record(session: &Inner, message: &Arc<Message>) {
    if matches!(&**message, Message::Other(other) if other.role() != "custom") {
        return;
    }
    let (appended, entry) = {
        let mut manager = session.store.manager();
        manager.needs_file();
        (manager.append().any_message(Arc::clone(message)), manager.leaf_id().map(ToOwned::to_owned))
    };
    match appended {
        Ok(_) => lock(&session.store.recorder().told).clear(),
        Err(error) => session.store.warn_of_error(&error),
    }
    heed_notices(session);
    if let Some(assistant) = message.as_assistant() {
        session.run.limits().count(assistant);
        session.store.effects().answered(entry);
        if assistant.stop_reason != StopReason::Error {
            session.run.compaction().answered();
        }
        *lock(&session.store.recorder().last_assistant) = Some(Arc::clone(message));
    }
}

/// Tells what became of the session's file while it was open, and has the notes about tool calls follow it.
pub(super) fn heed_notices(session: &Inner) {
    let (notices, file) = {
        let mut manager = session.store.manager();
        (manager.take_notices(), manager.session_file().map(ToOwned::to_owned))
    };
    if let Some(file) = file.filter(|_| !notices.is_empty())
        && let Err(error) = effects::follow(session, &file)
    {
        session.store.warn_of_error(&error);
    }
    notices.iter().for_each(|notice| session.store.warn(notice));
}

/// Starts to make the finished turn durable; the next turn goes on meanwhile.
pub(super) async fn sync(session: &Inner) {
    finish_sync(session).await;
    let job = session.store.manager().sync_job();
    heed_notices(session);
    if let Some(job) = job {
        *lock(&session.store.recorder().syncing) = Some(tokio::task::spawn_blocking(job));
    }
}

/// Waits until the last turn is on disk.
pub(super) async fn flush(session: &Inner) {
    sync(session).await;
    finish_sync(session).await;
}

/// Waits for the write-out of the last turn, if one goes on.
pub(super) async fn finish_sync(session: &Inner) {
    let syncing = lock(&session.store.recorder().syncing).take();
    let Some(syncing) = syncing else { return };
    let failed = syncing.await.ok().and_then(Result::err);
    failed.iter().for_each(|error| session.store.warn_of_error(error));
    *lock(&session.store.recorder().failure) = failed.map(reason);
}

/// The error without what is said while there is still hope.
fn reason(error: session::Error) -> String {
    match error {
        session::Error::Write { path, source } => format!("Cannot write to session file {}: {source}", path.display()),
        other => other.to_string(),
    }
}
