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

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn reports_come_at_once_and_then_at_intervals() {
        let (start, mut throttle, mut reported) = (Instant::now(), Throttle::default(), Vec::new());
        let mut news = tokio::time::interval(Duration::from_millis(30));
        while reported.len() < 4 {
            tokio::select! {
                biased;
                () = throttle.due() => {
                    throttle.reported();
                    reported.push(start.elapsed().as_millis());
                }
                _ = news.tick() => throttle.note(),
            }
        }
        assert_eq!(reported, [0, 100, 200, 300]);
        assert!(!throttle.is_pending());
        // After a pause the next news need not wait.
        tokio::time::sleep(INTERVAL * 2).await;
        throttle.note();
        let before = Instant::now();
        throttle.due().await;
        assert_eq!(before.elapsed(), Duration::ZERO);
    }
}
