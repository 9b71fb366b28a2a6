//! Commands of the user. Several may run at a time, also during a run.

use tokio_util::sync::CancellationToken;

use super::{Activity, Refusal, Request};

/// A command that runs until this is dropped.
pub(in crate::agent_session) struct RunningCommand<'a> {
    activity: &'a Activity,
    /// Kills it.
    pub(in crate::agent_session) cancel: CancellationToken,
}

impl Drop for RunningCommand<'_> {
    fn drop(&mut self) {
        self.activity.state.send_modify(|state| state.commands.retain(|other| *other != self.cancel));
    }
}

/// The commands of the user.
pub(in crate::agent_session) struct Commands<'a>(&'a Activity);

impl Activity {
    /// The commands of the user.
    pub(in crate::agent_session) fn commands(&self) -> Commands<'_> {
        Commands(self)
    }
}

impl<'a> Commands<'a> {
    /// Waits until a command may start, and begins.
    ///
    /// # Errors
    /// When the session was closed.
    pub(in crate::agent_session) async fn begin(&self) -> Result<RunningCommand<'a>, Refusal> {
        let cancel = CancellationToken::new();
        self.0.start(Request::Command, |state| state.commands.push(cancel.clone())).await?;
        Ok(RunningCommand { activity: self.0, cancel })
    }

    /// Whether none runs.
    pub(in crate::agent_session) fn is_empty(&self) -> bool {
        self.0.state.borrow().commands.is_empty()
    }

    /// Kills the one that was started last.
    pub(in crate::agent_session) fn cancel_last(&self) {
        let last = self.0.state.borrow().commands.last().cloned();
        // Not under the lock: cancelling wakes others.
        if let Some(last) = last {
            last.cancel();
        }
    }

    /// Kills all of them.
    pub(in crate::agent_session) fn cancel_all(&self) {
        let running = self.0.state.borrow().commands.clone();
        running.iter().for_each(CancellationToken::cancel);
    }

    /// Waits until none runs. Their futures have to be polled meanwhile.
    pub(in crate::agent_session) async fn are_over(&self) {
        self.0.poll(|state, _| state.commands.is_empty().then_some(())).await;
    }
}
