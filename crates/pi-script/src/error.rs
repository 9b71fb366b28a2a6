//! What can go wrong with scripts.

use std::path::PathBuf;

/// Failures of this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A script threw, or a promise of it was rejected.
    #[error(transparent)]
    Script(#[from] ScriptError),
    /// The thread of the engine could not be started.
    #[error("The thread of the script engine could not be started: {0}")]
    Thread(#[source] std::io::Error),
    /// The engine could not be set up.
    #[error("The script engine could not be set up: {0}")]
    Setup(String),
    /// The engine was stopped; `reason` says why.
    #[error("The script engine was stopped: {reason}")]
    Stopped {
        /// Why.
        reason: String,
    },
    /// A script did not answer in time.
    #[error("The script did not answer within {} s", limit.as_secs_f64())]
    Overdue {
        /// How long it was given.
        limit: std::time::Duration,
    },
    /// There is no async runtime on which the engine could do its work.
    #[error("Script engines need a tokio runtime; start them inside one")]
    NoRuntime,
    /// A file could not be read.
    #[error("{} cannot be read: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        source: std::io::Error,
    },
    /// A file is not what its name says.
    #[error("{0}")]
    Syntax(String),
}

/// What a script threw.
#[derive(Debug, Clone, Default, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ScriptError {
    /// The class, such as `TypeError`; empty when what was thrown is no error.
    pub name: String,
    /// The message, or the thrown value as text.
    pub message: String,
    /// The `code` that Node's errors have.
    pub code: Option<String>,
    /// The stack, in terms of the source files.
    pub stack: Option<String>,
    /// Whether what was thrown is an error, and not some other value.
    pub is_error: bool,
}

impl ScriptError {
    /// A failure in words.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), is_error: true, ..Self::default() }
    }
}
