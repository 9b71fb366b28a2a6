//! Credentials in the texts of errors, which end up in session files and on screens.

use super::{Secrets, without_known_secrets};
use crate::error::Error;

/// Bytes of an error text that are kept: those of an error body, and words around it. Some formats repeat the frame that
/// they cannot read, which may be huge.
const LONGEST: usize = 68 * 1024;

impl Secrets {
    /// The error without these credentials, and without those that the process has read; its text is of bounded length.
    #[must_use]
    pub fn taken_out_of(&self, mut error: Error) -> Error {
        if let Some(text) = text_of(&mut error) {
            *text = without_known_secrets(&self.redact(text));
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
        Error::Http { message, .. }
        | Error::Provider { message }
        | Error::Decode { message }
        | Error::Incomplete { message }
        | Error::Cassette { message }
        | Error::Hook { message, .. }
        | Error::OAuthRequest { message, .. }
        | Error::Script { message } => Some(message),
        Error::Connection { detail }
        | Error::Credentials { detail, .. }
        | Error::LoginRefused { detail }
        | Error::NetworkSetup { detail }
        | Error::Body { detail }
        | Error::WebSocket { detail, .. } => Some(detail),
        Error::InvalidUrl { url, .. } => Some(url),
        Error::OAuthRefresh { source, .. } => text_of(source),
        Error::UnhandledStopReason { reason } => Some(reason),
        _ => None,
    }
}
