//! Servers that are reached by an address: how requests to them look, and why one cannot be used.

use std::collections::{BTreeMap, HashMap};

use http::{HeaderName, HeaderValue};
use rmcp::service::ClientInitializeError;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;

use super::connection::{Place, expand_all};
use crate::config::value::expand;
use crate::error::Error;

/// How a server is reached.
///
/// # Errors
/// A sentence about a value that cannot be had, or that is none of HTTP.
pub(super) async fn config(
    name: &str,
    url: &str,
    headers: &BTreeMap<String, String>,
    place: &Place,
) -> Result<StreamableHttpClientTransportConfig, Error> {
    let url = expand(name, url, &place.env)?;
    let mut custom = HashMap::new();
    for (key, value) in expand_all(name, headers, place, &place.cwd).await? {
        let pair = HeaderName::from_bytes(key.as_bytes()).ok().zip(HeaderValue::from_str(&value).ok());
        let detail = || format!("the header {key} or its value is none of HTTP");
        let (key, mut value) = pair.ok_or_else(|| Error::Handshake { server: name.to_owned(), detail: detail() })?;
        value.set_sensitive(true);
        custom.insert(key, value);
    }
    Ok(StreamableHttpClientTransportConfig::with_uri(url).custom_headers(custom))
}

/// The sentence for a server with which no connection came about.
pub(super) fn refused(name: &str, url: &str, error: &ClientInitializeError) -> Error {
    let server = name.to_owned();
    if error.is_authorization_required() {
        return Error::Login { server };
    }
    let mut detail = match error {
        ClientInitializeError::JsonRpcError(error) => error.message.to_string(),
        ClientInitializeError::LegacyFallbackFailed { fallback, .. } => with_causes(fallback),
        error => with_causes(error),
    };
    if url.trim_end_matches('/').ends_with("/sse") {
        detail.push_str(". The old HTTP+SSE transport is not supported: is there an address that ends in /mcp?");
    }
    Error::Handshake { server, detail: pi_ai::without_known_secrets(&detail) }
}

/// An error with the innermost of its causes: those between repeat each other.
pub(super) fn with_causes(error: &dyn std::error::Error) -> String {
    let innermost = std::iter::successors(error.source(), |source| source.source()).last().map(ToString::to_string);
    let text = error.to_string();
    match innermost {
        Some(cause) if !text.contains(&cause) => format!("{text}: {cause}"),
        _ => text,
    }
}
