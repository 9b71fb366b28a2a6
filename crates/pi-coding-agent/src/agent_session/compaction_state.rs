//! One compaction at a time: who may begin, who has to wait, who can stop it.

use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// How far compaction is.
pub(crate) struct CompactionState {
    /// Whether an overflow was already answered with a compaction since the last good sign.
    recovered: AtomicBool,
    /// Present while a summary is being made.
    active: watch::Sender<Option<CancellationToken>>,
}

impl Default for CompactionState {
    fn default() -> Self {
        Self { recovered: AtomicBool::new(false), active: watch::Sender::new(None) }
    }
}

impl CompactionState {
    /// A new prompt may overflow once more.
    pub(super) fn new_user_message(&self) {
        self.recovered.store(false, Ordering::Relaxed);
    }

    /// So may the one after an answer.
    pub(super) fn answered(&self) {
        self.recovered.store(false, Ordering::Relaxed);
    }

    /// Notes that an overflow is being answered with a compaction.
    pub(super) fn recovering(&self) {
        self.recovered.store(true, Ordering::Relaxed);
    }

    pub(super) fn has_recovered(&self) -> bool {
        self.recovered.load(Ordering::Relaxed)
    }

    /// Whether a summary is being made.
    pub(crate) fn is_active(&self) -> bool {
        self.active.borrow().is_some()
    }

    /// Stops making it.
    pub(super) fn cancel(&self) {
        if let Some(active) = &*self.active.borrow() {
            active.cancel();
        }
    }

    /// Waits until no summary is being made. Runs must not start before: the context is about to be replaced.
    pub(super) async fn idle(&self) {
        // The sender lives in `self`, so the channel cannot close.
        let _ = self.active.subscribe().wait_for(Option::is_none).await;
    }

    /// Begins a compaction; `None` while another one goes on.
    pub(super) fn begin(&self) -> Option<ActiveCompaction<'_>> {
        let cancel = CancellationToken::new();
        let begun = self.active.send_if_modified(|active| {
            let free = active.is_none();
            if free {
                *active = Some(cancel.clone());
            }
            free
        });
        begun.then(|| ActiveCompaction { state: self, cancel })
    }
}

/// A compaction that goes on until this is dropped.
pub(super) struct ActiveCompaction<'a> {
    state: &'a CompactionState,
    pub(super) cancel: CancellationToken,
}

impl Drop for ActiveCompaction<'_> {
    fn drop(&mut self) {
        self.state.active.send_replace(None);
    }
}
