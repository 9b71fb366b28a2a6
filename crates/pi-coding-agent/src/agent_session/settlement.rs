//! The end of a session-level run: a prompt with all the runs that follow from it, by retries, automatic compaction and
//! queued messages. It is announced exactly once, after everything else about it.
//!
//! A run that is about to begin announces the end of the one before it, so that events of two never mix.

use super::shell::Series;
use super::{AgentSession, Inner, SessionEvent};
use crate::extension::events::AgentSettledEvent;
use futures::future::BoxFuture;

/// Nothing follows from the prompt any more.
pub(super) async fn end_series(session: &Inner, series: Series<'_>) {
    drop(series);
    announce_settled(session).await;
}

/// Announces what is over and has not been announced: extensions first, then the listeners.
pub(super) fn announce_settled(session: &Inner) -> BoxFuture<'_, ()> {
    Box::pin(async move {
        if let Some(aborted) = session.run.activity().settling().take_end()
            && !session.extensions.is_none()
        {
            session.extensions.runner().notify(AgentSettledEvent { aborted }, None).await;
        }
        if let Some(aborted) = session.run.activity().settling().take_announcement() {
            session.listeners.emit(SessionEvent::AgentSettled { aborted }).await;
            session.listeners.callbacks_caught_up().await;
        }
    })
}

/// Stops the run in progress as [`AgentSession::abort`] does, and waits for the announcement of its end, unless something
/// follows from it.
pub(crate) async fn abort_and_settle(session: &AgentSession) {
    let session = &*session.0;
    let run = session.run.agent().run_number();
    session.run.request_abort();
    if let Some(run) = run {
        session.run.agent().wait_for_end_of(run).await;
    }
    // The run may have failed in the same instant, and a retry may have been announced.
    session.run.activity().cancel_retry();
    session.run.activity().pause_is_over().await;
    settled(session).await;
}

/// Waits until the end of the run that is over has been announced, or something follows from it: another run, or a
/// summary. The future of its prompt has to be polled meanwhile.
pub(super) async fn settled(session: &Inner) {
    session.run.activity().settling().prompts_are_over().await;
    announce_settled(session).await;
}
