//! Servers repeat credentials in their complaints ("invalid key sk-…"). Error texts end up in session files and on
//! screens, so the credentials of the request are taken out of them.

use crate::error::Error;
use crate::options::StreamOptions;

/// Takes the place of a credential.
const REDACTED: &str = "REDACTED";
/// Shorter values would match by chance.
const SHORTEST: usize = 8;

/// The error without the credentials that the caller gave.
pub(crate) fn without_credentials(mut error: Error, options: &StreamOptions) -> Error {
    if let Some(text) = text_of(&mut error) {
        for secret in credentials(options) {
            if text.contains(secret) {
                *text = text.replace(secret, REDACTED);
            }
        }
    }
    error
}

/// The key, and headers of the caller that carry one.
fn credentials(options: &StreamOptions) -> impl Iterator<Item = &str> {
    let carries_one = |name: &str| {
        let name = name.to_ascii_lowercase();
        ["auth", "key", "token", "cookie"].iter().any(|word| name.contains(word))
    };
    let headers = options.headers.iter().filter(move |(name, _)| carries_one(name)).map(|(_, value)| value.as_str());
    let bare = headers.map(|value| value.strip_prefix("Bearer ").unwrap_or(value));
    options.given_api_key().into_iter().chain(bare).map(str::trim).filter(|secret| secret.len() >= SHORTEST)
}

/// The part of an error that a server worded.
fn text_of(error: &mut Error) -> Option<&mut String> {
    match error {
        Error::Http { message, .. }
        | Error::Provider { message }
        | Error::Decode { message }
        | Error::Incomplete { message } => Some(message),
        Error::Connection { detail } | Error::Body { detail } | Error::WebSocket { detail, .. } => Some(detail),
        Error::UnhandledStopReason { reason } => Some(reason),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn given_credentials_do_not_come_back_in_a_complaint() {
        let headers = BTreeMap::from([
            ("Authorization".to_owned(), "Bearer header-secret".to_owned()),
            ("x-title".to_owned(), "harmless-title".to_owned()),
        ]);
        let options = StreamOptions::builder().api_key("key-secret-1".to_owned()).headers(headers).build();
        let message = "401 bad key-secret-1 or header-secret of harmless-title".to_owned();
        let error = without_credentials(Error::Http { status: 401, message, retry_after: None }, &options);
        assert_eq!(error.to_string(), "401 bad REDACTED or REDACTED of harmless-title");
    }

    #[test]
    fn short_keys_are_left_to_chance_and_other_errors_alone() {
        let options = StreamOptions::builder().api_key("key".to_owned()).build();
        let error = without_credentials(Error::Provider { message: "monkey".to_owned() }, &options);
        assert_eq!(error.to_string(), "monkey");
        assert!(without_credentials(Error::Aborted, &options).is_aborted());
    }
}
