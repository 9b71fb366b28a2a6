//! Servers repeat credentials in their complaints ("invalid key sk-…"). Error texts end up in session files and on
//! screens, so the credentials of the request are taken out of them, also those that were fetched or computed for it.

use http::HeaderMap;

use crate::error::Error;
use crate::options::StreamOptions;
use crate::secrets::{Secrets, is_secret_name};

/// The credentials of one call, which no error text may show.
#[derive(Debug, Default)]
pub(crate) struct Credentials(Secrets);

impl Credentials {
    /// What the caller gave: the key, headers that carry one, and variables that are named like one.
    pub(crate) fn given(options: &StreamOptions) -> Self {
        let mut secrets = Secrets::default();
        options.given_api_key().into_iter().for_each(|key| secrets.add(key));
        for (name, value) in &options.headers {
            secrets.add_header(name, value);
        }
        for (_, value) in options.env.iter().filter(|(name, _)| is_secret_name(name) && !is_place(name)) {
            secrets.add(value);
        }
        Self(secrets)
    }

    /// Adds what a finished request carries.
    pub(super) fn add_sent(&mut self, url: &str, headers: &HeaderMap) {
        self.0.add_url(url);
        self.0.add_headers(headers);
    }

    /// The error without them, and without those that the process knows.
    pub(crate) fn taken_out_of(&self, error: Error) -> Error {
        self.0.taken_out_of(error)
    }

    /// A text of a server without them, and without those that the process knows.
    pub(super) fn taken_out_of_text(&self, text: &str) -> String {
        self.0.redact(text)
    }
}

/// Whether a variable says where a credential is, and not what it is.
fn is_place(variable: &str) -> bool {
    ["_CREDENTIALS", "_FILE", "_PATH", "_URI", "_URL"].iter().any(|ending| variable.ends_with(ending))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use http::{HeaderName, HeaderValue};

    use super::*;
    use crate::error::AnswerError;

    #[test]
    fn given_credentials_do_not_come_back_in_a_complaint() {
        let headers = BTreeMap::from([
            ("Authorization".to_owned(), "Bearer header-secret".to_owned()),
            ("x-title".to_owned(), "harmless-title".to_owned()),
        ]);
        let options = StreamOptions::builder().api_key("key-secret-1".to_owned()).headers(headers).build();
        let message = "401 bad key-secret-1 or header-secret of harmless-title".to_owned();
        let credentials = Credentials::given(&options);
        let error =
            credentials.taken_out_of(Error::Answer(AnswerError::Http { status: 401, message, retry_after: None }));
        assert_eq!(error.to_string(), "401 bad REDACTED or REDACTED of harmless-title");
    }

    #[test]
    fn short_keys_are_left_to_chance_and_other_errors_alone() {
        let options = StreamOptions::builder().api_key("key".to_owned()).build();
        let credentials = Credentials::given(&options);
        let error = credentials.taken_out_of(Error::Answer(AnswerError::Provider { message: "monkey".to_owned() }));
        assert_eq!(error.to_string(), "monkey");
        assert!(credentials.taken_out_of(Error::Aborted).is_aborted());
    }

    #[test]
    fn fetched_credentials_do_not_come_back_either() {
        let mut credentials = Credentials::given(&StreamOptions::default());
        let mut signed = HeaderValue::from_static("signature-1");
        signed.set_sensitive(true);
        let fetched = HeaderValue::from_static("Bearer fetched-token");
        let headers = HeaderMap::from_iter([
            (HeaderName::from_static("authorization"), fetched),
            (HeaderName::from_static("x-proof"), signed),
            (HeaderName::from_static("accept"), HeaderValue::from_static("application/json")),
        ]);
        credentials.add_sent("https://me:pass-word-1@host/?key=query-key-1&alt=sse-sse-sse", &headers);
        let message =
            "bad fetched-token, signature-1, pass-word-1, query-key-1, sse-sse-sse, application/json".to_owned();
        let error = credentials.taken_out_of(Error::Answer(AnswerError::Provider { message }));
        assert_eq!(error.to_string(), "bad REDACTED, REDACTED, REDACTED, REDACTED, sse-sse-sse, application/json");
        assert_eq!(format!("{credentials:?}"), "Credentials(Secrets)");
    }
}
