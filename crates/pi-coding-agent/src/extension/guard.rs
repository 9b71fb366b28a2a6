//! Code of extensions, run so that it can neither unwind through the session nor hold it up for ever.

use std::time::Duration;

use futures::future::BoxFuture;
use tokio_util::sync::CancellationToken;

use super::runtime::ExtensionRuntime;
use crate::events::HandlerError;

/// What a handler still gets after the run that it belongs to was aborted.
const ABORT_GRACE: Duration = Duration::from_secs(5);

/// Runs a handler to its end, at most to its deadline. A panic becomes a failure, also one before the first await.
pub(super) async fn guarded<T>(
    runtime: &ExtensionRuntime,
    cancel: Option<&CancellationToken>,
    start: impl FnOnce() -> BoxFuture<'static, Result<T, HandlerError>>,
) -> Result<T, HandlerError> {
    tokio::select! {
        biased;
        outcome = caught(start) => outcome,
        limit = overdue(runtime) => Err(HandlerError::new(format!("No answer within {} s; it was stopped", limit.as_secs_f64()))),
        () = aborted(cancel) => Err(HandlerError::new(format!(
            "It went on for {} s after the run was aborted; it was stopped",
            ABORT_GRACE.as_secs()
        ))),
    }
}

/// Runs what has no deadline. A panic becomes a failure, also one before the first await.
pub async fn caught<T, F>(start: impl FnOnce() -> F) -> Result<T, HandlerError>
where
    F: Future<Output = Result<T, HandlerError>>,
{
    pi_guard::caught(start).await.unwrap_or_else(|panic| Err(HandlerError::new(panic_text(&panic))))
}

/// Returns the limit when it has passed. Time in which a dialog waits for the user does not count.
async fn overdue(runtime: &ExtensionRuntime) -> Duration {
    let Some(limit) = runtime.handler_timeout() else { return std::future::pending().await };
    let mut dialogs = runtime.dialogs();
    loop {
        // The sender lives in the runtime, so the channel cannot close.
        let _ = dialogs.wait_for(|open| *open == 0).await;
        tokio::select! {
            () = tokio::time::sleep(limit) => return limit,
            _ = dialogs.wait_for(|open| *open > 0) => {}
        }
    }
}

async fn aborted(cancel: Option<&CancellationToken>) {
    let Some(cancel) = cancel else { return std::future::pending().await };
    cancel.cancelled().await;
    tokio::time::sleep(ABORT_GRACE).await;
}

fn panic_text(panic: &pi_guard::Panic) -> String {
    panic.text().map_or_else(|| "It panicked".to_owned(), |text| format!("It panicked: {text}"))
}
