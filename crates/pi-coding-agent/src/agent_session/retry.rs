//! Repeats calls that failed for a passing reason: overload, rate limits, lost connections.
//!
//! The failed answer stays in the session file but leaves the context; the pause doubles with each attempt. A retry can
//! be cancelled from the moment on in which it is announced, which is before its pause begins.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use pi_ai::{AssistantMessage, Message, StopReason, is_overflow_text, is_retryable_text};

use super::activity::RunClaim;
use super::{Inner, SessionEvent, lock};
use crate::config::settings::RetrySettings;

/// How far retrying is.
#[derive(Default)]
pub(crate) struct RetryState {
    attempts: Mutex<u32>,
}

/// Retries of a session: [`AgentSession::retry`](super::AgentSession::retry).
#[derive(Debug, Clone, Copy)]
pub struct RetryHandle<'a>(pub(super) &'a Arc<Inner>);

impl RetryHandle<'_> {
    /// Switches retries on or off and remembers that in the user's settings. A pause that has begun goes on.
    #[doc(alias = "setAutoRetryEnabled")]
    pub fn set_auto(self, enabled: bool) {
        self.0.store.warn_about(self.0.place.settings().set_retry_enabled(enabled));
    }

    /// Whether failed calls are repeated.
    #[doc(alias = "autoRetryEnabled")]
    pub fn is_auto(self) -> bool {
        self.0.place.settings().retry().enabled
    }

    /// Ends the pause before a retry, and with it the series; does not wait for its end. Without a pause nothing
    /// happens. A summary whose call would have been repeated fails.
    #[doc(alias = "abortRetry")]
    pub fn abort(self) {
        self.0.run.activity().cancel_retry();
        self.0.run.activity().cancel_retries_of_summary();
    }

    /// Whether the session waits for the next attempt.
    #[doc(alias = "isRetrying")]
    pub fn is_waiting(self) -> bool {
        self.0.run.activity().is_pausing()
    }

    /// Attempts of the current series, 0 without one.
    #[doc(alias = "retryAttempt")]
    pub fn attempt(self) -> u32 {
        self.0.run.retry().attempts()
    }
}

impl RetryState {
    /// Attempts of the current series.
    pub(super) fn attempts(&self) -> u32 {
        *lock(&self.attempts)
    }

    /// Ends the series; returns its attempts if there was one.
    pub(super) fn end(&self) -> Option<u32> {
        let attempts = std::mem::take(&mut *lock(&self.attempts));
        (attempts > 0).then_some(attempts)
    }
}

/// Whether a run that ended with this message will be repeated. From now on that can be cancelled.
pub(super) fn announce(session: &Inner, last: Option<&Arc<Message>>) -> bool {
    let policy = session.place.settings().retry();
    let retryable = last.and_then(|message| message.as_assistant()).is_some_and(is_retryable);
    session.run.activity().announce_retry();
    policy.enabled && session.run.retry().attempts() < policy.max_retries && retryable
}

/// Whether the failure of a message may pass by itself. Overflows do not: they need another context.
pub(super) fn is_retryable(message: &AssistantMessage) -> bool {
    message.stop_reason == StopReason::Error
        && message.error_message.as_deref().is_some_and(|text| !is_overflow_text(text) && is_retryable_text(text))
}

/// After a failed answer: waits and says whether the run should be continued.
pub(super) async fn prepare(session: &Inner, run: &RunClaim<'_>, message: &AssistantMessage) -> bool {
    let policy = session.place.settings().retry();
    if !policy.enabled || !is_retryable(message) {
        return false;
    }
    let Some((attempt, delay)) = next_attempt(session.run.retry(), &policy) else { return false };
    let pause = session.run.activity().begin_pause();
    let cancel = &pause.cancel;
    let start = SessionEvent::AutoRetryStart {
        attempt,
        max_attempts: policy.max_retries,
        delay_ms: u64::try_from(delay.as_millis()).unwrap_or(u64::MAX),
        error_message: message.error_message.clone().unwrap_or_default(),
    };
    session.listeners.emit(start).await;
    // Only now, so that nobody hears of the pause in the middle of another run.
    run.give_up();
    // After a cancel the next run may have begun already: its context is left alone.
    if !cancel.is_cancelled() {
        drop_last_assistant(session);
    }
    tokio::select! {
        () = cancel.cancelled() => {}
        () = tokio::time::sleep(delay) => {}
    }
    let cancelled = cancel.is_cancelled();
    if cancelled {
        give_up(session, Some("Retry cancelled".to_owned())).await;
    }
    !cancelled
}

/// Announces the end of a series that failed.
pub(super) async fn give_up(session: &Inner, final_error: Option<String>) {
    if let Some(attempt) = session.run.retry().end() {
        session.listeners.emit(SessionEvent::AutoRetryEnd { success: false, attempt, final_error }).await;
    }
}

fn next_attempt(state: &RetryState, policy: &RetrySettings) -> Option<(u32, Duration)> {
    let mut attempts = lock(&state.attempts);
    if *attempts >= policy.max_retries {
        return None;
    }
    *attempts += 1;
    Some((*attempts, policy.delay(*attempts)))
}

/// Takes a trailing answer out of the context; the file keeps it.
fn drop_last_assistant(session: &Inner) {
    let messages = session.run.messages();
    session.run.agent().set_messages(without_last_assistant(messages));
}

/// Messages without a trailing answer.
pub(super) fn without_last_assistant(mut messages: Vec<Arc<Message>>) -> Vec<Arc<Message>> {
    if messages.last().is_some_and(|message| message.as_assistant().is_some()) {
        messages.pop();
    }
    messages
}
