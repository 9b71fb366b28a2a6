//! How scripts reach HTTP servers: the trait that a program implements to share its own connections and proxies, and an
//! implementation over reqwest. What `fetch` means to scripts (redirects, bodies, headers) is in `js/internal/fetch.js`.

mod errors;
mod over_reqwest;

use bytes::Bytes;
use futures::future::{BoxFuture, FutureExt};
use futures::stream::BoxStream;
use tokio::io::{AsyncRead, AsyncWrite};

pub use over_reqwest::ReqwestFetch;

/// A request that is ready to be sent.
#[derive(Clone)]
pub struct FetchRequest {
    /// `GET`, `POST`, …
    pub method: String,
    /// Absolute, `http:` or `https:`.
    pub url: String,
    /// In the order of the script.
    pub headers: Vec<(String, String)>,
    /// The body; `None` is not the same as an empty one.
    pub body: Option<Bytes>,
}

/// The beginning of an answer, and what is to come. Dropping it closes the connection.
pub struct FetchResponse {
    /// HTTP status.
    pub status: u16,
    /// The words beside the status.
    pub status_text: String,
    /// In the order of the server; several values of one name are several entries.
    pub headers: Vec<(String, String)>,
    /// The body as it arrives. An error ends it.
    pub body: BoxStream<'static, Result<Bytes, FetchError>>,
}

/// Why there is no answer, or no more of it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct FetchError {
    /// In words.
    pub message: String,
    /// Node's code for it, such as `ECONNREFUSED`.
    pub code: Option<String>,
}

/// Sends requests of scripts. Dropping the future gives the request up.
///
/// Implementations must not follow redirects: whether that is wanted is the script's decision.
pub trait Fetch: Send + Sync {
    /// Sends a request and waits for the head of the answer. An error *status* is no error.
    fn fetch(&self, request: FetchRequest) -> BoxFuture<'static, Result<FetchResponse, FetchError>>;

    /// Sends a request that asks to go on in another protocol (`Connection: Upgrade`), such as a WebSocket. The connection
    /// is there if the server agreed, with status 101. Without an implementation nothing is sent.
    fn upgrade(&self, request: FetchRequest) -> BoxFuture<'static, Result<Upgraded, FetchError>> {
        let message = format!("{}: connections cannot be upgraded in this program", request.url);
        futures::future::ready(Err(FetchError { message, code: None })).boxed()
    }
}

/// The answer to a request for another protocol.
pub struct Upgraded {
    /// The answer of the server.
    pub response: FetchResponse,
    /// The connection, for the other protocol; `None` when the server did not agree.
    pub connection: Option<Box<dyn Connection>>,
}

/// Bytes in both directions.
pub trait Connection: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Connection for T {}

impl std::fmt::Debug for Upgraded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Upgraded").field("response", &self.response).finish_non_exhaustive()
    }
}

impl std::fmt::Debug for FetchRequest {
    /// Leaves out what may hold a secret.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FetchRequest").field("method", &self.method).finish_non_exhaustive()
    }
}

impl std::fmt::Debug for FetchResponse {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FetchResponse").field("status", &self.status).finish_non_exhaustive()
    }
}
