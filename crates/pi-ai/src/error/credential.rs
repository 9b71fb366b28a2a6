//! Why a call has no usable key, token or cloud credentials. Logins are in `login.rs`.

/// A call has no credentials that it can use.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum CredentialError {
    /// Neither the options nor the environment hold a key.
    #[error("No API key for provider: {provider}")]
    MissingKey {
        /// Provider id.
        provider: String,
    },
    /// The key or token is of a kind that the provider cannot use. The text does not repeat it.
    #[error("{message}")]
    UnusableKey {
        /// What was expected.
        message: String,
    },
    /// Credentials that the wire format looks for by itself are missing, cannot be read or were not accepted.
    #[error("Cannot authenticate with provider {provider}: {detail}.")]
    Unavailable {
        /// Provider id.
        provider: String,
        /// What is wrong with which credentials, without secrets.
        detail: String,
    },
}
