//! Decides when history is summarised without being asked: when the context is nearly full, before a prompt, between two
//! turns or after a run, and when a model refused it as too long.
//!
//! After an overflow the failed prompt is repeated once with the smaller context. How it is done is in `compact.rs`.

use std::sync::Arc;

use pi_agent_core::FinishedTurn;
use pi_ai::{AssistantMessage, Message, StopReason, is_context_overflow, is_same_provider};
use tokio_util::sync::CancellationToken;

use super::activity::{ActiveSummary, Request, SummaryKind};
use super::compact::{CompactionRequest, end_compaction, ended, prepare_compaction, run_compaction};
use super::extensions::FailedPlan;
use super::model_switch::check_ready;
use super::{CompactionReason, Inner, SessionEvent};
use crate::compaction::{context_tokens, estimate_total_tokens, estimate_used_tokens, should_compact};
use crate::session::{SessionEntry, SessionManager};

/// Said when the context is too long again right after it was summarised.
const RECOVERY_FAILED: &str = "Context overflow recovery failed after one compact-and-retry attempt. Try reducing context or switching to a larger-context model.";

/// Before a prompt: the last answer may have filled the context, also an aborted one. Says whether the agent should
/// go on with what is there before the prompt is sent.
pub(super) async fn before_prompt(session: &Inner) -> bool {
    let last = session.run.agent().with_state(|state| {
        state.messages.iter().rev().find(|message| message.as_assistant().is_some()).map(Arc::clone)
    });
    match last.as_deref().and_then(Message::as_assistant) {
        Some(last) => check(session, last, Request::CompactBeforePrompt).await,
        None => false,
    }
}

/// After a run. Says whether the agent should go on.
pub(super) async fn after_run(session: &Inner, last: &AssistantMessage) -> bool {
    last.stop_reason != StopReason::Aborted && check(session, last, Request::CompactAfterRun).await
}

/// Between two turns of a run: tool results may have filled the context, and the next request must not be the one that
/// fails of it. Says whether the context is another one now. What the run was aborted for stops the summary, too.
pub(super) async fn between_turns(session: &Inner, turn: &FinishedTurn) -> bool {
    let goes_on = turn.calls_continue || session.run.agent().has_queued_messages();
    if !goes_on
        || turn.cancel.is_cancelled()
        || session.run.compaction().has_failed_in_run()
        || session.run.limits().is_exceeded()
    {
        return false;
    }
    let model = session.run.model();
    let (settings, window) = (session.place.settings().compaction_for(&model), model.context_window);
    if !settings.enabled || !should_compact(tokens_of(session, &turn.context.messages), window, &settings) {
        return false;
    }
    let (request, cancel) = (Request::CompactInRun, turn.cancel.child_token());
    let Ok(active) = session.run.activity().begin_summary_now(request, SummaryKind::History, cancel) else {
        return false;
    };
    let outcome = run(session, active, CompactionReason::Threshold, false).await;
    if outcome == Some(false) {
        session.run.compaction().failed_in_run();
    }
    outcome == Some(true)
}

/// Size of the context that the next request would have.
fn tokens_of(session: &Inner, messages: &[Arc<Message>]) -> u64 {
    let estimate = estimate_used_tokens(messages);
    let reported = estimate.last_usage_index.and_then(|index| messages[index].as_assistant());
    match reported {
        // What it reports is the size of a context that is gone.
        Some(answer) if is_older_than_compaction(&session.store.manager(), answer) => estimate_total_tokens(messages),
        _ => estimate.tokens,
    }
}

async fn check(session: &Inner, last: &AssistantMessage, request: Request) -> bool {
    let model = session.run.model();
    let settings = session.place.settings().compaction_for(&model);
    if !settings.enabled || is_older_than_compaction(&session.store.manager(), last) {
        return false;
    }
    let window = model.context_window;
    let same_model = is_same_provider(&last.provider, &model.provider) && last.model == model.id;
    // Without a known window only the provider's own words count.
    if same_model && is_context_overflow(last, Some(window).filter(|window| *window > 0)) {
        return overflow(session, last, request).await;
    }
    let Some(tokens) = used_tokens(session, last) else { return false };
    should_compact(tokens, window, &settings)
        && run_and_go_on(session, request, CompactionReason::Threshold, false).await
}

