//! Stops a session: before another conversation takes its place, and for good.

use super::settlement::settled;
use super::{Inner, recorder};

/// Stops whatever is going on and waits until it is over. Queued messages are kept.
pub(super) async fn abort(session: &Inner) {
    session.activity.request_abort();
    session.activity.run_is_over().await;
    // The run may have failed in the same instant, and a retry may have been announced.
    session.activity.cancel_retry();
    session.activity.pause_is_over().await;
}

/// Drops what waits, stops what is going on and stores what came of it.
pub(super) async fn stop_for_good(session: &Inner) {
    // Nobody is told: what follows is another conversation.
    session.queue.take_all();
    stop(session).await;
}

/// Stops what is going on and waits until what came of it is on disk.
pub(super) async fn stop(session: &Inner) {
    session.activity.cancel_summary(None);
    session.activity.commands().cancel_all();
    abort(session).await;
    settled(session).await;
    session.activity.summary_is_over().await;
    session.activity.commands().are_over().await;
    session.store_held();
    recorder::flush(session).await;
}
