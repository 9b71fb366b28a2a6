//! Why a login (OAuth) or its renewal fails. The credentials of calls are in `credential.rs`.

use super::Error;

/// A login, or the renewal of one, failed.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum LoginError {
    /// No OAuth login is known for a provider.
    #[error("Unknown OAuth provider: {provider}")]
    UnknownProvider {
        /// Provider id.
        provider: String,
    },
    /// A login was cancelled by the user or the caller.
    #[error("Login cancelled")]
    Cancelled,
    /// The provider, or the user in the browser, refused a login.
    #[error("The login was refused: {detail}")]
    Refused {
        /// The provider's words.
        detail: String,
    },
    /// What came back belongs to another login than the one that waits for it.
    #[error("OAuth state mismatch")]
    StateMismatch,
    /// Neither the browser nor the user gave an authorization code.
    #[error("Missing authorization code")]
    MissingCode,
    /// A request of a login failed.
    #[error("{message}")]
    Request {
        /// Which request, and why; without tokens.
        message: String,
        /// Whether the same request may succeed later: the network or the server is to blame, not the login.
        retryable: bool,
    },
    /// A login could not be renewed; the source says why.
    #[error("Failed to refresh OAuth token for {provider}")]
    Refresh {
        /// Provider id.
        provider: String,
        /// The reason.
        source: Box<Error>,
    },
    /// The user did not confirm a device login in time.
    #[error("{}", if *slowed_down { DEVICE_SLOWED_DOWN } else { DEVICE_TIMED_OUT })]
    DeviceTimedOut {
        /// Whether the server complained about the pace, which hints at a clock that jumps.
        slowed_down: bool,
    },
    /// The provider ended a device login.
    #[error("Device flow failed: {error}{}", .description.as_ref().map(|text| format!(": {text}")).unwrap_or_default())]
    Device {
        /// The provider's error code.
        error: String,
        /// The provider's explanation.
        description: Option<String>,
    },
    /// A provider wants the user to open something that is not a web page.
    #[error("Untrusted verification_uri in device code response")]
    UntrustedUri,
    /// What was entered is not a host name.
    #[error("Invalid GitHub Enterprise URL/domain")]
    InvalidDomain,
    /// The system has no random numbers to give.
    #[error("The system gave no random bytes: {detail}")]
    NoEntropy {
        /// What the system said.
        detail: String,
    },
}

const DEVICE_TIMED_OUT: &str = "Device flow timed out";
const DEVICE_SLOWED_DOWN: &str = "Device flow timed out after one or more slow_down responses. This is often caused by \
    clock drift in WSL or VM environments. Please sync or restart the VM clock and try again.";
