//! What can go wrong: [`Error`] composes one enum per area, each with a variant per condition.
//!
//! Only misuse reaches a caller as `Err`. A failed model call ends its stream with a complete assistant message
//! whose `errorMessage` is the text of one of these; the terminal event carries the value itself.
//! Clients match on some of the texts (retry and overflow detection), so those are part of the interface. What an error
//! means for the next step (retry, compact, ask for a key) is decided in `classify.rs`.

mod answer;
mod credential;
mod login;
mod network;
mod request;
mod validation;

pub use answer::AnswerError;
pub use credential::CredentialError;
pub use login::LoginError;
pub use network::NetworkError;
pub use request::RequestError;
pub use validation::ValidationError;

/// A failure of this crate.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The caller cancelled.
    #[error("Request was aborted")]
    Aborted,
    /// The request could not be built.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// The call has no usable credentials.
    #[error(transparent)]
    Credential(#[from] CredentialError),
    /// The connection failed.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// The server's answer is not a complete message.
    #[error(transparent)]
    Answer(#[from] AnswerError),
    /// A login, or its renewal, failed.
    #[error(transparent)]
    Login(#[from] LoginError),
    /// A tool's schema or arguments are not valid.
    #[error(transparent)]
    Validation(#[from] ValidationError),
    /// A hook of the caller failed.
    #[error("{hook} hook failed: {message}")]
    Hook {
        /// Which hook.
        hook: &'static str,
        /// The hook's error text.
        message: String,
    },
    /// A cassette could not be read or does not fit the run.
    #[error("{message}")]
    Cassette {
        /// What is wrong, at which request.
        message: String,
    },
    /// A scripted provider has no answer left, or its script failed.
    #[error("{message}")]
    Script {
        /// What is wrong.
        message: String,
    },
}

impl Error {
    /// Whether this is the caller's own cancellation.
    pub fn is_aborted(&self) -> bool {
        matches!(self, Self::Aborted)
    }
}
