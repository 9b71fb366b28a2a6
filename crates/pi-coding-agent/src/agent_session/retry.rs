//! Repeats calls that failed for a passing reason: overload, rate limits, lost connections.
//!
//! The failed answer stays in the session file but leaves the context; the pause doubles with each attempt. A retry can
//! be cancelled from the moment on in which it is announced, which is before its pause begins.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use pi_ai::{AssistantMessage, Message, StopReason, is_overflow_text, is_retryable_text};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use super::{AgentSession, Inner, SessionEvent, lock};
use crate::settings::{RetrySettings, SettingsManager};

/// How far retrying is.
#[derive(Default)]
pub(crate) struct RetryState {
    attempts: Mutex<u32>,
    /// Cancelled by whoever does not want the retry that was announced last.
    announced: Mutex<CancellationToken>,
    /// Whether the session waits for the next attempt.
    pausing: AtomicBool,
    /// Wakes who waits for the end of a pause, in the order in which they came.
    over: Notify,
}

/// The time between a failure and the next attempt, or the end of the series.
struct Pause<'a>(&'a RetryState);

impl Drop for Pause<'_> {
    fn drop(&mut self) {
        self.0.pausing.store(false, Ordering::Release);
        self.0.over.notify_waiters();
    }
}

impl AgentSession {
    /// Switches retries on or off and remembers that in the user's settings. A pause that has begun goes on.
    #[doc(alias = "setAutoRetryEnabled")]
    pub fn set_auto_retry(&self, enabled: bool) {
        self.warn_about(self.0.settings.set_retry_enabled(enabled));
    }

    /// Whether failed calls are repeated.
    pub fn auto_retry_enabled(&self) -> bool {
        self.0.settings.retry().enabled
    }

    /// Ends the pause before a retry, and with it the series; does not wait for its end. Without a pause nothing
    /// happens. A summary whose call would have been repeated fails.
    pub fn abort_retry(&self) {
        self.0.retry.cancel();
        self.0.compaction.cancel_retries();
    }

    /// Whether the session waits for the next attempt.
    pub fn is_retrying(&self) -> bool {
        self.0.retry.is_pausing()
    }

    /// Attempts of the current series, 0 without one.
    pub fn retry_attempt(&self) -> u32 {
        self.0.retry.attempts()
    }
}

impl RetryState {
    /// Attempts of the current series.
    fn attempts(&self) -> u32 {
        *lock(&self.attempts)
    }

    /// Ends the pause and with it the series.
    pub(super) fn cancel(&self) {
        lock(&self.announced).cancel();
    }

    /// Waits until no pause goes on and the end of a cancelled one was told. A pause lives in the future of its prompt:
    /// that has to be polled meanwhile.
    pub(super) async fn idle(&self) {
        loop {
            let over = self.over.notified();
            if !self.is_pausing() {
                return;
            }
            over.await;
        }
    }

    pub(super) fn is_pausing(&self) -> bool {
        self.pausing.load(Ordering::Acquire)
    }

    fn begin_pause(&self) -> Pause<'_> {
        self.pausing.store(true, Ordering::Release);
        Pause(self)
    }

    /// Ends the series; returns its attempts if there was one.
    pub(super) fn end(&self) -> Option<u32> {
        let attempts = std::mem::take(&mut *lock(&self.attempts));
        (attempts > 0).then_some(attempts)
    }

    /// Whether a run that ended with this message will be repeated. From now on that can be cancelled.
    pub(super) fn announce(&self, settings: &SettingsManager, last: Option<&Arc<Message>>) -> bool {
        let policy = settings.retry();
        let retryable = last.and_then(|message| message.as_assistant()).is_some_and(is_retryable);
        *lock(&self.announced) = CancellationToken::new();
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
    let _pause = session.retry.begin_pause();
    let cancel = lock(&session.retry.announced).clone();
    let start = SessionEvent::AutoRetryStart {
        attempt,
        max_attempts: policy.max_retries,
        delay_ms: u64::try_from(delay.as_millis()).unwrap_or(u64::MAX),
        error_message: message.error_message.clone().unwrap_or_default(),
    };
    session.listeners.emit(start).await;
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
    Some((*attempts, policy.delay(*attempts)))
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
