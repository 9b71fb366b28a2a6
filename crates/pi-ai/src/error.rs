//! What can go wrong, one variant per condition.
//!
//! Only misuse reaches a caller as `Err`. A failed model call ends its stream with a complete assistant message
//! whose `errorMessage` is the text of one of these; the value itself rides along in the terminal event.
//! Clients match on some of the texts (retry and overflow detection), so those are part of the interface.

use std::time::Duration;

/// A failure of this crate.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No implementation is registered for the model's wire format.
    #[error("No API provider registered for api: {api}{}", left_out(api))]
    UnknownApi {
        /// The model's `api`.
        api: String,
    },
    /// A model was handed to the implementation of another wire format.
    #[error("Mismatched api: {actual} expected {expected}")]
    MismatchedApi {
        /// The model's `api`.
        actual: String,
        /// The implementation's `api`.
        expected: String,
    },
    /// Neither the options nor the environment hold a key.
    #[error("No API key for provider: {provider}")]
    MissingApiKey {
        /// Provider id.
        provider: String,
    },
    /// The key or token is of a kind that the provider cannot use. The text does not repeat it.
    #[error("{message}")]
    UnusableKey {
        /// What was expected.
        message: String,
    },
    /// A transcript holds an image of a kind that the wire format cannot carry.
    #[error("Unknown image type: {mime_type}")]
    UnknownImageType {
        /// MIME type of the image.
        mime_type: String,
    },
    /// A base URL needs a variable that is not set.
    #[error("{name} is required for provider {provider} but is not set.")]
    MissingVariable {
        /// Environment variable.
        name: String,
        /// Provider id.
        provider: String,
    },
    /// Something that a wire format needs was given neither in the options nor in the environment.
    #[error("{message}")]
    MissingSetting {
        /// What is missing, and where it can be set.
        message: String,
    },
    /// Credentials that the wire format looks for by itself are missing, cannot be read or were not accepted.
    #[error("Cannot authenticate with provider {provider}: {detail}.")]
    Credentials {
        /// Provider id.
        provider: String,
        /// What is wrong with which credentials, without secrets.
        detail: String,
    },
    /// The base URL cannot be parsed.
    #[error("Invalid base URL \"{url}\" of provider {provider}: {detail}")]
    InvalidUrl {
        /// The text that was given, without a query.
        url: String,
        /// Provider id.
        provider: String,
        /// The parser's words.
        detail: String,
    },
    /// A header name or value is not legal in HTTP. The value is not repeated: it may be a secret.
    #[error("Invalid request header \"{name}\": {detail}")]
    InvalidHeader {
        /// Header name.
        name: String,
        /// What is wrong with it.
        detail: String,
    },
    /// The caller cancelled.
    #[error("Request was aborted")]
    Aborted,
    /// No response headers within the time limit.
    #[error("Request timed out. No response headers within {} s.", .after.as_secs_f64())]
    Timeout {
        /// The limit.
        after: Duration,
    },
    /// The connection could not be made or broke before response headers arrived.
    #[error("Connection error. {detail}")]
    Connection {
        /// What the network layer said, without secrets.
        detail: String,
    },
    /// No connection can be tried, whoever is asked: a proxy variable that cannot be used, no certificates. Another try
    /// changes nothing, and the text says so by not being one of those that are retried.
    #[error("Network setup: {detail}")]
    NetworkSetup {
        /// What is in the way, and what to change; without secrets.
        detail: String,
    },
    /// The connection broke while the body was read.
    #[error("Connection lost while reading the response: {detail}")]
    Body {
        /// What the network layer said.
        detail: String,
    },
    /// A WebSocket could not be opened, broke, or was closed before the answer was complete.
    #[error("{detail}")]
    WebSocket {
        /// What happened, in words that begin with `WebSocket`.
        detail: String,
        /// Why the other side closed it: the code of its close frame, or one that stands for a missing frame.
        code: Option<u16>,
    },
    /// The stream stayed open but carried nothing of meaning for too long; keep-alives do not count.
    #[error("Stream timed out: no data from the model for {} s. The request can be retried; the limit is the stall timeout.", .after.as_secs_f64())]
    Stalled {
        /// The limit.
        after: Duration,
    },
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
    AnswerTooLarge {
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
    /// A hook of the caller failed.
    #[error("{hook} hook failed: {message}")]
    Hook {
        /// Which hook.
        hook: &'static str,
        /// Its words.
        message: String,
    },
    /// A cassette could not be read or does not fit the run.
    #[error("{message}")]
    Cassette {
        /// What is wrong, at which request.
        message: String,
    },
    /// A scripted provider has nothing left to say, or its script failed.
    #[error("{message}")]
    Script {
        /// What is wrong.
        message: String,
    },
    /// The schema of a tool cannot be used.
    #[error("The argument schema of tool \"{tool}\" is not a usable JSON Schema: {detail}")]
    InvalidSchema {
        /// Tool name.
        tool: String,
        /// What is wrong with the schema.
        detail: String,
    },
    /// Tool arguments do not fit the tool's schema; the text lists every mismatch.
    #[error("{message}")]
    InvalidArguments {
        /// The report.
        message: String,
    },
    /// No OAuth login is known for a provider.
    #[error("Unknown OAuth provider: {provider}")]
    UnknownOAuthProvider {
        /// Provider id.
        provider: String,
    },
    /// A login was cancelled by the user or the caller.
    #[error("Login cancelled")]
    LoginCancelled,
    /// The provider, or the user in the browser, refused a login.
    #[error("The login was refused: {detail}")]
    LoginRefused {
        /// The provider's words.
        detail: String,
    },
    /// What came back belongs to another login than the one that waits for it.
    #[error("OAuth state mismatch")]
    OAuthStateMismatch,
    /// Neither the browser nor the user gave an authorization code.
    #[error("Missing authorization code")]
    MissingAuthorizationCode,
    /// A request of a login failed.
    #[error("{message}")]
    OAuthRequest {
        /// Which request, and why; without tokens.
        message: String,
        /// Whether the same request may succeed later: the network or the server is to blame, not the login.
        retryable: bool,
    },
    /// A login could not be renewed; the source says why.
    #[error("Failed to refresh OAuth token for {provider}")]
    OAuthRefresh {
        /// Provider id.
        provider: String,
        /// The reason.
        source: Box<Error>,
    },
    /// The user did not confirm a device login in time.
    #[error("{}", if *slowed_down { DEVICE_SLOWED_DOWN } else { DEVICE_TIMED_OUT })]
    DeviceFlowTimedOut {
        /// Whether the server complained about the pace, which hints at a clock that jumps.
        slowed_down: bool,
    },
    /// The provider ended a device login.
    #[error("Device flow failed: {error}{}", .description.as_ref().map(|text| format!(": {text}")).unwrap_or_default())]
    DeviceFlow {
        /// The provider's error code.
        error: String,
        /// The provider's explanation.
        description: Option<String>,
    },
    /// A provider wants the user to open something that is not a web page.
    #[error("Untrusted verification_uri in device code response")]
    UntrustedVerificationUri,
    /// What was entered is not a host name.
    #[error("Invalid GitHub Enterprise URL/domain")]
    InvalidEnterpriseDomain,
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

impl Error {
    /// Whether this is the caller's own cancellation.
    pub fn is_aborted(&self) -> bool {
        matches!(self, Self::Aborted)
    }
}

/// Wire formats that a build can leave out: their name, the feature that brings them, and whether it is on.
const OPTIONAL: [(&str, &str, bool); 1] = [("bedrock-converse-stream", "bedrock", cfg!(feature = "bedrock"))];

/// What to say about a format that this build leaves out.
fn left_out(api: &str) -> String {
    let missing = OPTIONAL.iter().find(|(name, _, is_on)| *name == api && !is_on);
    missing.map_or_else(String::new, |(_, feature, _)| format!(" (this build leaves out the feature \"{feature}\")"))
}
