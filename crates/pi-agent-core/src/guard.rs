//! Code that others wrote, run so that it can neither unwind through a run nor hold up an abort.

use std::time::Duration;

use pi_guard::{caught, caught_now};
use tokio_util::sync::CancellationToken;

use crate::error::RunFailure;

/// Runs something to its end; a panic, also one before its first await, becomes a failure.
///
/// The transcript outlives the panic: what it was working on is dropped, and everything else is behind locks that
/// recover from poisoning.
pub(crate) async fn shielded<T, F>(what: &str, start: impl FnOnce() -> F) -> Result<T, RunFailure>
where
    F: Future<Output = Result<T, RunFailure>>,
{
    caught(start).await.unwrap_or_else(|_| Err(RunFailure::panic(what)))
}

/// The same for what does not wait.
pub(crate) fn shielded_now<T>(what: &str, call: impl FnOnce() -> T) -> Result<T, RunFailure> {
    caught_now(call).map_err(|_| RunFailure::panic(what))
}

/// Waits for something, at most until the run is aborted: `None`. What is ready at once counts, also after an abort.
pub(crate) async fn unless_cancelled<T>(cancel: &CancellationToken, work: impl Future<Output = T>) -> Option<T> {
    tokio::select! {
        biased;
        outcome = work => Some(outcome),
        () = cancel.cancelled() => None,
    }
}

/// The same for work that ends by itself when the run is aborted: it has a grace for that.
pub(crate) async fn unless_overdue<T>(
    cancel: &CancellationToken,
    grace: Option<Duration>,
    work: impl Future<Output = T>,
) -> Option<T> {
    tokio::select! {
        biased;
        outcome = work => Some(outcome),
        () = overdue(cancel, grace) => None,
    }
}

/// Completes when the grace after an abort is over.
async fn overdue(cancel: &CancellationToken, grace: Option<Duration>) {
    cancel.cancelled().await;
    match grace {
        Some(grace) => tokio::time::sleep(grace).await,
        None => std::future::pending().await,
    }
}
