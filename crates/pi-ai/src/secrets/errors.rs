//! Credentials in the texts of errors, which end up in session files and on screens.

use super::Secrets;
use crate::error::{AnswerError, CredentialError, Error, LoginError, NetworkError, RequestError};

/// Bytes of an error text that are kept: those of an error body, and words around it. Some formats repeat the frame that
/// they cannot read, which may be huge.
const LONGEST: usize = 68 * 1024;

impl Secrets {
    /// The error without these credentials, and without those that the process has read; its text is of bounded length.
    #[must_use]
    pub fn taken_out_of(&self, mut error: Error) -> Error {
        if let Some(text) = text_of(&mut error) {
            *text = self.redact(text);
            shorten(text);
        }
        error
    }
}

/// Cuts off what is too long, after credentials were taken out: half of one would not be found.
fn shorten(text: &mut String) {
    let rest = text.len().saturating_sub(LONGEST);
    if rest > 0 {
        text.truncate(text.floor_char_boundary(LONGEST));
        text.push_str(&format!("… [{rest} more bytes]"));
    }
}

/// The part of an error that somebody else worded, a server above all.
fn text_of(error: &mut Error) -> Option<&mut String> {
    match error {
        Error::Request(RequestError::InvalidUrl { url, .. }) => Some(url),
        Error::Credential(CredentialError::Unavailable { detail, .. }) => Some(detail),
        Error::Network(error) => text_of_network(error),
        Error::Answer(error) => text_of_answer(error),
        Error::Login(error) => text_of_login(error),
        Error::Cassette { message } | Error::Hook { message, .. } | Error::Script { message } => Some(message),
        Error::Aborted | Error::Request(_) | Error::Credential(_) | Error::Validation(_) => None,
    }
}

fn text_of_network(error: &mut NetworkError) -> Option<&mut String> {
    match error {
        NetworkError::Connection { detail }
        | NetworkError::Setup { detail }
        | NetworkError::Body { detail }
        | NetworkError::WebSocket { detail, .. } => Some(detail),
        NetworkError::Timeout { .. } | NetworkError::Stalled { .. } => None,
    }
}

fn text_of_answer(error: &mut AnswerError) -> Option<&mut String> {
    match error {
        AnswerError::Http { message, .. }
        | AnswerError::Provider { message }
        | AnswerError::Decode { message }
        | AnswerError::Incomplete { message } => Some(message),
        AnswerError::UnhandledStopReason { reason } => Some(reason),
        AnswerError::TooLarge { .. } => None,
    }
}

fn text_of_login(error: &mut LoginError) -> Option<&mut String> {
    match error {
        LoginError::Request { message, .. } => Some(message),
        LoginError::Refused { detail } => Some(detail),
        LoginError::Refresh { source, .. } => text_of(source),
        _ => None,
    }
}
