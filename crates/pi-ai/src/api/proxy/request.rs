//! The request to a proxy, and the words for a refused one.

use http::{HeaderMap, HeaderValue, StatusCode, header};
use serde::Serialize;
use serde_json::Value;

use super::options::{ProxyCallOptions, ProxyOptions};
use crate::api::payload::Payload;
use crate::api::wire::WireRequest;
use crate::context::Context;
use crate::error::{AnswerError, Error, RequestError};
use crate::model::Model;
use crate::options::StreamOptions;

/// The body of a request.
#[derive(Serialize)]
struct Body<'a> {
    model: &'a Model,
    context: &'a Context,
    options: ProxyCallOptions,
}

/// Builds the request of a call.
pub(super) fn build(
    proxy: &ProxyOptions,
    model: &Model,
    context: &Context,
    options: &StreamOptions,
) -> Result<WireRequest, Error> {
    let invalid = |detail: &str| {
        Error::Request(RequestError::InvalidHeader { name: "Authorization".to_owned(), detail: detail.to_owned() })
    };
    let mut token = HeaderValue::try_from(format!("Bearer {}", proxy.auth_token))
        .map_err(|_| invalid("the token of the proxy holds a character that a header cannot carry"))?;
    token.set_sensitive(true);
    let headers =
        [(header::AUTHORIZATION, token), (header::CONTENT_TYPE, HeaderValue::from_static("application/json"))];
    let body =
        serde_json::to_string(&Body { model, context, options: ProxyCallOptions::of(options) }).map_err(|error| {
            Error::Answer(AnswerError::Decode { message: format!("The request cannot be written as JSON: {error}") })
        })?;
    Ok(WireRequest {
        url: format!("{}/api/stream", proxy.proxy_url.trim_end_matches('/')),
        headers: HeaderMap::from_iter(headers),
        body: Payload::Text(body),
    })
}

/// What a response with an error status says.
pub(super) fn refusal(status: u16, body: &str) -> String {
    let reason = StatusCode::from_u16(status).ok().and_then(|status| status.canonical_reason()).unwrap_or_default();
    let detail = complaint(body).unwrap_or_else(|| format!("{status} {reason}").trim_end().to_owned());
    format!("Proxy error: {detail}")
}

/// The `error` of a JSON body.
fn complaint(body: &str) -> Option<String> {
    let body: Value = serde_json::from_str(body).ok()?;
    match body.get("error")? {
        Value::String(text) => Some(text.clone()).filter(|text| !text.is_empty()),
        Value::Object(error) => Some(error.get("message").and_then(Value::as_str)?.to_owned()),
        _ => None,
    }
}
