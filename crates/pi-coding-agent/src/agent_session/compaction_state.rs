//! One summary at a time, of history or of a branch that is left: who may begin, who has to wait, who can stop it.

use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// How far compaction is.
pub(crate) struct CompactionState {
    /// Whether an overflow was already answered with a compaction since the last good sign.
    recovered: AtomicBool,
    /// Present while a summary is being made.
    active: watch::Sender<Option<Active>>,
}

struct Active {
    cancel: CancellationToken,
    of: Summary,
}

/// What is summarised.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Summary {
    History,
    Branch,
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
        self.cancel_if(|_| true);
    }

    /// Stops making it if it is one of history.
    pub(super) fn cancel_compaction(&self) {
        self.cancel_if(|of| of == Summary::History);
    }

    /// Stops making it if it is one of a branch.
    pub(super) fn cancel_branch_summary(&self) {
        self.cancel_if(|of| of == Summary::Branch);
    }

    fn cancel_if(&self, meant: impl Fn(Summary) -> bool) {
        let active =
            self.active.borrow().as_ref().filter(|active| meant(active.of)).map(|active| active.cancel.clone());
        // Not under the lock: cancelling wakes others.
        if let Some(cancel) = active {
            cancel.cancel();
        }
    }

    /// Waits until no summary is being made. Runs must not start before: the context is about to be replaced.
    pub(super) async fn idle(&self) {
        // The sender lives in `self`, so the channel cannot close.
        let _ = self.active.subscribe().wait_for(Option::is_none).await;
    }

    /// Waits until a summary is being made.
    pub(super) async fn begun(&self) {
        let _ = self.active.subscribe().wait_for(Option::is_some).await;
    }

    /// Begins a compaction; `None` while another summary is being made.
    pub(super) fn begin(&self) -> Option<ActiveCompaction<'_>> {
        self.begin_with(Summary::History)
    }

    /// Begins to leave a branch; `None` while another summary is being made.
    pub(super) fn begin_branch_summary(&self) -> Option<ActiveCompaction<'_>> {
        self.begin_with(Summary::Branch)
    }

    fn begin_with(&self, of: Summary) -> Option<ActiveCompaction<'_>> {
        let cancel = CancellationToken::new();
        let begun = self.active.send_if_modified(|active| {
            let free = active.is_none();
            if free {
                *active = Some(Active { cancel: cancel.clone(), of });
            }
            free
        });
        begun.then(|| ActiveCompaction { state: self, cancel, supplied: AtomicBool::new(false) })
    }
}

/// A summary that is being made until this is dropped.
pub(super) struct ActiveCompaction<'a> {
    state: &'a CompactionState,
    pub(super) cancel: CancellationToken,
    /// Whether an extension made the summary.
    supplied: AtomicBool,
}

impl ActiveCompaction<'_> {
    /// Notes whether an extension made the summary.
    pub(super) fn note_supplied(&self, is_supplied: bool) {
        self.supplied.store(is_supplied, Ordering::Relaxed);
    }

    /// Whether an extension made the summary.
    pub(super) fn is_supplied(&self) -> bool {
        self.supplied.load(Ordering::Relaxed)
    }
}

impl Drop for ActiveCompaction<'_> {
    fn drop(&mut self) {
        self.state.active.send_replace(None);
    }
}
