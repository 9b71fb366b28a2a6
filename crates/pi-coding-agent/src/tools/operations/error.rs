//! Why an operation failed: an error code by name and a sentence, as the model sees them.

use std::io;
use std::path::Path;

use futures::future::BoxFuture;
use pi_agent_core::ToolError;

use crate::tools::errno;

/// Why an operation failed, in the form that the model sees.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct OperationError {
    code: Option<String>,
    message: String,
}

impl OperationError {
    /// An error without a code.
    pub fn new(message: impl Into<String>) -> Self {
        Self { code: None, message: message.into() }
    }

    /// An error with a symbolic code such as `ENOENT`.
    pub fn with_code(code: impl Into<String>, message: impl Into<String>) -> Self {
        Self { code: Some(code.into()), message: message.into() }
    }

    /// What an operation answers when it was aborted.
    pub fn aborted() -> Self {
        Self::new(ToolError::aborted().to_string())
    }

    /// The form of the reference's runtime: `{CODE}: {sentence}, {syscall} '{path}'`, without the path where the
    /// call works on an open file.
    pub(crate) fn from_io(error: &io::Error, syscall: &str, path: Option<&Path>) -> Self {
        let place = path.map(|path| format!(" '{}'", path.display())).unwrap_or_default();
        match errno::describe(error) {
            Some((code, text)) => Self::with_code(code, format!("{code}: {text}, {syscall}{place}")),
            None => Self::new(format!("{error}, {syscall}{place}")),
        }
    }

    /// The same form, for a code that another machine reported.
    #[cfg(any(feature = "container", feature = "ssh"))]
    pub(in crate::tools) fn from_code(code: &str, syscall: &str, path: Option<&Path>) -> Self {
        let place = path.map(|path| format!(" '{}'", path.display())).unwrap_or_default();
        let sentence = errno::sentence(code).unwrap_or("unknown error");
        Self::with_code(code, format!("{code}: {sentence}, {syscall}{place}"))
    }

    /// The symbolic code, if there is one.
    pub fn code(&self) -> Option<&str> {
        self.code.as_deref()
    }
}

impl From<OperationError> for ToolError {
    fn from(error: OperationError) -> Self {
        Self::new(error.message)
    }
}

/// What an operation returns.
pub type OperationResult<'a, T> = BoxFuture<'a, Result<T, OperationError>>;
