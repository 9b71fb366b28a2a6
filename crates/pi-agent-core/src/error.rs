//! Misuse of the agent, one variant per condition. A failed model call is never an error: it is a message.

/// What a caller did at the wrong moment.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A prompt arrived while a run is in progress. Clients match on this text.
    #[error(
        "Agent is already processing a prompt. Use steer() or followUp() to queue messages, or wait for completion."
    )]
    PromptWhileRunning,
    /// `continue` was called while a run is in progress.
    #[error("Agent is already processing. Wait for completion before continuing.")]
    ContinueWhileRunning,
    /// A loop was to continue an empty context.
    #[error("Cannot continue: no messages in context")]
    EmptyContext,
    /// `continue` was called on an empty transcript.
    #[error("No messages to continue from")]
    NothingToContinue,
    /// The transcript ends in a message that the model cannot answer.
    #[error("Cannot continue from message role: {role}")]
    CannotContinueFrom {
        /// Role of the last message.
        role: String,
    },
}

/// Why a run broke off: a listener, a hook or the stream function failed. Becomes a synthetic error message.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct RunFailure {
    message: String,
}

impl RunFailure {
    /// A failure with this text.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into() }
    }

    /// What is said when someone else's code panicked. The payload may be anything; the name is what helps.
    pub(crate) fn panic(what: &str) -> Self {
        Self::new(format!("{what} failed unexpectedly (it panicked)"))
    }
}

impl From<&str> for RunFailure {
    fn from(message: &str) -> Self {
        Self::new(message)
    }
}

impl From<String> for RunFailure {
    fn from(message: String) -> Self {
        Self::new(message)
    }
}
