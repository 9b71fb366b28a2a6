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
    /// `continue` was called on an empty transcript.
    #[error("No messages to continue from")]
    NothingToContinue,
    /// The transcript ends in a message that the model cannot answer.
    #[error("Cannot continue from message role: {role}")]
    CannotContinueFrom {
        /// Role of the last message.
        role: String,
    },
    /// The body of a request to a proxy cannot be read.
    #[error("The request is none that a proxy understands: {detail}")]
    ProxyRequest {
        /// What is wrong with it.
        detail: String,
    },
    /// A proxy was asked for a model that it does not offer.
    #[error("This proxy does not serve model \"{id}\" of provider \"{provider}\"")]
    ModelNotServed {
        /// Provider id.
        provider: String,
        /// Model id.
        id: String,
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
}
