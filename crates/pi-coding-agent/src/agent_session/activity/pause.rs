//! The pause between a failed model call and the next attempt. It can be ended from the moment on in which the retry is
//! announced, which is before the pause begins.

use tokio_util::sync::CancellationToken;

use super::Activity;

/// How far retrying is.
#[derive(Default)]
pub(super) struct Retry {
    /// Cancelled by whoever does not want the retry that was announced last.
    announced: CancellationToken,
    /// The pauses that go on: each prompt may have one.
    pauses: Vec<CancellationToken>,
}

impl Retry {
    pub(super) fn is_pausing(&self) -> bool {
        !self.pauses.is_empty()
    }
}

/// A pause that goes on until this is dropped.
pub(in crate::agent_session) struct Pause<'a> {
    activity: &'a Activity,
    /// Ends it, and with it the series.
    pub(in crate::agent_session) cancel: CancellationToken,
}

impl Drop for Pause<'_> {
    fn drop(&mut self) {
        self.activity.state.send_modify(|state| {
            let pauses = &mut state.retry.pauses;
            if let Some(at) = pauses.iter().position(|other| *other == self.cancel) {
                pauses.remove(at);
            }
        });
    }
}

impl Activity {
    /// A run ended that may be repeated. From now on that can be cancelled.
    pub(in crate::agent_session) fn announce_retry(&self) {
        self.state.send_modify(|state| state.retry.announced = CancellationToken::new());
    }

    /// The pause before the retry that was announced begins.
    pub(in crate::agent_session) fn begin_pause(&self) -> Pause<'_> {
        let mut cancel = CancellationToken::new();
        self.state.send_modify(|state| {
            cancel = state.retry.announced.clone();
            state.retry.pauses.push(cancel.clone());
        });
        Pause { activity: self, cancel }
    }

    /// Ends the pause and with it the series, also one that was only announced.
    pub(in crate::agent_session) fn cancel_retry(&self) {
        let cancelled: Vec<_> = {
            let state = self.state.borrow();
            state.retry.pauses.iter().chain([&state.retry.announced]).cloned().collect()
        };
        // Not under the lock: cancelling wakes others.
        cancelled.iter().for_each(CancellationToken::cancel);
    }

    /// Whether the session waits for the next attempt.
    pub(in crate::agent_session) fn is_pausing(&self) -> bool {
        self.state.borrow().retry.is_pausing()
    }

    /// Waits until no pause goes on and the end of a cancelled one was told. A pause lives in the future of its prompt:
    /// that has to be polled meanwhile.
    pub(in crate::agent_session) async fn pause_is_over(&self) {
        self.poll(|state, _| (!state.retry.is_pausing()).then_some(())).await;
    }
}
