//! Failures of extensions: the error of a handler, and its report.

use pi_ai::without_known_secrets;
use serde::Serialize;

/// Why a handler failed, in words for people.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct HandlerError {
    message: String,
    stack: Option<String>,
}

impl HandlerError {
    /// An error with this text.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), stack: None }
    }

    /// Adds where in the extension it happened.
    #[must_use]
    pub fn with_stack(mut self, stack: impl Into<String>) -> Self {
        self.stack = Some(stack.into());
        self
    }

    /// Where in the extension it happened, if that is known.
    pub fn stack(&self) -> Option<&str> {
        self.stack.as_deref()
    }

    /// The line of the stack that is in a file, and not in the program: where somebody would look first.
    pub(crate) fn place(&self) -> Option<&str> {
        place_in(self.stack()?)
    }
}

fn place_in(stack: &str) -> Option<&str> {
    stack.lines().find(|line| line.contains("(/"))
}

impl From<&str> for HandlerError {
    fn from(message: &str) -> Self {
        Self::new(message)
    }
}

impl From<String> for HandlerError {
    fn from(message: String) -> Self {
        Self::new(message)
    }
}

impl From<super::Error> for HandlerError {
    fn from(error: super::Error) -> Self {
        Self::new(error.to_string())
    }
}

// A handler reads files and JSON with `?`. There is no conversion from every error: this one is an error itself.
impl From<std::io::Error> for HandlerError {
    fn from(error: std::io::Error) -> Self {
        Self::new(error.to_string())
    }
}

impl From<serde_json::Error> for HandlerError {
    fn from(error: serde_json::Error) -> Self {
        Self::new(error.to_string())
    }
}

/// For what has neither text nor type of its own here: `Err(Box::from(error))?`.
impl From<Box<dyn std::error::Error + Send + Sync>> for HandlerError {
    fn from(error: Box<dyn std::error::Error + Send + Sync>) -> Self {
        Self::new(error.to_string())
    }
}

/// A failure of an extension, as listeners and clients are told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ExtensionError {
    /// The extension, `command:NAME` for a command, the file of a skill, or `<runtime>`.
    pub extension_path: String,
    /// What it was doing: the name of an event, `command`, `register_provider`, `send_message`, …
    pub event: String,
    /// What went wrong.
    pub error: String,
    /// Where in the extension, if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stack: Option<String>,
}

impl ExtensionError {
    /// The report of a failure.
    pub fn new(extension_path: impl Into<String>, event: impl Into<String>, error: &HandlerError) -> Self {
        Self {
            extension_path: extension_path.into(),
            event: event.into(),
            // What a handler threw may hold what it asked the program for: a key, or an answer that repeats one.
            error: without_known_secrets(&error.to_string()),
            stack: error.stack().map(without_known_secrets),
        }
    }
}

/// For people: the failure, and where it was on a line of its own.
impl std::fmt::Display for ExtensionError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Extension error ({}): {}", self.extension_path, self.error)?;
        self.stack.as_deref().and_then(place_in).map_or(Ok(()), |place| write!(f, "\n{place}"))
    }
}
