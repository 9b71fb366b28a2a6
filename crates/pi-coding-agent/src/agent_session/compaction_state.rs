//! What automatic compaction remembers of its attempts, so that none of them is made again and again.

use std::sync::atomic::{AtomicBool, Ordering};

/// What became of the attempts so far.
#[derive(Default)]
pub(crate) struct CompactionState {
    /// Whether an overflow was already answered with a compaction since the last good sign.
    recovered: AtomicBool,
    /// Whether a summary between two turns failed or was stopped: the run is not held up by it again.
    failed_in_run: AtomicBool,
}

impl CompactionState {
    /// A new prompt may overflow once more, and its run be compacted.
    pub(super) fn new_user_message(&self) {
        self.recovered.store(false, Ordering::Relaxed);
        self.failed_in_run.store(false, Ordering::Relaxed);
    }

    /// So may the one after an answer.
    pub(super) fn answered(&self) {
        self.recovered.store(false, Ordering::Relaxed);
    }

    /// Notes that an overflow is being answered with a compaction.
    pub(super) fn recovering(&self) {
        self.recovered.store(true, Ordering::Relaxed);
    }

    /// Notes that a run goes on with the context that it had.
    pub(super) fn failed_in_run(&self) {
        self.failed_in_run.store(true, Ordering::Relaxed);
    }

    pub(super) fn has_failed_in_run(&self) -> bool {
        self.failed_in_run.load(Ordering::Relaxed)
    }

    pub(super) fn has_recovered(&self) -> bool {
        self.recovered.load(Ordering::Relaxed)
    }
}
