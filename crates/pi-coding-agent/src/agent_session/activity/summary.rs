//! One summary at a time, of history or of a branch that is left: who can stop it, and whether its calls are repeated.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use tokio_util::sync::CancellationToken;

use super::{Activity, ActivityState, Refusal, Request};

/// A summary that is being made.
pub(super) struct Active {
    cancel: CancellationToken,
    no_retry: CancellationToken,
    pub(super) kind: SummaryKind,
}

/// What is summarised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::agent_session) enum SummaryKind {
    /// The conversation so far.
    History,
    /// A branch that is left.
    Branch,
}

/// A summary that is being made until this is dropped.
pub(in crate::agent_session) struct ActiveSummary<'a> {
    activity: &'a Activity,
    /// Stops it.
    pub(in crate::agent_session) cancel: CancellationToken,
    /// Fires when failed calls are not to be repeated any more.
    pub(in crate::agent_session) no_retry: CancellationToken,
    /// Calls that are being repeated; there may be two at the same time.
    retried: AtomicUsize,
    /// Whether an extension made the summary.
    supplied: AtomicBool,
}

impl ActiveSummary<'_> {
    /// Notes whether an extension made the summary.
    pub(in crate::agent_session) fn note_supplied(&self, is_supplied: bool) {
        self.supplied.store(is_supplied, Ordering::Relaxed);
    }

    /// Whether an extension made the summary.
    pub(in crate::agent_session) fn is_supplied(&self) -> bool {
        self.supplied.load(Ordering::Relaxed)
    }

    /// A call is repeated from now on.
    pub(in crate::agent_session) fn begin_retries_of_call(&self) {
        self.retried.fetch_add(1, Ordering::Relaxed);
    }

    /// Whether the call was being repeated, which it no longer is.
    pub(in crate::agent_session) fn end_retries_of_call(&self) -> bool {
        self.retried.try_update(Ordering::Relaxed, Ordering::Relaxed, |calls| calls.checked_sub(1)).is_ok()
    }

    /// Whether a call was being repeated when everything was stopped.
    pub(in crate::agent_session) fn cut_off_retries(&self) -> bool {
        self.retried.swap(0, Ordering::Relaxed) > 0
    }
}

impl Drop for ActiveSummary<'_> {
    fn drop(&mut self) {
        self.activity.state.send_modify(|state| state.summary = None);
    }
}

impl Activity {
    /// Waits until the compaction that somebody asks for may begin, and begins.
    ///
    /// # Errors
    /// When the session was closed, or another summary is being made.
    pub(in crate::agent_session) async fn begin_compaction(&self) -> Result<ActiveSummary<'_>, Refusal> {
        let (cancel, no_retry) = (CancellationToken::new(), CancellationToken::new());
        self.start(Request::Compact, |state| state.begin_summary(SummaryKind::History, &cancel, &no_retry)).await?;
        Ok(ActiveSummary::new(self, cancel, no_retry))
    }

    /// Begins a summary now.
    ///
    /// # Errors
    /// When that must not be.
    pub(in crate::agent_session) fn begin_summary_now(
        &self,
        request: Request,
        kind: SummaryKind,
        cancel: CancellationToken,
    ) -> Result<ActiveSummary<'_>, Refusal> {
        let no_retry = CancellationToken::new();
        self.start_now(request, |state| {
            // Whoever stops a run to make a summary leaves it to the run's prompt to say what follows, and waits for that.
            if request == Request::CompactAfterRun {
                state.decided();
            }
            state.begin_summary(kind, &cancel, &no_retry);
        })?;
        Ok(ActiveSummary::new(self, cancel, no_retry))
    }

    /// Whether a summary is being made.
    pub(in crate::agent_session) fn is_summarizing(&self) -> bool {
        self.state.borrow().summary.is_some()
    }

    /// Waits until no summary is being made.
    pub(in crate::agent_session) async fn summary_is_over(&self) {
        self.poll(|state, _| state.summary.is_none().then_some(())).await;
    }

    /// Stops the summary that is being made, if it is one of `kind`; `None` is any.
    pub(in crate::agent_session) fn cancel_summary(&self, kind: Option<SummaryKind>) {
        self.cancel_of_summary(|active| kind.is_none_or(|kind| kind == active.kind).then_some(&active.cancel));
    }

    /// Gives up where a failed call for a summary would be repeated; without a pause before that nothing happens, but
    /// that there will be none.
    pub(in crate::agent_session) fn cancel_retries_of_summary(&self) {
        self.cancel_of_summary(|active| Some(&active.no_retry));
    }

    fn cancel_of_summary(&self, which: impl Fn(&Active) -> Option<&CancellationToken>) {
        let cancel = self.state.borrow().summary.as_ref().and_then(which).cloned();
        // Not under the lock: cancelling wakes others.
        if let Some(cancel) = cancel {
            cancel.cancel();
        }
    }
}

impl ActivityState {
    fn begin_summary(&mut self, kind: SummaryKind, cancel: &CancellationToken, no_retry: &CancellationToken) {
        self.summary = Some(Active { cancel: cancel.clone(), no_retry: no_retry.clone(), kind });
    }
}

impl<'a> ActiveSummary<'a> {
    fn new(activity: &'a Activity, cancel: CancellationToken, no_retry: CancellationToken) -> Self {
        let (retried, supplied) = (AtomicUsize::new(0), AtomicBool::new(false));
        Self { activity, cancel, no_retry, retried, supplied }
    }
}
