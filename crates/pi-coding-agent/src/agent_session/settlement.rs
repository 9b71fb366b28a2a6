//! The end of a session-level run: a prompt with all the runs that follow from it, by retries, automatic compaction and
//! queued messages. It is announced exactly once, after everything else about it.
//!
//! A run that is about to begin announces the end of the one before it, so that events of two never mix.

use std::sync::Mutex;

use tokio::sync::Notify;

use super::shell::Series;
use super::{AgentSession, Inner, SessionEvent, lock};
use crate::extension::events::AgentSettledEvent;

/// How far the announcement is.
#[derive(Default)]
pub(crate) struct Settlement {
    state: Mutex<State>,
    changed: Notify,
}

/// Each value says whether the last run was aborted. It moves from one field to the next.
#[derive(Default)]
struct State {
    /// Runs have begun since the last announcement.
    ran: Option<bool>,
    /// Nothing follows any more; nobody has been told.
    over: Option<bool>,
    /// Extensions have been told, or are being told.
    unannounced: Option<bool>,
}

impl Settlement {
    /// A run of the agent begins.
    pub(super) fn run_began(&self) {
        lock(&self.state).ran = Some(false);
        self.changed.notify_waiters();
    }

    /// A run of the agent is over; others may follow.
    pub(super) fn run_ended(&self, aborted: bool) {
        if let Some(ran) = &mut lock(&self.state).ran {
            *ran = aborted;
        }
    }

    /// The last prompt that was being worked on is done.
    pub(super) fn series_ended(&self) {
        let mut state = lock(&self.state);
        if let Some(aborted) = state.ran.take() {
            state.over = Some(aborted);
        }
        drop(state);
        self.changed.notify_waiters();
    }

    fn is_open(&self) -> bool {
        lock(&self.state).ran.is_some()
    }

    /// Whoever gets it tells the extensions.
    fn claim(&self) -> Option<bool> {
        let mut state = lock(&self.state);
        let aborted = state.over.take()?;
        state.unannounced = Some(aborted);
        Some(aborted)
    }

    /// Whoever gets it tells the listeners.
    fn claim_announcement(&self) -> Option<bool> {
        lock(&self.state).unannounced.take()
    }
}

impl Inner {
    /// Nothing follows from the prompt any more.
    pub(super) async fn end_series(&self, series: Series<'_>) {
        drop(series);
        self.announce_settled().await;
    }

    /// Announces what is over and has not been announced: extensions first, then the listeners.
    pub(super) async fn announce_settled(&self) {
        if let Some(aborted) = self.settlement.claim()
            && !self.extensions.is_none()
        {
            self.extensions.runner().notify(AgentSettledEvent { aborted }, None).await;
        }
        if let Some(aborted) = self.settlement.claim_announcement() {
            self.listeners.emit(SessionEvent::AgentSettled { aborted }).await;
            self.listeners.callbacks_caught_up().await;
        }
    }
}

impl AgentSession {
    /// Stops the run in progress as [`Self::abort`] does, and waits for the announcement of its end, unless something
    /// follows from it.
    pub(crate) async fn abort_and_settle(&self) {
        let session = &*self.0;
        let run = session.agent.run_number();
        session.retry.cancel();
        session.agent.abort();
        if let Some(run) = run {
            session.agent.wait_for_end_of(run).await;
        }
        // The run may have failed in the same instant, and a retry may have been announced.
        session.retry.cancel();
        session.retry.idle().await;
        self.settled().await;
    }

    /// Waits until the end of the run that is over has been announced, or something follows from it: another run, or a
    /// summary. The future of its prompt has to be polled meanwhile.
    pub(super) async fn settled(&self) {
        let session = &*self.0;
        loop {
            let changed = session.settlement.changed.notified();
            let follows =
                session.agent.is_running() || session.agent.has_queued_messages() || session.compaction.is_active();
            if follows || !session.settlement.is_open() {
                return session.announce_settled().await;
            }
            tokio::select! {
                () = changed => {}
                () = session.compaction.begun() => {}
            }
        }
    }
}
