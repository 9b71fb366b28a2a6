//! From a wire format's request to an HTTP request: key check, payload hook, header merge, signature.
//!
//! Nothing is sent here.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use http::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, USER_AGENT};
use http::{HeaderName as Name, Method};
use serde_json::Value;

use crate::api::wire::WireFormat;
use crate::context::Context;
use crate::error::{CredentialError, Error, RequestError};
use crate::model::Model;
use crate::options::{PayloadHook, StreamOptions};
use crate::transport::{HttpRequest, without_query};

/// Headers that are sent unless the format, the model or the caller sets them. Providers that stream answers under
/// `accept: application/json` are asked the way their own SDKs ask.
const DEFAULTS: [(Name, HeaderValue); 3] = [
    (ACCEPT, HeaderValue::from_static("application/json")),
    (CONTENT_TYPE, HeaderValue::from_static("application/json")),
    (USER_AGENT, HeaderValue::from_static(concat!("pi/", env!("CARGO_PKG_VERSION")))),
];

/// Builds the request of a call.
pub(super) async fn prepare<W: WireFormat>(
    format: &W,
    model: &Arc<Model>,
    context: &Context,
    options: &StreamOptions,
) -> Result<HttpRequest, Error> {
    if format.requires_api_key() && options.given_api_key().is_none() {
        return Err(Error::Credential(CredentialError::MissingKey { provider: model.provider.clone() }));
    }
    let request = format.request(model, context, options)?;
    if !format.asks_a_provider() {
        let body = Bytes::from(request.body.into_text());
        return Ok(HttpRequest { method: Method::POST, url: request.url, headers: request.headers, body });
    }
    check_url(&request.url, model)?;
    let headers = merge_headers(request.headers, &*extra_headers(options).await?)?;
    let (url, payload) = match options.wanted_payload() {
        Some(hook) => {
            let payload = replaced(request.body.into_value(), hook, model).await?;
            (format.wire_url(request.url, &payload, model), payload.into())
        }
        None => (request.url, request.body),
    };
    let body = Bytes::from(format.wire_body(payload)?.into_text());
    let request = HttpRequest { method: Method::POST, url, headers, body };
    format.authorize(request, model, options).await
}

/// A mistake in `models.json` should not read like a broken network.
fn check_url(url: &str, model: &Model) -> Result<(), Error> {
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    if rest.is_some_and(|rest| !rest.is_empty() && !rest.starts_with(['/', '?', '#', ':'])) {
        return Ok(());
    }
    let detail = "it must start with http:// or https:// and name a host.".to_owned();
    Err(Error::Request(RequestError::InvalidUrl {
        url: without_query(url).to_owned(),
        provider: model.provider.clone(),
        detail,
    }))
}

/// Later wins: defaults, then format and model, then the caller. Names compare without case.
fn merge_headers(mut headers: HeaderMap, extra: &BTreeMap<String, String>) -> Result<HeaderMap, Error> {
    for (name, value) in DEFAULTS {
        headers.entry(name).or_insert(value);
    }
    for (name, value) in extra {
        let invalid = |detail: &str| {
            Error::Request(RequestError::InvalidHeader { name: name.clone(), detail: detail.to_owned() })
        };
        let parsed =
            HeaderName::from_bytes(name.as_bytes()).map_err(|_| invalid("the name has an illegal character"))?;
        // Keys read from files and commands come with a line end.
        let value = HeaderValue::from_str(value.trim()).map_err(|_| invalid("the value has an illegal character"))?;
        headers.insert(parsed, value);
    }
    Ok(headers)
}

/// The caller's headers, as its hook wants them.
async fn extra_headers(options: &StreamOptions) -> Result<Cow<'_, BTreeMap<String, String>>, Error> {
    let Some(hook) = &options.on_headers else { return Ok(Cow::Borrowed(&options.headers)) };
    let headers = (hook.0)(options.headers.clone()).await;
    headers.map(Cow::Owned).map_err(|message| Error::Hook { hook: "on_headers", message })
}

/// Lets the payload hook look at the body and replace it.
async fn replaced(body: Value, hook: &PayloadHook, model: &Arc<Model>) -> Result<Value, Error> {
    let replaced = hook.call(body.clone(), Arc::clone(model)).await;
    let replaced = replaced.map_err(|message| Error::Hook { hook: "on_payload", message })?;
    Ok(replaced.unwrap_or(body))
}
