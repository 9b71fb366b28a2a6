//! Repeats calls that failed for a passing reason: overload, rate limits, lost connections.
//!
//! The failed answer stays in the session file but leaves the context; the pause doubles with each attempt.

use std::sync::Arc;
use std::sync::Mutex;
use std::time::Duration;

use pi_ai::{AssistantMessage, Message, StopReason, is_overflow_text, is_retryable_text};
use tokio_util::sync::CancellationToken;

use super::{Inner, SessionEvent, lock};
use crate::settings::{RetrySettings, SettingsManager};

/// How far retrying is.
#[derive(Default)]
pub(crate) struct RetryState {
    attempts: Mutex<u32>,
    /// Present while the session waits for the next attempt.
    pause: Mutex<Option<CancellationToken>>,
}

impl RetryState {
    /// Attempts of the current series.
    fn attempts(&self) -> u32 {
        *lock(&self.attempts)
    }

    /// Ends the pause and with it the series.
    pub(crate) fn cancel(&self) {
        if let Some(pause) = &*lock(&self.pause) {
            pause.cancel();
        }
    }

    /// Ends the series; returns its attempts if there was one.
    pub(super) fn end(&self) -> Option<u32> {
        let attempts = std::mem::take(&mut *lock(&self.attempts));
        (attempts > 0).then_some(attempts)
    }

    /// Whether a run that ended with this message will be repeated.
    pub(super) fn will_retry(&self, settings: &SettingsManager, last: Option<&Arc<Message>>) -> bool {
        let policy = settings.retry();
        let retryable = last.and_then(|message| message.as_assistant()).is_some_and(is_retryable);
        policy.enabled && self.attempts() < policy.max_retries && retryable
    }
}

/// Whether the failure of a message may pass by itself. Overflows do not: they need another context.
pub(super) fn is_retryable(message: &AssistantMessage) -> bool {
    message.stop_reason == StopReason::Error
        && message.error_message.as_deref().is_some_and(|text| !is_overflow_text(text) && is_retryable_text(text))
}

/// After a failed answer: waits and says whether the run should be continued.
pub(super) async fn prepare(session: &Inner, message: &AssistantMessage) -> bool {
    let policy = session.settings.retry();
    if !policy.enabled || !is_retryable(message) {
        return false;
    }
    let Some((attempt, delay)) = next_attempt(&session.retry, &policy) else { return false };
    let pause = CancellationToken::new();
    *lock(&session.retry.pause) = Some(pause.clone());
    let start = SessionEvent::AutoRetryStart {
        attempt,
        max_attempts: policy.max_retries,
        delay_ms: u64::try_from(delay.as_millis()).unwrap_or(u64::MAX),
        error_message: message.error_message.clone().unwrap_or_default(),
    };
    session.listeners.emit(start).await;
    drop_last_assistant(session);
    tokio::select! {
        () = pause.cancelled() => {}
        () = tokio::time::sleep(delay) => {}
    }
    *lock(&session.retry.pause) = None;
    if pause.is_cancelled() {
        give_up(session, Some("Retry cancelled".to_owned())).await;
    }
    !pause.is_cancelled()
}

/// Announces the end of a series that failed.
pub(super) async fn give_up(session: &Inner, final_error: Option<String>) {
    if let Some(attempt) = session.retry.end() {
        session.listeners.emit(SessionEvent::AutoRetryEnd { success: false, attempt, final_error }).await;
    }
}

fn next_attempt(state: &RetryState, policy: &RetrySettings) -> Option<(u32, Duration)> {
    let mut attempts = lock(&state.attempts);
    if *attempts >= policy.max_retries {
        return None;
    }
    *attempts += 1;
    let factor = 2_u32.saturating_pow(*attempts - 1);
    Some((*attempts, policy.base_delay.saturating_mul(factor)))
}

/// Takes a trailing answer out of the context; the file keeps it.
fn drop_last_assistant(session: &Inner) {
    let messages = session.agent.with_state(|state| state.messages.clone());
    session.agent.set_messages(without_last_assistant(messages));
}

/// Messages without a trailing answer.
pub(super) fn without_last_assistant(mut messages: Vec<Arc<Message>>) -> Vec<Arc<Message>> {
    if messages.last().is_some_and(|message| message.as_assistant().is_some()) {
        messages.pop();
    }
    messages
}
