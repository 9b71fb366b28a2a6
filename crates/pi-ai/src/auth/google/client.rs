//! Requests to token servers, over the transport of the call.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures::stream::StreamExt;
use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use serde_json::Value;

use crate::error::{AnswerError, CredentialError, Error, NetworkError};
use crate::options::StreamOptions;
use crate::secrets::Secrets;
use crate::transport::{HttpRequest, HttpResponse, HttpTransport, default_transport, without_query};

/// A token server answers within this time.
const TIMEOUT: Duration = Duration::from_secs(30);
/// As much of an answer is read, in bytes.
const LONGEST_ANSWER: usize = 256 * 1024;
/// As much of a complaint is shown, in characters.
const SHOWN: usize = 300;

/// Speaks to token servers.
pub(super) struct Client<'a> {
    http: Arc<dyn HttpTransport>,
    pub(super) options: &'a StreamOptions,
    provider: &'a str,
}

/// A request to a token server.
pub(super) struct Ask<'a> {
    request: HttpRequest,
    /// What must not come back in an error text.
    secrets: Vec<&'a str>,
    timeout: Duration,
}

impl<'a> Ask<'a> {
    /// A plain question.
    pub(super) fn get(url: &str) -> Self {
        Self::new(Method::GET, url, Bytes::new())
    }

    /// A form; all of its values count as secrets.
    pub(super) fn form(url: &str, fields: &[(&str, &'a str)]) -> Self {
        let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        let mut ask = Self::new(Method::POST, url, body.into());
        ask.set(CONTENT_TYPE, "application/x-www-form-urlencoded");
        ask.secrets = fields.iter().map(|(_, value)| *value).collect();
        ask
    }

    /// A JSON object, sent with a token.
    pub(super) fn json(url: &str, body: &Value, token: &'a str) -> Self {
        let mut ask = Self::new(Method::POST, url, body.to_string().into());
        ask.set(CONTENT_TYPE, "application/json");
        ask.set(AUTHORIZATION, &format!("Bearer {token}"));
        ask.secrets = vec![token];
        ask
    }

    fn new(method: Method, url: &str, body: Bytes) -> Self {
        let headers = HeaderMap::from_iter([(ACCEPT, HeaderValue::from_static("application/json"))]);
        let request = HttpRequest { method, url: url.to_owned(), headers, body };
        Self { request, secrets: Vec::new(), timeout: TIMEOUT }
    }

    /// Sets a header; one that is not legal in HTTP is left out, and the server will complain.
    fn set(&mut self, name: HeaderName, value: &str) {
        if let Ok(mut value) = HeaderValue::from_str(value) {
            value.set_sensitive(name == AUTHORIZATION);
            self.request.headers.insert(name, value);
        }
    }

    /// This question with a header.
    pub(super) fn with_header(mut self, name: &str, value: &str) -> Self {
        if let Ok(name) = HeaderName::from_bytes(name.as_bytes()) {
            self.set(name, value);
        }
        self
    }

    /// This question with another limit of time.
    pub(super) fn within(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }
}

impl<'a> Client<'a> {
    /// A client that uses the transport of the call.
    ///
    /// # Errors
    /// [`NetworkError::Connection`] when this build has no network code and the options name no transport.
    pub(super) fn new(options: &'a StreamOptions, provider: &'a str) -> Result<Self, Error> {
        let http = options.http.clone().map_or_else(default_transport, Ok)?;
        let http = http.for_credentials().unwrap_or(http);
        Ok(Self { http, options, provider })
    }

    /// The error for credentials that cannot be used.
    pub(super) fn refused(&self, detail: impl Into<String>) -> Error {
        Error::Credential(CredentialError::Unavailable { provider: self.provider.to_owned(), detail: detail.into() })
    }

    /// Asks and returns the text of the answer.
    pub(super) async fn ask(&self, ask: Ask<'_>) -> Result<String, Error> {
        let host = without_query(&ask.request.url).to_owned();
        let after = ask.timeout;
        let asking = async {
            let response = self.http.send(ask.request).await?;
            let status = response.status;
            Ok::<_, Error>((status, read(response).await?))
        };
        let (status, text) = tokio::time::timeout(after, asking)
            .await
            .unwrap_or(Err(Error::Network(NetworkError::Timeout { after })))?;
        if (200..300).contains(&status) {
            return Ok(text);
        }
        let words = hide(&complaint(&text), &ask.secrets);
        let detail = format!("{host} answered {status}{words}");
        // A server in trouble may do better the next time.
        if status == 429 || status >= 500 {
            return Err(Error::Answer(AnswerError::Http { status, message: detail, retry_after: None }));
        }
        Err(self.refused(detail))
    }

    /// Asks for a JSON object.
    pub(super) async fn ask_json(&self, ask: Ask<'_>) -> Result<Value, Error> {
        let host = without_query(&ask.request.url).to_owned();
        let text = self.ask(ask).await?;
        serde_json::from_str(&text)
            .map_err(|_| self.refused(format!("{host} answered with something that is not JSON")))
    }
}

async fn read(mut response: HttpResponse) -> Result<String, Error> {
    let mut bytes = Vec::new();
    while let Some(chunk) = response.body.next().await {
        let chunk = chunk?;
        bytes.extend_from_slice(&chunk[..chunk.len().min(LONGEST_ANSWER - bytes.len())]);
        if bytes.len() == LONGEST_ANSWER {
            break;
        }
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// What an error answer says: `error` and `error_description` of OAuth, or `message` of Google's other services.
fn complaint(text: &str) -> String {
    let Ok(answer) = serde_json::from_str::<Value>(text) else { return String::new() };
    let error = &answer["error"];
    let words = [error.as_str(), answer["error_description"].as_str(), error["message"].as_str()];
    let words: Vec<&str> = words.into_iter().flatten().filter(|words| !words.is_empty()).collect();
    if words.is_empty() { String::new() } else { format!(": {}", words.join(", ").trim_end_matches('.')) }
}

/// The text without secrets, and not longer than a sentence or two.
fn hide(text: &str, secrets: &[&str]) -> String {
    secrets.iter().copied().collect::<Secrets>().redact(text).chars().take(SHOWN).collect()
}
