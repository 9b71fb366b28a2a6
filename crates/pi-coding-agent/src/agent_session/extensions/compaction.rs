//! Asks extensions before history is summarised, and tells them when it was.

use std::ops::ControlFlow;
use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use crate::agent_session::compact::CompactionRequest;
use crate::agent_session::{Inner, SessionEvent};
use crate::compaction::{CompactionError, Preparation};
use crate::events::Error;
use crate::extension::events::{
    BeforeCompactOutcome, SessionBeforeCompactEvent, SessionCompactEvent, SessionCompactFailedEvent,
};
use crate::session::Compaction;

/// What was to become of a compaction that failed.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::agent_session) struct FailedPlan {
    /// The failed prompt was to be repeated.
    pub(in crate::agent_session) will_retry: bool,
    /// The summary was there, made by an extension.
    pub(in crate::agent_session) from_extension: bool,
}

/// The summary that an extension brings, if one does.
///
/// # Errors
/// [`CompactionError::Cancelled`] when an extension calls it off; when the branch cannot be read.
pub(in crate::agent_session) async fn emit_before_compaction(
    session: &Inner,
    preparation: &Preparation,
    request: CompactionRequest<'_>,
    cancel: &CancellationToken,
) -> Result<Option<Compaction>, Error> {
    let runner = session.extensions.runner();
    if !runner.listens::<SessionBeforeCompactEvent>() {
        return Ok(None);
    }
    let event = SessionBeforeCompactEvent {
        preparation: Arc::new(preparation.clone()),
        branch_entries: session.store.manager().entries().current_branch()?.into(),
        custom_instructions: request.custom_instructions.map(ToOwned::to_owned),
        reason: request.reason,
        will_retry: request.will_retry,
        cancel: cancel.clone(),
    };
    let mut answer = BeforeCompactOutcome::default();
    let asked = runner.fold(event, Some(cancel), |_, outcome| {
        if outcome.cancel || outcome.compaction.is_some() {
            answer = outcome;
        }
        if answer.cancel { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    asked.await;
    if answer.cancel {
        return Err(CompactionError::Cancelled.into());
    }
    Ok(answer.compaction)
}

/// Tells that a compaction came to nothing, in the words of the event that ends it.
pub(in crate::agent_session) async fn emit_failed_compaction(session: &Inner, ended: &SessionEvent, plan: FailedPlan) {
    let SessionEvent::CompactionEnd { reason, result: None, aborted, error_message, .. } = ended else { return };
    let FailedPlan { will_retry, from_extension } = plan;
    let (reason, aborted, error_message) = (*reason, *aborted, error_message.clone());
    let event = SessionCompactFailedEvent { reason, error_message, aborted, will_retry, from_extension };
    session.extensions.runner().notify(event, None).await;
}

/// Tells of the entry that was stored last. Once it is called off, nobody waits for handlers any more.
pub(in crate::agent_session) async fn emit_compaction(
    session: &Inner,
    request: CompactionRequest<'_>,
    from_extension: bool,
    cancel: &CancellationToken,
) {
    let runner = session.extensions.runner();
    if !runner.listens::<SessionCompactEvent>() {
        return;
    }
    let stored = session.store.manager().entries().leaf();
    match stored {
        Ok(Some(compaction_entry)) => {
            let CompactionRequest { reason, will_retry, .. } = request;
            let event = SessionCompactEvent { compaction_entry, from_extension, reason, will_retry };
            runner.notify(event, Some(cancel)).await;
        }
        Ok(None) => {}
        Err(error) => session.store.warn_of_error(&error),
    }
}
