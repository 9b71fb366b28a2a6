//! How a search that runs on other threads learns that nobody waits for it any more.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio_util::sync::CancellationToken;

use crate::tools::background::blocking;
use crate::tools::operations::OperationError;

/// Tells a search to end. Cheap enough to be asked for every file and every read.
#[derive(Debug, Clone, Default)]
pub(super) struct Stop(Arc<AtomicBool>);

impl Stop {
    pub(super) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    pub(super) fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Sets the flag when it is dropped.
struct StopOnDrop(Stop);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.set();
    }
}

/// Runs a search on the blocking pool, until it is done, cancelled, or the future is dropped; nothing goes on behind
/// that but the system call under way.
pub(super) async fn stoppable<T: Send + 'static>(
    cancel: CancellationToken,
    work: impl FnOnce(&Stop) -> Result<T, OperationError> + Send + 'static,
) -> Result<T, OperationError> {
    let stop = Stop::default();
    let _guard = StopOnDrop(stop.clone());
    tokio::select! {
        biased;
        () = cancel.cancelled() => Err(OperationError::aborted()),
        done = blocking(move || work(&stop)) => done?,
    }
}
