//! Servers repeat credentials in their complaints ("invalid key sk-…"). Error texts end up in session files and on
//! screens, so the credentials of the request are taken out of them, also those that were fetched or computed for it.

use std::fmt;

use http::HeaderMap;

use crate::error::Error;
use crate::options::StreamOptions;
use crate::redact::redact;

/// The credentials of one call, which no error text may show.
#[derive(Default)]
pub(crate) struct Credentials(Vec<String>);

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Credentials")
    }
}

impl Credentials {
    /// What the caller gave: the key, and headers that carry one.
    pub(crate) fn given(options: &StreamOptions) -> Self {
        let mut credentials = Self::default();
        credentials.add(options.given_api_key());
        credentials.add(options.headers.iter().filter(|(name, _)| carries_one(name)).map(|(_, value)| value.as_str()));
        credentials
    }

    /// Adds what a finished request carries.
    pub(super) fn add_sent(&mut self, headers: &HeaderMap) {
        let secret = headers.iter().filter(|(name, value)| value.is_sensitive() || carries_one(name.as_str()));
        self.add(secret.filter_map(|(_, value)| value.to_str().ok()));
    }

    fn add<'a>(&mut self, values: impl IntoIterator<Item = &'a str>) {
        let bare = values.into_iter().map(|value| value.strip_prefix("Bearer ").unwrap_or(value).trim());
        for secret in bare {
            if !self.0.iter().any(|known| known == secret) {
                self.0.push(secret.to_owned());
            }
        }
    }

    /// The error without them.
    pub(crate) fn taken_out_of(&self, mut error: Error) -> Error {
        if let Some(text) = text_of(&mut error) {
            *text = redact(text, self.0.iter().map(String::as_str));
        }
        error
    }
}

fn carries_one(header: &str) -> bool {
    let header = header.to_ascii_lowercase();
    ["auth", "key", "token", "cookie"].iter().any(|word| header.contains(word))
}

/// The part of an error that a server worded.
fn text_of(error: &mut Error) -> Option<&mut String> {
    match error {
        Error::Http { message, .. }
        | Error::Provider { message }
        | Error::Decode { message }
        | Error::Incomplete { message } => Some(message),
        Error::Connection { detail }
        | Error::NetworkSetup { detail }
        | Error::Body { detail }
        | Error::WebSocket { detail, .. } => Some(detail),
        Error::UnhandledStopReason { reason } => Some(reason),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use http::{HeaderName, HeaderValue};

    use super::*;

    #[test]
    fn given_credentials_do_not_come_back_in_a_complaint() {
        let headers = BTreeMap::from([
            ("Authorization".to_owned(), "Bearer header-secret".to_owned()),
            ("x-title".to_owned(), "harmless-title".to_owned()),
        ]);
        let options = StreamOptions::builder().api_key("key-secret-1".to_owned()).headers(headers).build();
        let message = "401 bad key-secret-1 or header-secret of harmless-title".to_owned();
        let credentials = Credentials::given(&options);
        let error = credentials.taken_out_of(Error::Http { status: 401, message, retry_after: None });
        assert_eq!(error.to_string(), "401 bad REDACTED or REDACTED of harmless-title");
    }

    #[test]
    fn short_keys_are_left_to_chance_and_other_errors_alone() {
        let options = StreamOptions::builder().api_key("key".to_owned()).build();
        let credentials = Credentials::given(&options);
        let error = credentials.taken_out_of(Error::Provider { message: "monkey".to_owned() });
        assert_eq!(error.to_string(), "monkey");
        assert!(credentials.taken_out_of(Error::Aborted).is_aborted());
    }

    #[test]
    fn fetched_credentials_do_not_come_back_either() {
        let mut credentials = Credentials::given(&StreamOptions::default());
        let mut signed = HeaderValue::from_static("signature-1");
        signed.set_sensitive(true);
        let fetched = HeaderValue::from_static("Bearer fetched-token");
        credentials.add_sent(&HeaderMap::from_iter([
            (HeaderName::from_static("authorization"), fetched),
            (HeaderName::from_static("x-proof"), signed),
            (HeaderName::from_static("accept"), HeaderValue::from_static("application/json")),
        ]));
        let message = "bad fetched-token, bad signature-1, bad application/json".to_owned();
        let error = credentials.taken_out_of(Error::Provider { message });
        assert_eq!(error.to_string(), "bad REDACTED, bad REDACTED, bad application/json");
        assert_eq!(format!("{credentials:?}"), "Credentials");
    }
}
