//! Stops a session: before another conversation takes its place, and for good.

use super::extensions::quit_extensions;
use super::settlement::settled;
use super::shell::store_held;
use super::{Inner, recorder};

/// Drops what waits, stops what is going on and stores what came of it.
pub(super) async fn stop_for_good(session: &Inner) {
    // Nobody is told: what follows is another conversation.
    session.run.queue().take_all();
    stop(session).await;
}

/// Stops what is going on and waits until what came of it is on disk.
pub(super) async fn stop(session: &Inner) {
    session.run.activity().cancel_summary(None);
    session.run.activity().commands().cancel_all();
    session.run.abort().await;
    settled(session).await;
    session.run.activity().summary_is_over().await;
    session.run.activity().commands().are_over().await;
    store_held(session);
    recorder::flush(session).await;
}

/// Stops everything for good; what was said is on disk then.
pub(super) async fn dispose(session: &Inner) {
    session.run.activity().close();
    session.listeners.retire();
    stop(session).await;
    quit_extensions(session).await;
    session.listeners.clear();
    recorder::flush(session).await;
    session.surroundings.apis.cleanup_session_resources(Some(&session.store.session_id()));
}
