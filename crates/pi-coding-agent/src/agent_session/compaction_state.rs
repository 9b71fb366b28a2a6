//! One summary at a time, of history or of a branch that is left: who may begin, who has to wait, who can stop it.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// How far compaction is.
pub(crate) struct CompactionState {
    /// Whether an overflow was already answered with a compaction since the last good sign.
    recovered: AtomicBool,
    /// Whether a summary between two turns failed or was stopped: the run is not held up by it again.
    failed_in_run: AtomicBool,
    /// Present while a summary is being made.
    active: watch::Sender<Option<Active>>,
}

struct Active {
    cancel: CancellationToken,
    no_retry: CancellationToken,
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
        Self {
            recovered: AtomicBool::new(false),
            failed_in_run: AtomicBool::new(false),
            active: watch::Sender::new(None),
        }
    }
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

    /// Gives up where a failed call for a summary would be repeated; without a pause before that nothing happens, but
    /// that there will be none.
    pub(super) fn cancel_retries(&self) {
        let active = self.active.borrow().as_ref().map(|active| active.no_retry.clone());
        if let Some(no_retry) = active {
            no_retry.cancel();
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
        self.begin_with(Summary::History, CancellationToken::new())
    }

    /// Begins to leave a branch; `None` while another summary is being made.
    pub(super) fn begin_branch_summary(&self) -> Option<ActiveCompaction<'_>> {
        self.begin_with(Summary::Branch, CancellationToken::new())
    }

    /// Begins a compaction that ends with the run that it is for.
    pub(super) fn begin_in_run(&self, run: &CancellationToken) -> Option<ActiveCompaction<'_>> {
        self.begin_with(Summary::History, run.child_token())
    }

    fn begin_with(&self, of: Summary, cancel: CancellationToken) -> Option<ActiveCompaction<'_>> {
        let no_retry = CancellationToken::new();
        let begun = self.active.send_if_modified(|active| {
            let free = active.is_none();
            if free {
                *active = Some(Active { cancel: cancel.clone(), no_retry: no_retry.clone(), of });
            }
            free
        });
        begun.then(|| ActiveCompaction {
            state: self,
            cancel,
            no_retry,
            retried: AtomicUsize::new(0),
            supplied: AtomicBool::new(false),
        })
    }
}

/// A summary that is being made until this is dropped.
pub(super) struct ActiveCompaction<'a> {
    state: &'a CompactionState,
    pub(super) cancel: CancellationToken,
    /// Fires when failed calls are not to be repeated any more.
    pub(super) no_retry: CancellationToken,
    /// Calls that are being repeated; there may be two at the same time.
    retried: AtomicUsize,
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

    pub(super) fn begin_retries_of_call(&self) {
        self.retried.fetch_add(1, Ordering::Relaxed);
    }

    /// Whether the call was being repeated, which it no longer is.
    pub(super) fn end_retries_of_call(&self) -> bool {
        self.retried.try_update(Ordering::Relaxed, Ordering::Relaxed, |calls| calls.checked_sub(1)).is_ok()
    }

    /// Whether a call was being repeated when everything was stopped.
    pub(super) fn cut_off_retries(&self) -> bool {
        self.retried.swap(0, Ordering::Relaxed) > 0
    }
}

impl Drop for ActiveCompaction<'_> {
    fn drop(&mut self) {
        self.state.active.send_replace(None);
    }
}