async fn overflow(session: &Inner, last: &AssistantMessage, request: Request) -> bool {
    // The model answered although the context was too long: summarise, but there is nothing to repeat.
    if last.stop_reason == StopReason::Stop {
        return run_and_go_on(session, request, CompactionReason::Overflow, false).await;
    }
    if session.run.compaction().has_recovered() {
        let event = SessionEvent::CompactionEnd {
            reason: CompactionReason::Overflow,
            result: None,
            aborted: false,
            will_retry: false,
            error_message: Some(RECOVERY_FAILED.to_owned()),
        };
        end_compaction(session, event, FailedPlan { will_retry: true, ..FailedPlan::default() }).await;
        return false;
    }
    run_and_go_on(session, request, CompactionReason::Overflow, true).await
}

/// Size of the context: what the answer reports, else (it failed, or its provider counts nothing) the last report before
/// it with an estimate of the rest. `None` when nobody ever reported and the answer failed: then it is not the size
/// that made it fail.
fn used_tokens(session: &Inner, last: &AssistantMessage) -> Option<u64> {
    let reported = context_tokens(&last.usage);
    if last.stop_reason != StopReason::Error && reported > 0 {
        return Some(reported);
    }
    let messages = session.run.messages();
    let estimate = estimate_used_tokens(&messages);
    let Some(index) = estimate.last_usage_index else {
        return (last.stop_reason != StopReason::Error).then_some(estimate.tokens);
    };
    let answer = messages[index].as_assistant()?;
    (!is_older_than_compaction(&session.store.manager(), answer)).then_some(estimate.tokens)
}

/// What an answer said of its context no longer holds once that was summarised. Decided by place and not by time: a
/// clock may stand still between an answer and a summary.
fn is_older_than_compaction(manager: &SessionManager, answer: &AssistantMessage) -> bool {
    for entry in manager.entries().climb() {
        // What cannot be read was not said in this run.
        let Ok(entry) = entry else { return false };
        match entry.kind() {
            "compaction" => return true,
            "message" => match entry.parse() {
                SessionEntry::Message(entry) if entry.message.as_assistant() == Some(answer) => return false,
                _ => {}
            },
            _ => {}
        }
    }
    false
}

/// Compacts and says whether the agent should go on. Where the request is refused nothing happens.
async fn run_and_go_on(session: &Inner, request: Request, reason: CompactionReason, will_retry: bool) -> bool {
    let begun = session.run.activity().begin_summary_now(request, SummaryKind::History, CancellationToken::new());
    let Ok(active) = begun else { return false };
    let done = run(session, active, reason, will_retry).await == Some(true);
    done && (will_retry || session.run.agent().has_queued_messages())
}

/// Compacts and says whether that succeeded. `None`: where there is no key or nothing to summarise, nothing happens.
async fn run(session: &Inner, active: ActiveSummary<'_>, reason: CompactionReason, will_retry: bool) -> Option<bool> {
    check_ready(session).ok()?;
    let preparation = prepare_compaction(session).ok()?;
    let request = CompactionRequest { reason, custom_instructions: None, will_retry };
    if will_retry {
        // Only now: where there is nothing to summarise, nothing was attempted.
        session.run.compaction().recovering();
    }
    session.listeners.emit(SessionEvent::CompactionStart { reason }).await;
    let outcome = run_compaction(session, &preparation, request, &active).await;
    let plan = FailedPlan { will_retry, from_extension: active.is_supplied() };
    drop(active);
    let done = outcome.is_ok();
    end_compaction(session, ended(reason, will_retry, &outcome), plan).await;
    Some(done)
}
