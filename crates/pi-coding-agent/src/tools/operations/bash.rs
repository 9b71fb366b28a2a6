//! The seam between the `bash` tool and the machine that runs its commands.

use std::ffi::OsString;
use std::fmt::{self, Debug};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures::future::BoxFuture;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

/// Runs shell commands.
pub trait BashOperations: Debug + Send + Sync {
    /// Runs one command to its end. Output goes to `request.output` as it comes, standard output and standard error
    /// in one stream. The command must be gone, with all it started, soon after `request.cancel` fires, when the
    /// time is up, or when the future is dropped.
    ///
    /// # Errors
    /// When the command did not come to its own end.
    fn exec(&self, request: BashRequest) -> BoxFuture<'_, Result<BashExit, BashError>>;
}

/// What shall run.
#[derive(Debug, Clone)]
pub struct BashSpawn {
    /// Text for the shell.
    pub command: String,
    /// Working directory, absolute.
    pub cwd: PathBuf,
    /// The whole environment; of variables of the same name the last one counts.
    pub env: Vec<(OsString, OsString)>,
}

/// A command and how to accompany it.
#[derive(Debug)]
pub struct BashRequest {
    /// What shall run.
    pub spawn: BashSpawn,
    /// Receives the output. The queue is short: sending waits until the receiver has caught up.
    pub output: mpsc::Sender<Bytes>,
    /// Ends the command.
    pub cancel: CancellationToken,
    /// Ends the command after this time.
    pub timeout: Option<Duration>,
}

/// How a command ended by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BashExit {
    /// With this exit code.
    Code(i32),
    /// By this signal.
    Signal(i32),
    /// In a way that the operations cannot tell.
    Unknown,
}

/// Why a command did not come to its own end.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BashError {
    /// `cancel` fired.
    #[error("aborted")]
    Aborted,
    /// The time was up.
    #[error("timed out")]
    TimedOut,
    /// It could not be started or watched; the text is for the model.
    #[error("{0}")]
    Failed(String),
}

/// A last change to a command before it runs: another shell line, directory or environment.
#[derive(Clone)]
pub struct SpawnHook(Arc<dyn Fn(BashSpawn) -> BashSpawn + Send + Sync>);

impl SpawnHook {
    /// A hook that calls this function, after the command prefix has been added.
    pub fn new(hook: impl Fn(BashSpawn) -> BashSpawn + Send + Sync + 'static) -> Self {
        Self(Arc::new(hook))
    }

    pub(in crate::tools) fn apply(&self, spawn: BashSpawn) -> BashSpawn {
        (self.0)(spawn)
    }
}

impl Debug for SpawnHook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SpawnHook")
    }
}
