//! How the tools notice that a run was aborted.

use std::future::Future;

use pi_agent_core::ToolError;
use tokio_util::sync::CancellationToken;

/// Fails when the run has been aborted: the test between two steps that must not be torn.
pub(crate) fn check(cancel: &CancellationToken) -> Result<(), ToolError> {
    if cancel.is_cancelled() { Err(ToolError::aborted()) } else { Ok(()) }
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
