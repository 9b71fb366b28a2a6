//! How the tools notice that a run was aborted, and how they keep long work off the runtime's threads.

use std::future::Future;

use pi_agent_core::ToolError;
use tokio_util::sync::CancellationToken;

use super::operations::OperationError;

/// Fails when the run has been aborted: the test between two steps that must not be torn.
pub(crate) fn check(cancel: &CancellationToken) -> Result<(), ToolError> {
    if cancel.is_cancelled() { Err(ToolError::aborted()) } else { Ok(()) }
}

/// Runs work that blocks or computes for long on the pool made for it.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, OperationError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|e| OperationError::new(format!("The work did not finish: {e}")))
}

/// Waits for `work` or for the abort, whichever comes first. Work that was overtaken is dropped.
pub(crate) async fn or_aborted<T, E>(
    cancel: &CancellationToken,
    work: impl Future<Output = Result<T, E>>,
) -> Result<T, ToolError>
where
    ToolError: From<E>,
{
    tokio::select! {
        biased;
        () = cancel.cancelled() => Err(ToolError::aborted()),
        result = work => result.map_err(ToolError::from),
    }
}
