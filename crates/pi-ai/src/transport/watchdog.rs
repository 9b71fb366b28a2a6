//! Ends streams that stay open without saying anything.
//!
//! What counts as saying something is decided by whoever calls [`Watchdog::reset`]: a decoder's meaningful progress
//! does, keep-alive pings do not. The time is tokio's, which tests can pause. Without a limit no clock is read: there are
//! platforms that have none.

use std::time::Duration;

use tokio::time::Instant;

use crate::error::{Error, NetworkError};

/// A deadline that moves with every sign of progress.
#[derive(Debug)]
pub struct Watchdog(Option<Limited>);

#[derive(Debug)]
struct Limited {
    limit: Duration,
    last_progress: Instant,
}

impl Watchdog {
    /// Starts counting; `None` never expires.
    pub fn new(limit: Option<Duration>) -> Self {
        Self(limit.map(|limit| Limited { limit, last_progress: Instant::now() }))
    }

    /// There was progress: starts over.
    pub fn reset(&mut self) {
        if let Some(limited) = &mut self.0 {
            limited.last_progress = Instant::now();
        }
    }

    /// Waits until there was no progress for too long: [`NetworkError::Stalled`].
    pub async fn expired(&self) -> Error {
        let limited = self.0.as_ref();
        match limited.and_then(|l| Some((l.limit, l.last_progress.checked_add(l.limit)?))) {
            Some((after, deadline)) => {
                tokio::time::sleep_until(deadline).await;
                Error::Network(NetworkError::Stalled { after })
            }
            None => std::future::pending().await,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: Duration = Duration::from_secs(300);

    #[tokio::test(start_paused = true)]
    async fn progress_moves_the_deadline() {
        let start = Instant::now();
        let mut watchdog = Watchdog::new(Some(LIMIT));
        tokio::time::sleep(Duration::from_secs(200)).await;
        watchdog.reset();
        let error = watchdog.expired().await;
        assert_eq!(start.elapsed().as_secs(), 500);
        assert!(error.to_string().contains("no data from the model for 300 s"), "{error}");
    }

    #[tokio::test(start_paused = true)]
    async fn without_a_limit_it_never_expires() {
        for limit in [None, Some(Duration::MAX)] {
            let watchdog = Watchdog::new(limit);
            assert!(tokio::time::timeout(Duration::from_secs(1_000_000), watchdog.expired()).await.is_err());
        }
    }
}
