//! Summarises history by itself: when the context is nearly full, and when a model refused it as too long.
//!
//! After an overflow the failed prompt is repeated once with the smaller context. What to summarise and how is
//! `compaction`'s business; here is when, with which model, and what becomes of the result.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use pi_ai::{AssistantMessage, Context, Message, StopReason, StreamOptions, is_context_overflow};
use tokio_util::sync::CancellationToken;

use super::retry::drop_last_assistant;
use super::{CompactionOutcome, CompactionReason, Inner, SessionEvent, lock};
use crate::compaction::{
    BranchEntry, CompactionError, EntryContent, Preparation, SummaryOptions, SummaryRequest, compact, context_tokens,
    estimate_context_tokens, estimate_total_tokens, prepare, should_compact,
};
use crate::session::{Compaction, SessionEntry, SessionManager, StoredEntry};

/// Said when the context is too long again right after it was summarised.
const RECOVERY_FAILED: &str = "Context overflow recovery failed after one compact-and-retry attempt. Try reducing context or switching to a larger-context model.";

/// How far automatic compaction is.
#[derive(Default)]
pub(crate) struct CompactionState {
    /// Whether an overflow was already answered with a compaction since the last good sign.
    recovered: AtomicBool,
    /// Present while a summary is being made.
    active: Mutex<Option<CancellationToken>>,
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

    /// Whether a summary is being made.
    pub(crate) fn is_active(&self) -> bool {
        lock(&self.active).is_some()
    }

    /// Stops making it.
    pub(super) fn cancel(&self) {
        if let Some(active) = &*lock(&self.active) {
            active.cancel();
        }
    }
}

/// Before a prompt: the last answer may have filled the context, also an aborted one. Says whether the agent should
/// go on with what is there before the prompt is sent.
pub(super) async fn before_prompt(session: &Inner) -> bool {
    let last = session.agent.with_state(|state| {
        state.messages.iter().rev().find(|message| message.as_assistant().is_some()).map(Arc::clone)
    });
    match last.as_deref().and_then(Message::as_assistant) {
        Some(last) => check(session, last).await,
        None => false,
    }
}

/// After a run. Says whether the agent should go on.
pub(super) async fn after_run(session: &Inner, last: &AssistantMessage) -> bool {
    last.stop_reason != StopReason::Aborted && check(session, last).await
}

async fn check(session: &Inner, last: &AssistantMessage) -> bool {
    let settings = session.settings.compaction();
    if !settings.enabled || is_older_than_compaction(&lock(&session.manager), last) {
        return false;
    }
    let model = session.agent.with_state(|state| Arc::clone(&state.model));
    let same_model = last.provider == model.provider && last.model == model.id;
    if same_model && is_context_overflow(last, Some(model.context_window)) {
        return overflow(session, last).await;
    }
    let Some(tokens) = used_tokens(session, last) else { return false };
    should_compact(tokens, model.context_window, &settings) && run(session, CompactionReason::Threshold, false).await
}

async fn overflow(session: &Inner, last: &AssistantMessage) -> bool {
    // The model answered although the context was too long: summarise, but there is nothing to repeat.
    if last.stop_reason == StopReason::Stop {
        return run(session, CompactionReason::Overflow, false).await;
    }
    if session.compaction.recovered.load(Ordering::Relaxed) {
        session.listeners.emit(failure(CompactionReason::Overflow, RECOVERY_FAILED.to_owned())).await;
        return false;
    }
    run(session, CompactionReason::Overflow, true).await
}

/// Size of the context, from the answer's own report or, for a failed answer, from the last one before it.
fn used_tokens(session: &Inner, last: &AssistantMessage) -> Option<u64> {
    if last.stop_reason != StopReason::Error {
        return Some(context_tokens(&last.usage));
    }
    let messages = session.agent.with_state(|state| state.messages.clone());
    let estimate = estimate_context_tokens(&messages);
    let reported = messages[estimate.last_usage_index?].as_assistant()?;
    (!is_older_than_compaction(&lock(&session.manager), reported)).then_some(estimate.tokens)
}

