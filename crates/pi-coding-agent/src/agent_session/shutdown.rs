//! Stops a session: before another conversation takes its place, and for good.

use super::extensions::quit_extensions;
use super::settlement::settled;
use super::shell::store_held;
use super::{Inner, recorder};
use futures::future::BoxFuture;

/// Drops queued messages, stops running work and stores its results.
pub(super) async fn stop_for_good(session: &Inner) {
    // Its event is not emitted: another conversation follows.
    session.run.queue().take_all();
    stop(session).await;
}

/// Stops running work and waits until its results are on disk.
pub(super) fn stop(session: &Inner) -> BoxFuture<'_, ()> {
    Box::pin(async move {
        session.run.activity().cancel_summary(None);
        session.run.activity().commands().cancel_all();
        session.run.abort().await;
        settled(session).await;
        session.run.activity().summary_is_over().await;
        session.run.activity().commands().are_over().await;
        store_held(session);
        recorder::flush(session).await;
    })
}

/// Stops everything for good; then the conversation is on disk.
pub(super) async fn dispose(session: &Inner) {
    session.run.activity().close();
    session.listeners.retire();
    stop(session).await;
    quit_extensions(session).await;
    session.listeners.clear();
    recorder::flush(session).await;
    session.surroundings.apis.cleanup_session_resources(Some(&session.store.session_id()));
}
