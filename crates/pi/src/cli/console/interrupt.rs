//! How the user ends a command that is under way.

use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

/// Exit code of a command that the user has ended.
pub(in crate::cli) const INTERRUPTED: u8 = 130;

/// Fires at the first interrupt, or request to end, of this process.
pub(in crate::cli) fn on_interrupt() -> CancellationToken {
    let cancel = CancellationToken::new();
    let fired = cancel.clone();
    let signals = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()].map(signal);
    let [Ok(mut interrupt), Ok(mut terminate), Ok(mut hangup)] = signals else {
        // Without handlers, signals do what they always do.
        return cancel;
    };
    tokio::spawn(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
            _ = hangup.recv() => {}
        }
        fired.cancel();
    });
    cancel
}
