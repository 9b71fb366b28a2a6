//! One call of a model outside of a run, as summaries need it. What fails for a passing reason is repeated as calls of a run
//! are, with events of its own.

use std::sync::Arc;

use pi_ai::{AssistantMessage, Context, Model, StopReason, StreamOptions};

use super::activity::ActiveSummary;
use super::retry::is_retryable;
use super::{CompactionReason, Inner, SessionEvent, SummarySource};
use crate::compaction::SummaryOptions;
use crate::config::settings::RetrySettings;

/// Who is called for what.
pub(super) struct Completion<'a> {
    pub(super) session: &'a Inner,
    pub(super) model: &'a Arc<Model>,
    /// Who can stop it.
    pub(super) active: &'a ActiveSummary<'a>,
    /// Why history is summarised; `None` for a branch.
    pub(super) reason: Option<CompactionReason>,
}

impl Completion<'_> {
    /// Asks and waits for the whole answer. A call that cannot be made is a failed answer.
    pub(super) async fn of(&self, context: Context, options: SummaryOptions) -> Arc<AssistantMessage> {
        let policy = self.session.place.settings().retry();
        let mut answer = self.ask(context.clone(), options).await;
        let mut attempt = 0;
        while policy.enabled && attempt < policy.max_retries && is_retryable(&answer) {
            attempt += 1;
            if !self.pause(attempt, &policy, &answer).await {
                break;
            }
            answer = self.ask(context.clone(), options).await;
        }
        if attempt > 0 && self.active.end_retries_of_call() {
            self.session.listeners.emit(SessionEvent::SummarizationRetryFinished).await;
        }
        answer
    }

    /// Announces an attempt and waits for its time. False when nobody wants it any more.
    async fn pause(&self, attempt: u32, policy: &RetrySettings, failed: &AssistantMessage) -> bool {
        let (delay, listeners) = (policy.delay(attempt), &self.session.listeners);
        if attempt == 1 {
            self.active.begin_retries_of_call();
        }
        let scheduled = SessionEvent::SummarizationRetryScheduled {
            attempt,
            max_attempts: policy.max_retries,
            delay_ms: u64::try_from(delay.as_millis()).unwrap_or(u64::MAX),
            error_message: failed.error_message.clone().unwrap_or_default(),
        };
        listeners.emit(scheduled).await;
        tokio::select! {
            biased;
            () = self.active.no_retry.cancelled() => return false,
            () = tokio::time::sleep(delay) => {}
        }
        let source = self.reason.map_or(SummarySource::BranchSummary, |_| SummarySource::Compaction);
        listeners.emit(SessionEvent::SummarizationRetryAttemptStart { source, reason: self.reason }).await;
        true
    }

    async fn ask(&self, context: Context, options: SummaryOptions) -> Arc<AssistantMessage> {
        let options = StreamOptions {
            max_tokens: Some(options.max_tokens),
            reasoning: options.reasoning,
            cancel: self.active.cancel.clone(),
            ..StreamOptions::default()
        };
        match (self.session.run.stream())(Arc::clone(self.model), context, options).await {
            Ok(stream) => stream.result().await,
            Err(failure) => Arc::new(AssistantMessage {
                stop_reason: StopReason::Error,
                error_message: Some(failure.to_string()),
                ..AssistantMessage::default()
            }),
        }
    }
}

/// The end of the retries of a summary that was stopped: announced like any other.
pub(super) async fn end_retries_of_summary(session: &Inner, active: &ActiveSummary<'_>) {
    if active.cut_off_retries() {
        session.listeners.emit(SessionEvent::SummarizationRetryFinished).await;
    }
}
