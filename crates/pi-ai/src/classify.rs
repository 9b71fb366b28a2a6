//! What a failure means to whoever decides about the next step: try again, shorten the prompt, ask for a key.
//!
//! Messages of the transcript carry only the text of a failure, so the rules work on text; predicates on [`Error`]
//! use what the variant knows besides.

use std::sync::LazyLock;
use std::time::Duration;

use regex::RegexSet;

use crate::error::{AnswerError, Error, LoginError};
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
const TRANSIENT: [&str; 27] = [
    "overloaded",
    "throttling error",
    "provider.?returned.?error",
    "rate.?limit",
    "too many requests",
    // Not inside of larger numbers, such as token counts.
    r"\b(?:429|500|502|503|504)\b",
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

/// Credentials that were not accepted, under a status that does not say so. Case is ignored.
const REJECTED_KEY: [&str; 4] = [
    // Gemini.
    "api key not valid",
    "api_key_invalid",
    // Bedrock.
    "security token included in the request is (?:invalid|expired)",
    "ExpiredTokenException|UnrecognizedClientException|InvalidSignatureException",
];

static REJECTED_KEY_SET: LazyLock<RegexSet> = LazyLock::new(|| any_case(&REJECTED_KEY));
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
            Self::Login(LoginError::Refresh { source, .. }) => source.is_retryable(),
            Self::Login(LoginError::Request { retryable, .. }) => *retryable,
            Self::Answer(AnswerError::Http { status: 408 | 409 | 425 | 429 | 500.., message, .. }) => {
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
            Self::Credential(_) => true,
            Self::Answer(AnswerError::Http { status: 401 | 403, .. }) => true,
            Self::Answer(AnswerError::Http { status: 400..500, message, .. }) => REJECTED_KEY_SET.is_match(message),
            // What a retry may mend says nothing about the login.
            Self::Login(LoginError::Refresh { source, .. }) => !source.is_retryable(),
            _ => false,
        }
    }

    /// How long the server asked to wait.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Answer(AnswerError::Http { retry_after, .. }) => *retry_after,
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    //! What the patterns mean is tested in `tests/suite/formats/classification.rs`.

    use super::*;

    #[test]
    fn every_pattern_compiles() {
        assert_eq!(EXHAUSTED_SET.len(), EXHAUSTED.len());
        assert_eq!(TRANSIENT_SET.len(), TRANSIENT.len());
        assert_eq!(REJECTED_KEY_SET.len(), REJECTED_KEY.len());
    }
}
