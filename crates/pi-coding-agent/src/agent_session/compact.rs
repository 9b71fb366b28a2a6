//! Compacts a session: on request, and as `auto_compact.rs` decides. What to summarise and how is `compaction`'s
//! business; here is with which model, and what becomes of the result.

use std::sync::Arc;

use futures::future::BoxFuture;
use tokio_util::sync::CancellationToken;

use super::activity::{ActiveSummary, SummaryKind};
use super::completion::{Completion, end_retries_of_summary};
use super::extensions::{FailedPlan, emit_before_compaction, emit_compaction, emit_failed_compaction};
use super::model_switch::check_ready;
use super::retry::without_last_assistant;
use super::{CompactionOutcome, CompactionReason, Inner, SessionEvent, recorder};
use crate::compaction::{
    CompactionError, Preparation, SummaryRequest, branch_entries, compact, estimate_total_tokens, prepare,
    store_compaction,
};
use crate::events::Error;
use crate::session::Compaction;

/// Why and how a compaction is made.
#[derive(Debug, Clone, Copy)]
pub(super) struct CompactionRequest<'a> {
    pub(super) reason: CompactionReason,
    /// What the user wants the summary to heed.
    pub(super) custom_instructions: Option<&'a str>,
    /// Whether the last answer is to be repeated.
    pub(super) will_retry: bool,
}

/// Compaction of a session: [`AgentSession::compaction`](super::AgentSession::compaction).
#[derive(Debug, Clone, Copy)]
pub struct CompactionHandle<'a>(pub(super) &'a Arc<Inner>);

impl CompactionHandle<'_> {
    /// Summarises older history now, whatever the settings say of automatic compaction. A run in progress is aborted
    /// first; its aborted answer is kept. Prompts that arrive meanwhile wait.
    ///
    /// The run lives in the future of its prompt: that has to be polled meanwhile. Dropping this future stops the
    /// compaction.
    ///
    /// # Errors
    /// [`Error::CompactionInProgress`] and [`Error::SessionClosed`] at once; else, after the events, when there is
    /// nothing to compact, no key, or no summary. The session is then as it was.
    #[doc(alias = "compact")]
    pub async fn run(self, custom_instructions: Option<&str>) -> Result<CompactionOutcome, Error> {
        let session = self.0;
        let active = session.run.activity().begin_compaction().await?;
        session.run.abort().await;
        session.listeners.emit(SessionEvent::CompactionStart { reason: CompactionReason::Manual }).await;
        // Who begins it from a script's thread does no more than this there.
        tokio::task::yield_now().await;
        let outcome = compact_manually(session, custom_instructions, &active).await;
        let plan = FailedPlan { from_extension: active.is_supplied(), ..FailedPlan::default() };
        drop(active);
        end_compaction(session, ended(CompactionReason::Manual, false, &outcome), plan).await;
        outcome
    }

    /// Switches automatic compaction on or off and remembers that in the user's settings.
    #[doc(alias = "setAutoCompactionEnabled")]
    pub fn set_auto(self, enabled: bool) {
        self.0.store.warn_about(self.0.place.settings().set_compaction_enabled(enabled));
    }

    /// Whether history is summarised by itself when the context is nearly full.
    #[doc(alias = "autoCompactionEnabled")]
    pub fn is_auto(self) -> bool {
        self.0.place.settings().compaction().enabled
    }

    /// Whether history, or a branch that is left, is being summarised.
    #[doc(alias = "isCompacting")]
    pub fn is_running(self) -> bool {
        self.0.run.activity().is_summarizing()
    }

    /// Stops the compaction that goes on, manual or automatic. Does not wait for its end.
    #[doc(alias = "abortCompaction")]
    pub fn abort(self) {
        self.0.run.activity().cancel_summary(Some(SummaryKind::History));
    }
}

/// Tells everybody how a compaction ended: extensions first.
pub(super) fn end_compaction(session: &Inner, ended: SessionEvent, plan: FailedPlan) -> BoxFuture<'_, ()> {
    Box::pin(async move {
        emit_failed_compaction(session, &ended, plan).await;
        session.listeners.emit(ended).await;
    })
}

async fn compact_manually(
    session: &Inner,
    custom_instructions: Option<&str>,
    active: &ActiveSummary<'_>,
) -> Result<CompactionOutcome, Error> {
    check_ready(session)?;
    let preparation = prepare_compaction(session)?;
    let request = CompactionRequest { reason: CompactionReason::Manual, custom_instructions, will_retry: false };
    run_compaction(session, &preparation, request, active).await
}