/// What an answer said of its context no longer holds once that was summarised. Decided by place and not by time: a
/// clock may stand still between an answer and a summary.
fn is_older_than_compaction(manager: &SessionManager, answer: &AssistantMessage) -> bool {
    for entry in manager.branch().into_iter().rev() {
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

/// Compacts and says whether the agent should go on.
async fn run(session: &Inner, reason: CompactionReason, will_retry: bool) -> bool {
    let Some(preparation) = prepared(session) else { return false };
    if will_retry {
        // Only now: where there is nothing to summarise, nothing was attempted.
        session.compaction.recovered.store(true, Ordering::Relaxed);
    }
    let cancel = CancellationToken::new();
    *lock(&session.compaction.active) = Some(cancel.clone());
    session.listeners.emit(SessionEvent::CompactionStart { reason }).await;
    if will_retry {
        drop_last_assistant(session);
    }
    let outcome = summarise(session, &preparation, &cancel).await;
    *lock(&session.compaction.active) = None;
    let event = match outcome {
        Ok(compaction) => SessionEvent::CompactionEnd {
            reason,
            result: Some(store(session, compaction, will_retry)),
            aborted: false,
            will_retry,
            error_message: None,
        },
        Err(CompactionError::Cancelled) => {
            SessionEvent::CompactionEnd { reason, result: None, aborted: true, will_retry: false, error_message: None }
        }
        Err(error) => failure(reason, format!("{}: {error}", failed(reason))),
    };
    let done = matches!(event, SessionEvent::CompactionEnd { result: Some(_), .. });
    session.listeners.emit(event).await;
    done && (will_retry || session.agent.has_queued_messages())
}

fn failed(reason: CompactionReason) -> &'static str {
    match reason {
        CompactionReason::Manual => "Compaction failed",
        CompactionReason::Threshold => "Auto-compaction failed",
        CompactionReason::Overflow => "Context overflow recovery failed",
    }
}

fn failure(reason: CompactionReason, message: String) -> SessionEvent {
    SessionEvent::CompactionEnd {
        reason,
        result: None,
        aborted: false,
        will_retry: false,
        error_message: Some(message),
    }
}

/// What would be summarised; `None` when there is nothing to gain.
fn prepared(session: &Inner) -> Option<Preparation> {
    let manager = lock(&session.manager);
    let entries: Vec<BranchEntry> = manager.branch().into_iter().map(branch_entry).collect();
    let context = manager.build_session_context().messages;
    prepare(&entries, &context, &session.settings.compaction()).ok()
}

fn branch_entry(entry: &StoredEntry) -> BranchEntry {
    let content = match entry.kind() {
        "message" | "custom_message" | "branch_summary" | "compaction" => match entry.parse() {
            SessionEntry::Message(entry) => EntryContent::Message(entry.message),
            SessionEntry::Compaction(entry) => EntryContent::Compaction(Box::new(Compaction {
                summary: entry.summary,
                first_kept_entry_id: entry.first_kept_entry_id,
                tokens_before: entry.tokens_before,
                details: entry.details,
                from_hook: entry.from_hook,
            })),
            other => other.into_message().map_or(EntryContent::Other, EntryContent::Injected),
        },
        _ => EntryContent::Other,
    };
    BranchEntry { id: entry.id().to_owned(), content }
}

async fn summarise(
    session: &Inner,
    preparation: &Preparation,
    cancel: &CancellationToken,
) -> Result<Compaction, CompactionError> {
    let (model, thinking_level) = session.agent.with_state(|state| (Arc::clone(&state.model), state.thinking_level));
    let request =
        SummaryRequest { model: &model, thinking_level, custom_instructions: None, now_ms: session.clock.now_ms() };
    let complete = |context: Context, options: SummaryOptions| {
        let (model, cancel) = (Arc::clone(&model), cancel.clone());
        async move {
            let options = StreamOptions {
                max_tokens: Some(options.max_tokens),
                reasoning: options.reasoning,
                cancel,
                ..StreamOptions::default()
            };
            match (session.stream)(Arc::clone(&model), context, options).await {
                Ok(stream) => stream.result().await,
                Err(failure) => Arc::new(AssistantMessage {
                    stop_reason: StopReason::Error,
                    error_message: Some(failure.to_string()),
                    ..AssistantMessage::default()
                }),
            }
        }
    };
    tokio::select! {
        outcome = compact(preparation, &request, complete) => outcome,
        () = cancel.cancelled() => Err(CompactionError::Cancelled),
    }
}

/// Puts the summary into the session and the smaller context into the agent.
fn store(session: &Inner, compaction: Compaction, will_retry: bool) -> CompactionOutcome {
    let mut outcome = CompactionOutcome {
        summary: compaction.summary.clone(),
        first_kept_entry_id: compaction.first_kept_entry_id.clone(),
        tokens_before: compaction.tokens_before,
        estimated_tokens_after: 0,
        details: compaction.details.clone(),
    };
    let messages = {
        let mut manager = lock(&session.manager);
        if let Err(error) = manager.append_compaction(compaction) {
            session.recorder.warn(&error);
        }
        manager.build_session_context().messages
    };
    session.agent.set_messages(messages);
    if will_retry {
        // The file brought the refused answer back; it must not be part of the repeated prompt.
        drop_last_assistant(session);
    }
    outcome.estimated_tokens_after = session.agent.with_state(|state| estimate_total_tokens(&state.messages));
    outcome
}
