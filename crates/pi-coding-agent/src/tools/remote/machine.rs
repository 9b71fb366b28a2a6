//! A machine that is reached by a shell: where all operations start.

use std::path::PathBuf;
use std::sync::Arc;

use super::script::Script;
use super::session::Session;
use super::shell::RemoteShell;
use super::transfer;
use crate::tools::operations::OperationError;

/// Another machine, for [`ToolOptions::on`](crate::tools::ToolOptions::on). It needs a POSIX shell and the usual tools,
/// those of busybox are enough; `rg` and `fd` are used where they are. Every operation is a shell of its own, so that one
/// that hangs does not hold up the others.
#[derive(Debug, Clone)]
pub struct RemoteMachine {
    pub(super) shell: Arc<dyn RemoteShell>,
    pub(super) command_shell: Option<String>,
}

impl RemoteMachine {
    /// The machine behind this shell. Nothing is connected before it is needed.
    pub fn new(shell: impl RemoteShell + 'static) -> Self {
        Self { shell: Arc::new(shell), command_shell: None }
    }

    /// Runs the commands of `bash` in this shell, a name or a path over there. Without it in `bash` where there is one,
    /// else in `sh`.
    #[must_use]
    pub fn with_command_shell(mut self, shell: impl Into<String>) -> Self {
        self.command_shell = Some(shell.into());
        self
    }

    /// The home directory over there, for [`ToolOptions::home`](crate::tools::ToolOptions). Also a way to find out whether
    /// the machine can be reached, before a model tries.
    ///
    /// # Errors
    /// When the machine cannot be reached; the text says what to do.
    pub async fn home(&self) -> Result<PathBuf, OperationError> {
        let mut session = self.start(Script::new(include_str!("scripts/home.sh"))).await?;
        let (home, _) = session.data_and_record().await?;
        Ok(transfer::path_of(home))
    }

    pub(super) async fn start(&self, script: Script) -> Result<Session, OperationError> {
        Session::start(&self.shell, script).await
    }
}
