//! Keeps runs and commands from beginning while the conversation is exchanged for another one.

use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::watch;

/// Open, but for the moments of an exchange.
pub(crate) struct Gate {
    closed: watch::Sender<bool>,
    exchanges: AtomicU64,
}

impl Default for Gate {
    fn default() -> Self {
        Self { closed: watch::Sender::new(false), exchanges: AtomicU64::new(0) }
    }
}

impl Gate {
    /// Waits until no exchange is going on.
    pub(super) async fn passed(&self) {
        // The sender lives in `self`, so the channel cannot close.
        let _ = self.closed.subscribe().wait_for(|closed| !closed).await;
    }

    /// The number of the conversation: what belongs to another one must not go on in this one.
    pub(super) fn count(&self) -> u64 {
        self.exchanges.load(Ordering::Acquire)
    }

    /// Waits for its turn and closes the gate until the result is dropped.
    pub(super) async fn close(&self) -> Closed<'_> {
        loop {
            self.passed().await;
            if self.closed.send_if_modified(|closed| !std::mem::replace(closed, true)) {
                return Closed(self);
            }
        }
    }
}

/// A closed gate.
pub(super) struct Closed<'a>(&'a Gate);

impl Closed<'_> {
    /// From here on it is another conversation.
    pub(super) fn exchanged(&self) {
        self.0.exchanges.fetch_add(1, Ordering::Release);
    }
}

impl Drop for Closed<'_> {
    fn drop(&mut self) {
        self.0.closed.send_replace(false);
    }
}
