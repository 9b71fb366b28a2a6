//! The requests of a login: sent within a limit, answered in JSON, worded without secrets when they fail.
//!
//! A body never goes into an error text as it is: a provider may repeat tokens in it. Only its complaint does, with the
//! request's own secrets taken out.

use std::time::Duration;

use bytes::Bytes;
use futures::stream::StreamExt;
use http::header::{ACCEPT, CONTENT_TYPE};
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use serde_json::Value;
use url::form_urlencoded;

use super::provider::OAuthContext;
use crate::error::{AnswerError, Error, LoginError, NetworkError, RequestError};
use crate::secrets::Secrets;
use crate::transport::{HttpRequest, HttpResponse};

/// No answer of a login is longer than this, in bytes.
const BODY_LIMIT: usize = 1024 * 1024;
/// As much of a complaint is told, in characters.
const COMPLAINT_LIMIT: usize = 500;
const JSON: HeaderValue = HeaderValue::from_static("application/json");
const FORM: HeaderValue = HeaderValue::from_static("application/x-www-form-urlencoded");

/// What a server answered.
pub(super) struct Reply {
    pub(super) status: u16,
    /// The body; null when it is not JSON.
    pub(super) json: Value,
}

/// A GET request that asks for JSON.
pub(super) fn get(url: &str) -> HttpRequest {
    request(Method::GET, url, Bytes::new())
}

/// A POST request with a JSON body.
pub(super) fn post_json(url: &str, body: &Value) -> HttpRequest {
    let mut request = request(Method::POST, url, body.to_string().into());
    request.headers.insert(CONTENT_TYPE, JSON);
    request
}

/// A POST request with a form for a body.
pub(super) fn post_form(url: &str, fields: &[(&str, &str)]) -> HttpRequest {
    let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
    let mut request = request(Method::POST, url, body.into());
    request.headers.insert(CONTENT_TYPE, FORM);
    request
}

fn request(method: Method, url: &str, body: Bytes) -> HttpRequest {
    HttpRequest { method, url: url.to_owned(), headers: HeaderMap::from_iter([(ACCEPT, JSON)]), body }
}

