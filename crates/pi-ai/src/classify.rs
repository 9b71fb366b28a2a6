//! What a failure means to whoever decides about the next step: try again, shorten the prompt, ask for a key.
//!
//! Messages of the transcript carry only the text of a failure, so the rules work on text; predicates on [`Error`]
//! use what the variant knows besides.

use std::sync::LazyLock;
use std::time::Duration;

use regex::RegexSet;

use crate::error::Error;
use crate::overflow::{any_case, is_overflow_text};

/// Exhausted budgets: waiting a few seconds does not help. Case is ignored.
const EXHAUSTED: [&str; 8] = [
    "GoUsageLimitError",
    "FreeUsageLimitError",
    "Monthly usage limit reached",
    "available balance",
    "insufficient_quota",
    "out of budget",
    "quota exceeded",
    "billing",
];

/// Failures that often pass. Case is ignored.
const TRANSIENT: [&str; 30] = [
    "overloaded",
    "provider.?returned.?error",
    "rate.?limit",
    "too many requests",
    "429",
    "500",
    "502",
    "503",
    "504",
    "service.?unavailable",
    "server.?error",
    "internal.?error",
    "network.?error",
    "connection.?error",
    "connection.?refused",
    "connection.?lost",
    "websocket.?closed",
    "websocket.?error",
    "other side closed",
    "fetch failed",
    "upstream.?connect",
    "reset before headers",
    "socket hang up",
    "ended without",
    "stream ended before message_stop",
    "http2 request did not get a response",
    "timed? out",
    "timeout",
    "terminated",
    "retry delay",
];

static EXHAUSTED_SET: LazyLock<RegexSet> = LazyLock::new(|| any_case(&EXHAUSTED));
static TRANSIENT_SET: LazyLock<RegexSet> = LazyLock::new(|| any_case(&TRANSIENT));

/// Whether an error text names an exhausted budget or quota, which no retry mends.
pub fn is_exhausted_text(text: &str) -> bool {
    EXHAUSTED_SET.is_match(text)
}

/// Whether the call behind an error text is worth repeating unchanged.
pub fn is_retryable_text(text: &str) -> bool {
    !is_exhausted_text(text) && !is_overflow_text(text) && TRANSIENT_SET.is_match(text)
}

impl Error {
    /// Whether the same call may succeed when it is repeated.
    pub fn is_retryable(&self) -> bool {
        match self {
            Self::Aborted => false,
            Self::OAuthRefresh { source, .. } => source.is_retryable(),
            Self::OAuthRequest { retryable, .. } => *retryable,
            Self::Http { status: 408 | 409 | 425 | 429 | 500.., message, .. } => {
                !is_exhausted_text(message) && !is_overflow_text(message)
            }
            other => is_retryable_text(&other.to_string()),
        }
    }

    /// Whether the prompt did not fit the model's context window.
    pub fn is_overflow(&self) -> bool {
        is_overflow_text(&self.to_string())
    }

    /// Whether a key is missing or was not accepted.
    pub fn is_auth(&self) -> bool {
        match self {
            Self::MissingApiKey { .. }
            | Self::UnusableKey { .. }
            | Self::Credentials { .. }
            | Self::Http { status: 401 | 403, .. } => true,
            // What a retry may mend says nothing about the login.
            Self::OAuthRefresh { source, .. } => !source.is_retryable(),
            _ => false,
        }
    }

    /// How long the server asked to wait.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Http { retry_after, .. } => *retry_after,
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn http(status: u16, message: &str) -> Error {
        Error::Http { status, message: message.into(), retry_after: Some(Duration::from_secs(3)) }
    }

    #[test]
    fn every_pattern_compiles() {
        assert_eq!(EXHAUSTED_SET.len(), EXHAUSTED.len());
        assert_eq!(TRANSIENT_SET.len(), TRANSIENT.len());
    }

    #[test]
    fn texts() {
        for text in [
            "529 {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\"}}",
            "Anthropic stream ended before message_stop",
            "Stream ended without finish_reason",
            "Connection error.",
            "Request timed out.",
            "fetch failed",
            "Provider finish_reason: network_error",
        ] {
            assert!(is_retryable_text(text), "{text}");
        }
        for text in [
            "429 You exceeded your current quota, please check your plan and billing details",
            "insufficient_quota (429)",
            "400 bad field",
            "The model refused to complete the request",
            "413 status code (no body)",
        ] {
            assert!(!is_retryable_text(text), "{text}");
        }
    }

    #[test]
    fn our_own_transport_errors_are_retryable_by_value_and_by_text() {
        let after = Duration::from_secs(1);
        for error in [
            Error::Timeout { after },
            Error::Stalled { after },
            Error::Connection { detail: "refused".into() },
            Error::Body { detail: "closed".into() },
            Error::Incomplete { message: "Stream ended without finish_reason".into() },
        ] {
            assert!(error.is_retryable(), "{error}");
            assert!(is_retryable_text(&error.to_string()), "{error}");
        }
        assert!(!Error::Aborted.is_retryable());
    }

    #[test]
    fn statuses() {
        assert!(http(520, "520 odd").is_retryable());
        assert!(!http(429, "429 insufficient_quota").is_retryable());
        assert!(!http(400, "400 bad").is_retryable());
        assert!(http(401, "401 no").is_auth());
        assert!(http(400, "400 prompt is too long").is_overflow());
        assert_eq!(http(429, "").retry_after(), Some(Duration::from_secs(3)));
        assert!(Error::MissingApiKey { provider: "x".into() }.is_auth());
    }
}
