//! The way to the network: one trait, its HTTP implementation, and what sits between bytes and decoders.
//!
//! Nothing here knows a provider. Wire formats hand over a finished request and get status, headers and raw
//! body bytes back; a test, a cassette or a custom network replaces [`HttpTransport`] and nothing else.

use ::http::{HeaderMap, Method};
use std::sync::Arc;

use bytes::Bytes;
use futures::future::BoxFuture;
use futures::stream::BoxStream;
use tokio::io::{AsyncRead, AsyncWrite};

use crate::error::Error;

pub mod cassette;
#[cfg(feature = "bedrock")]
pub(crate) mod event_stream;
mod frame;
#[cfg(feature = "http")]
mod http;
#[cfg(feature = "http")]
mod proxy;
pub(crate) mod retry;
mod sse;
pub(crate) mod watchdog;

#[cfg(feature = "http")]
pub use self::http::ReqwestTransport;
#[cfg(feature = "http")]
pub use self::proxy::PROXY_OF_SETTINGS;
pub use frame::Frame;
pub(crate) use frame::FrameReader;
pub use sse::SseDecoder;
pub use watchdog::Watchdog;

/// A finished request.
#[derive(Clone)]
pub struct HttpRequest {
    /// Method, nearly always `POST`.
    pub method: Method,
    /// Absolute URL.
    pub url: String,
    /// All headers, authentication included.
    pub headers: HeaderMap,
    /// Body.
    pub body: Bytes,
}

impl std::fmt::Debug for HttpRequest {
    /// Leaves out everything that may hold a secret: headers, query and body.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let url = without_query(&self.url);
        f.debug_struct("HttpRequest").field("method", &self.method).field("url", &url).finish_non_exhaustive()
    }
}

/// Host and path at most: what comes before and after may be a key.
pub(crate) fn without_query(url: &str) -> &str {
    let end = url.find(['?', '#']).unwrap_or(url.len());
    url[..end].rsplit_once('@').map_or(&url[..end], |(_, rest)| rest)
}

/// A response whose body is still arriving. Dropping it closes the connection.
pub struct HttpResponse {
    /// HTTP status.
    pub status: u16,
    /// Response headers.
    pub headers: HeaderMap,
    /// Body bytes in whatever pieces the network delivers. An error ends the stream.
    pub body: BoxStream<'static, Result<Bytes, Error>>,
}

impl std::fmt::Debug for HttpResponse {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HttpResponse").field("status", &self.status).finish_non_exhaustive()
    }
}

/// Sends requests. Implementations must be cancel-safe: dropping the future abandons the request.
pub trait HttpTransport: std::fmt::Debug + Send + Sync {
    /// Sends a request and waits for the response headers.
    ///
    /// # Errors
    /// [`NetworkError::Connection`](crate::NetworkError::Connection) when no response arrived. An error *status* is not
    /// an error here.
    fn send(&self, request: HttpRequest) -> BoxFuture<'_, Result<HttpResponse, Error>>;

    /// The transport for requests that fetch credentials, where it is another one: a transport that writes down what
    /// passes hands out the one that it wraps.
    fn for_credentials(&self) -> Option<Arc<dyn HttpTransport>> {
        None
    }

    /// Sends a request that asks the server to speak another protocol on the same connection, as WebSockets begin
    /// (HTTP/1.1, status 101). `None` when this transport has requests and responses only, which is the default.
    ///
    /// # Errors
    /// [`NetworkError::Connection`](crate::NetworkError::Connection) when no connection could be made or the server did
    /// not switch.
    fn upgrade(&self, _request: HttpRequest) -> Option<BoxFuture<'_, Result<Upgraded, Error>>> {
        None
    }
}

/// A connection after [`HttpTransport::upgrade`]: bytes in both directions. Dropping it closes the connection.
pub struct Upgraded {
    /// Headers of the response that accepted the switch.
    pub headers: HeaderMap,
    /// The connection.
    pub io: Box<dyn Duplex>,
}

impl std::fmt::Debug for Upgraded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Upgraded").finish_non_exhaustive()
    }
}

/// A connection that is read and written.
pub trait Duplex: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Duplex for T {}

/// The transport of calls that name none.
///
/// # Errors
/// [`NetworkError::Connection`](crate::NetworkError::Connection) when this build has no network code.
pub(crate) fn default_transport() -> Result<Arc<dyn HttpTransport>, Error> {
    #[cfg(feature = "http")]
    return Ok(ReqwestTransport::shared());
    #[cfg(not(feature = "http"))]
    Err(Error::Network(crate::NetworkError::Connection {
        detail: "pi-ai was built without its feature \"http\"; set StreamOptions::http to a transport.".to_owned(),
    }))
}
