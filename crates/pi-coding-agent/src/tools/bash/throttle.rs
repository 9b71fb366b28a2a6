//! Progress reports at a bearable rate.

use std::time::Duration;

use tokio::time::Instant;

/// Shortest time between two reports.
const INTERVAL: Duration = Duration::from_millis(100);

/// Says when news may be reported: at once after a pause, else when the interval is over.
#[derive(Debug, Default)]
pub(super) struct Throttle {
    last: Option<Instant>,
    pending: bool,
}

impl Throttle {
    /// There is something to report.
    pub(super) fn note(&mut self) {
        self.pending = true;
    }

    /// Waits until something is to be reported and may be; for ever if there is nothing.
    pub(super) async fn due(&self) {
        match (self.pending, self.last) {
            (false, _) => std::future::pending().await,
            (true, None) => {}
            (true, Some(last)) => tokio::time::sleep_until(last + INTERVAL).await,
        }
    }

    /// A report is being made now.
    pub(super) fn reported(&mut self) {
        *self = Self { last: Some(Instant::now()), pending: false };
    }

    /// Whether something has not been reported.
    pub(super) fn is_pending(&self) -> bool {
        self.pending
    }
}