/// What would be summarised.
pub(super) fn prepare_compaction(session: &Inner) -> Result<Preparation, Error> {
    let model = session.run.model();
    let settings = session.place.settings().compaction_for(&model).fitted_to(model.context_window);
    let manager = session.store.manager();
    let context = manager.build_session_context()?.messages;
    prepare(&branch_entries(&manager)?, &context, &settings).map_err(Error::NothingToCompact)
}

/// Asks for the summary and stores it.
pub(super) async fn run_compaction(
    session: &Inner,
    preparation: &Preparation,
    request: CompactionRequest<'_>,
    active: &ActiveSummary<'_>,
) -> Result<CompactionOutcome, Error> {
    let made = tokio::select! {
        biased;
        () = active.cancel.cancelled() => Err(CompactionError::Cancelled.into()),
        made = make_compaction(session, preparation, request, active) => made,
    };
    end_retries_of_summary(session, active).await;
    let compaction = made?;
    let from_extension = compaction.from_hook == Some(true);
    active.note_supplied(from_extension);
    let outcome = store_summary(session, compaction, &active.cancel, request.will_retry)?;
    recorder::flush(session).await;
    emit_compaction(session, request, from_extension, &active.cancel).await;
    Ok(outcome)
}

/// The summary of an extension, else of the model.
fn make_compaction<'a>(
    session: &'a Inner,
    preparation: &'a Preparation,
    request: CompactionRequest<'a>,
    active: &'a ActiveSummary<'_>,
) -> BoxFuture<'a, Result<Compaction, Error>> {
    Box::pin(async move {
        match emit_before_compaction(session, preparation, request, &active.cancel).await? {
            Some(supplied) => Ok(Compaction { from_hook: Some(true), ..supplied }),
            None => Ok(summarise(session, preparation, request, active).await?),
        }
    })
}

async fn summarise(
    session: &Inner,
    preparation: &Preparation,
    CompactionRequest { reason, custom_instructions, .. }: CompactionRequest<'_>,
    active: &ActiveSummary<'_>,
) -> Result<Compaction, CompactionError> {
    let (model, thinking_level) =
        session.run.agent().with_state(|state| (Arc::clone(&state.model), state.thinking_level));
    let now_ms = session.store.now_ms();
    let request = SummaryRequest { model: &model, thinking_level, custom_instructions, now_ms };
    let completion = Completion { session, model: &model, active, reason: Some(reason) };
    compact(preparation, &request, |context, options| completion.of(context, options)).await
}

/// Puts the summary into the session and the smaller context into the agent, unless it was cancelled. The session
/// stays locked from that check on: whoever cancels and then replaces it gets no entry into the new one.
fn store_summary(
    session: &Inner,
    mut compaction: Compaction,
    cancel: &CancellationToken,
    will_retry: bool,
) -> Result<CompactionOutcome, Error> {
    let mut manager = session.store.manager();
    if cancel.is_cancelled() {
        return Err(CompactionError::Cancelled.into());
    }
    if let Err(error) = store_compaction(&mut manager, &mut compaction) {
        session.store.warn_of_error(&error);
    }
    let mut messages = manager.build_session_context()?.messages;
    if will_retry {
        // The refused answer stays in the file; it must not be part of the repeated prompt.
        messages = without_last_assistant(messages);
    }
    let estimated_tokens_after = estimate_total_tokens(&messages);
    session.run.agent().set_messages(messages);
    Ok(CompactionOutcome {
        summary: compaction.summary,
        first_kept_entry_id: compaction.first_kept_entry_id,
        tokens_before: compaction.tokens_before,
        estimated_tokens_after,
        details: compaction.details,
    })
}

/// The event that ends a compaction.
pub(super) fn ended(
    reason: CompactionReason,
    will_retry: bool,
    outcome: &Result<CompactionOutcome, Error>,
) -> SessionEvent {
    let aborted = matches!(outcome, Err(Error::Compaction(CompactionError::Cancelled)));
    let error = outcome.as_ref().err().filter(|_| !aborted);
    SessionEvent::CompactionEnd {
        reason,
        result: outcome.as_ref().ok().cloned(),
        aborted,
        will_retry: will_retry && outcome.is_ok(),
        error_message: error.map(|error| format!("{}: {error}", failed(reason))),
    }
}

fn failed(reason: CompactionReason) -> &'static str {
    match reason {
        CompactionReason::Manual => "Compaction failed",
        CompactionReason::Threshold => "Auto-compaction failed",
        CompactionReason::Overflow => "Context overflow recovery failed",
    }
}
