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

impl Activity {
    /// Waits until a command may start, and begins.
    ///
    /// # Errors
    /// When the session was closed.
    pub(in crate::agent_session) async fn begin_command(&self) -> Result<RunningCommand<'_>, Refusal> {
        let cancel = CancellationToken::new();
        self.start(Request::Command, |state| state.commands.push(cancel.clone())).await?;
        Ok(RunningCommand { activity: self, cancel })
    }

    /// Whether a command runs.
    pub(in crate::agent_session) fn has_command(&self) -> bool {
        !self.state.borrow().commands.is_empty()
    }

    /// Kills the command that was started last.
    pub(in crate::agent_session) fn cancel_last_command(&self) {
        let last = self.state.borrow().commands.last().cloned();
        // Not under the lock: cancelling wakes others.
        if let Some(last) = last {
            last.cancel();
        }
    }

    /// Kills all commands.
    pub(in crate::agent_session) fn cancel_commands(&self) {
        let running = self.state.borrow().commands.clone();
        running.iter().for_each(CancellationToken::cancel);
    }

    /// Waits until no command runs. Their futures have to be polled meanwhile.
    pub(in crate::agent_session) async fn commands_are_over(&self) {
        self.poll(|state, _| state.commands.is_empty().then_some(())).await;
    }
}