/// Adds fixed headers.
pub(super) fn with_headers(mut request: HttpRequest, headers: &[(&'static str, &'static str)]) -> HttpRequest {
    for (name, value) in headers {
        request.headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    request
}

/// Adds the token that lets the request in.
///
/// # Errors
/// [`RequestError::InvalidHeader`] when the token cannot be in a header.
pub(super) fn with_bearer(mut request: HttpRequest, token: &str) -> Result<HttpRequest, Error> {
    let invalid = |_| {
        Error::Request(RequestError::InvalidHeader {
            name: http::header::AUTHORIZATION.to_string(),
            detail: "the token has characters that a header must not have".to_owned(),
        })
    };
    let mut value = HeaderValue::from_str(&format!("Bearer {token}")).map_err(invalid)?;
    value.set_sensitive(true);
    request.headers.insert(http::header::AUTHORIZATION, value);
    Ok(request)
}

/// Sends a request and reads the answer, whatever its status.
///
/// # Errors
/// [`LoginError::Cancelled`], [`NetworkError::Timeout`], [`NetworkError::Connection`], [`NetworkError::Body`].
pub(super) async fn send(context: &OAuthContext, request: HttpRequest) -> Result<Reply, Error> {
    send_within(context, request, context.request_timeout).await
}

/// [`send`] with a limit of its own.
pub(super) async fn send_within(context: &OAuthContext, request: HttpRequest, after: Duration) -> Result<Reply, Error> {
    let transport = context.transport()?;
    let exchange = async {
        let response = transport.send(request).await?;
        let status = response.status;
        let body = read(response).await?;
        Ok(Reply { status, json: serde_json::from_slice(&body).unwrap_or_default() })
    };
    let limited = async {
        tokio::time::timeout(after, exchange).await.unwrap_or(Err(Error::Network(NetworkError::Timeout { after })))
    };
    context.cancellable(limited).await
}

/// Sends a request and insists on a successful answer. What the server complains about is told without `secrets`.
///
/// # Errors
/// Those of [`send`], [`LoginError::Request`].
pub(super) async fn succeed(context: &OAuthContext, request: HttpRequest, secrets: &[&str]) -> Result<Reply, Error> {
    let reply = send(context, request).await?;
    if reply.is_success() {
        return Ok(reply);
    }
    let retryable = matches!(reply.status, 408 | 429 | 500..);
    Err(Error::Login(LoginError::Request { message: reply.complaint(secrets), retryable }))
}

/// A failure as the failure of a certain request; a cancellation stays one.
pub(super) fn failed(error: Error, wording: impl FnOnce(&str) -> String) -> Error {
    match error {
        Error::Login(LoginError::Cancelled) => Error::Login(LoginError::Cancelled),
        other => {
            Error::Login(LoginError::Request { message: wording(&other.to_string()), retryable: other.is_retryable() })
        }
    }
}

async fn read(mut response: HttpResponse) -> Result<Vec<u8>, Error> {
    let mut body = Vec::new();
    while let Some(chunk) = response.body.next().await {
        let chunk = chunk?;
        if body.len() + chunk.len() > BODY_LIMIT {
            return Err(Error::Network(NetworkError::Body {
                detail: format!("the answer is longer than {BODY_LIMIT} bytes"),
            }));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

impl Reply {
    pub(super) fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// A text of the answer.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.json.get(name).and_then(Value::as_str).filter(|text| !text.is_empty())
    }

    /// A number of the answer, which some servers write as a text.
    pub(super) fn seconds(&self, name: &str) -> Option<Duration> {
        let value = self.json.get(name)?;
        let number = value.as_f64().or_else(|| value.as_str()?.trim().parse().ok())?;
        Duration::try_from_secs_f64(number).ok()
    }

    /// The error code: `error`, `error.code`, `error.type` or `code`.
    pub(super) fn error_code(&self) -> Option<&str> {
        let error = self.json.get("error");
        let inner = |name: &str| error?.get(name)?.as_str();
        error.and_then(Value::as_str).or_else(|| inner("code")).or_else(|| inner("type")).or_else(|| self.text("code"))
    }

    /// The explanation: `error_description`, `error.message`, `message` or `detail`.
    fn explanation(&self) -> Option<&str> {
        let inner = || self.json.get("error")?.get("message")?.as_str();
        self.text("error_description").or_else(inner).or_else(|| self.text("message")).or_else(|| self.text("detail"))
    }

    /// What an answer to a device login stands for that neither grants it nor asks for patience.
    pub(super) fn device_failure(&self, code: Option<&str>, secrets: &[&str]) -> Error {
        match code {
            Some(code) => Error::Login(LoginError::Device {
                error: clean(code, secrets),
                description: self.explanation().map(|text| clean(text, secrets)),
            }),
            None => {
                let (status, message) = (self.status, self.complaint(secrets));
                Error::Answer(AnswerError::Http {
                    status,
                    message: format!("Device flow failed: {message}"),
                    retry_after: None,
                })
            }
        }
    }

    /// Status, code and explanation in one line, without `secrets`.
    pub(super) fn complaint(&self, secrets: &[&str]) -> String {
        let parts = [self.error_code(), self.explanation()].into_iter().flatten();
        let text = parts.fold(format!("HTTP {}", self.status), |text, part| format!("{text}: {part}"));
        clean(&text, secrets)
    }
}

/// A provider's words, fit for a screen: one line of bounded length without secrets.
pub(super) fn clean(text: &str, secrets: &[&str]) -> String {
    let text = secrets.iter().copied().collect::<Secrets>().redact_shapes(text);
    let line = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    line.take(COMPLAINT_LIMIT).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn reply(json: Value) -> Reply {
        Reply { status: 400, json }
    }

    #[test]
    fn complaints_are_found_where_servers_put_them() {
        for (body, expected) in [
            (json!(null), "HTTP 400"),
            (json!({"error": "invalid_grant"}), "HTTP 400: invalid_grant"),
            (json!({"error": "a", "error_description": "b"}), "HTTP 400: a: b"),
            (json!({"error": {"type": "t", "message": "m"}}), "HTTP 400: t: m"),
            (json!({"error": {"code": "c", "message": "m"}}), "HTTP 400: c: m"),
            (json!({"message": "Bad credentials"}), "HTTP 400: Bad credentials"),
            (json!({"access_token": "sk-ant-oat-1"}), "HTTP 400"),
            (json!({"error": "no\nrefresh-secret-1"}), "HTTP 400: no REDACTED"),
        ] {
            assert_eq!(reply(body).complaint(&["refresh-secret-1"]), expected);
        }
        let long = reply(json!({"message": "x".repeat(10_000)}));
        assert_eq!(long.complaint(&[]).len(), COMPLAINT_LIMIT);
    }

    #[test]
    fn seconds_may_be_a_text_but_not_nonsense() {
        let seconds = |value: Value| reply(json!({"interval": value})).seconds("interval");
        assert_eq!(seconds(json!(5)), Some(Duration::from_secs(5)));
        assert_eq!(seconds(json!(" 7 ")), Some(Duration::from_secs(7)));
        for odd in [json!(-1), json!("x"), json!(1e300), json!(null), json!({})] {
            assert_eq!(seconds(odd), None);
        }
    }
}
