//! Why an answer of a server is no complete message: an error status, an error in the stream, a stream that cannot be read.

use std::time::Duration;

/// The server answered, but not with a complete message.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum AnswerError {
    /// The server answered with an error status.
    #[error("{message}")]
    Http {
        /// HTTP status.
        status: u16,
        /// Text as the wire format words it, status included.
        message: String,
        /// How long the server asks to wait.
        retry_after: Option<Duration>,
    },
    /// The server reported an error inside the stream, or an error-type stop reason.
    #[error("{message}")]
    Provider {
        /// The provider's words.
        message: String,
    },
    /// The answer is larger than any that the model's output limit allows. What came is kept. The same call would bring
    /// the same again, and a shorter prompt changes nothing: the text is neither one that is retried nor an overflow.
    #[error(
        "The answer was stopped at {} MiB, which is more than the output limit of the model allows. What arrived before is \
         kept. Check the server, or maxTokens of the model in models.json.",
        limit >> 20
    )]
    TooLarge {
        /// The limit in bytes.
        limit: u64,
    },
    /// The stream held something that is not of the wire format.
    #[error("{message}")]
    Decode {
        /// What could not be read.
        message: String,
    },
    /// The stream ended before the wire format's terminal event.
    #[error("{message}")]
    Incomplete {
        /// Which event was missing.
        message: String,
    },
    /// The provider sent a stop reason that this version does not know.
    #[error("Unhandled stop reason: {reason}")]
    UnhandledStopReason {
        /// The reason.
        reason: String,
    },
}
