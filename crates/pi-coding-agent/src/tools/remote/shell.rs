//! The seam: how to start a POSIX shell somewhere else.

use std::any::Any;
use std::fmt::{self, Debug};
use std::time::Duration;

use futures::future::BoxFuture;
use tokio::process::Command;

use crate::tools::operations::OperationError;

/// What every shell over there is started with: it reads one line from its standard input and evaluates it. The rest
/// follows the same way. So no path and no secret is ever an argument that other users could see, and no shell in
/// between has anything to misread: the text has no backslash, no `!` and no line break.
pub(super) const BOOTSTRAP: &str = r#"IFS= read -r s; eval "$s""#;

/// A way to start `sh` on another machine, in a container, as another user. Implement it for ways of your own.
pub trait RemoteShell: Debug + Send + Sync {
    /// What to call the place in messages, such as `me@build.example` or `docker web`. No secret may be in it.
    fn name(&self) -> &str;

    /// A command that runs `sh -c {script}` over there, its standard input, output and error connected to those of the
    /// command. Whoever implements it quotes `script` for what is in between; it holds double quotes, `$` and spaces. The
    /// shell should be gone, or at least find the end of its input, when the command is killed.
    ///
    /// # Errors
    /// When the place cannot be reached.
    fn command<'a>(&'a self, script: &'a str) -> BoxFuture<'a, Result<ShellCommand, OperationError>>;

    /// Why the shell did not answer, or not to the end, and the way out; `said` is what was on standard error.
    fn explain(&self, said: &str) -> String {
        let name = self.name();
        match said.trim() {
            "" => format!("Lost the connection to {name}: it ended without a word."),
            said => format!("Lost the connection to {name}: {said}"),
        }
    }

    /// How long the shell may take to answer.
    fn patience(&self) -> Duration {
        Duration::from_secs(30)
    }
}

/// A command that starts a shell, not started yet.
pub struct ShellCommand {
    pub(super) command: Command,
    pub(super) lease: Option<Box<dyn Any + Send + Sync>>,
}

impl ShellCommand {
    /// A command; its streams will be pipes.
    pub fn new(command: Command) -> Self {
        Self { command, lease: None }
    }

    /// Keeps something until the shell has ended, such as the place of the session on a shared connection.
    #[cfg(feature = "ssh")]
    #[must_use]
    pub(crate) fn holding(mut self, lease: impl Any + Send + Sync) -> Self {
        self.lease = Some(Box::new(lease));
        self
    }
}

impl Debug for ShellCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Arguments may hold secrets.
        f.debug_struct("ShellCommand").field("program", &self.command.as_std().get_program()).finish_non_exhaustive()
    }
}
