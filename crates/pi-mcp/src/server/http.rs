//! Servers that are reached by an address: how requests to them look, and why one cannot be used.

use std::collections::{BTreeMap, HashMap};

use http::{HeaderName, HeaderValue};
use rmcp::service::ClientInitializeError;
use rmcp::transport::auth::AuthClient;
use rmcp::transport::streamable_http_client::{StreamableHttpClientTransportConfig, StreamableHttpError};
use rmcp::transport::{DynamicTransportError, StreamableHttpClientTransport};

use super::connection::Place;
use super::program::MAX_MESSAGE_MB;
use super::stdio::expand_all;
use super::transport::{ServerTransport, TransportError};
use crate::config::ServerEntry;
use crate::error::{Error, with_causes};
use crate::oauth::authorized;
use crate::oauth::store::LoginStore;

/// How a server is reached.
///
/// # Errors
/// A sentence about a value that cannot be had, or that is none of HTTP.
async fn config(
    entry: &ServerEntry,
    url: &str,
    headers: &BTreeMap<String, String>,
    place: &Place,
) -> Result<StreamableHttpClientTransportConfig, Error> {
    let url = entry.text(url, &place.env)?;
    let mut custom = HashMap::new();
    for (key, value) in expand_all(entry, headers, place, &place.cwd).await? {
        let pair = HeaderName::from_bytes(key.as_bytes()).ok().zip(HeaderValue::from_str(&value).ok());
        let detail = || format!("the header {key} or its value is none of HTTP");
        let (key, mut value) = pair.ok_or_else(|| Error::Handshake { server: entry.name.clone(), detail: detail() })?;
        value.set_sensitive(true);
        custom.insert(key, value);
    }
    Ok(StreamableHttpClientTransportConfig::with_uri(url).custom_headers(custom))
}

/// The transport to a server, with the login to it, where there is one and no header takes its place.
///
/// # Errors
/// A sentence about a value or a login that cannot be used.
pub(super) async fn transport(
    entry: &ServerEntry,
    (url, headers): (&str, &BTreeMap<String, String>),
    place: &Place,
) -> Result<ServerTransport, Error> {
    let config = config(entry, url, headers, place).await?;
    let failed = |detail| Error::StoredLogin { server: entry.name.clone(), detail };
    let has_header = config.custom_headers.contains_key(&http::header::AUTHORIZATION);
    let store = LoginStore::new(&place.agent_dir, &config.uri, &place.clock);
    let login = if has_header {
        None
    } else {
        let oauth = entry.oauth(&place.env, &place.cwd).await?;
        authorized(&config.uri, &oauth, store).await.map_err(failed)?
    };
    let Some(manager) = login else {
        return Ok(ServerTransport::Http(StreamableHttpClientTransport::from_config(config)));
    };
    let client = client().map_err(|error| failed(error.to_string()))?;
    let client = AuthClient::new(client, manager);
    Ok(ServerTransport::HttpWithLogin(StreamableHttpClientTransport::with_client(client, config)))
}

/// Requests with a login go nowhere else: redirects are not followed.
fn client() -> Result<reqwest::Client, reqwest::Error> {
    reqwest::Client::builder().pool_max_idle_per_host(0).redirect(reqwest::redirect::Policy::none()).build()
}

/// The sentence for a request that failed on its way.
pub(super) fn failed(server: &str, what: &str, error: &DynamicTransportError) -> Error {
    let (server, tool) = (server.to_owned(), what.to_owned());
    let detail = match error.error.downcast_ref::<TransportError>() {
        Some(StreamableHttpError::InsufficientScope(needs)) if needs.required_scope.is_some() => {
            return Error::Scope { server, tool, scope: needs.required_scope.clone().unwrap_or_default() };
        }
        Some(StreamableHttpError::Auth(error)) => {
            return Error::StoredLogin { server, detail: pi_ai::without_known_secrets(&with_causes(error)) };
        }
        Some(StreamableHttpError::ResponseBodyTooLarge { .. }) => format!("it has more than {MAX_MESSAGE_MB} MB"),
        _ => with_causes(&*error.error),
    };
    Error::Broken { server, tool, detail: pi_ai::without_known_secrets(&detail) }
}

/// The sentence for a server with which no connection came about.
pub(super) fn refused(name: &str, url: &str, error: &ClientInitializeError) -> Error {
    let server = name.to_owned();
    if error.is_authorization_required() {
        return Error::Login { server };
    }
    let mut detail = match error {
        ClientInitializeError::JsonRpcError(error) => error.message.to_string(),
        ClientInitializeError::LegacyFallbackFailed { fallback, .. } => return refused(name, url, fallback),
        ClientInitializeError::TransportError { error, .. } => with_causes(&*error.error),
        error => with_causes(error),
    };
    if url.trim_end_matches('/').ends_with("/sse") {
        detail.push_str(". The old HTTP+SSE transport is not supported: is there an address that ends in /mcp?");
    }
    Error::Handshake { server, detail: pi_ai::without_known_secrets(&detail) }
}
