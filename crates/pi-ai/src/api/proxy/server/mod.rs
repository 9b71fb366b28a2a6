//! From the body of a request to a response, without an HTTP server: a program brings its own.
//!
//! `incoming.rs` reads a request, `encode.rs` writes the events of a call as lines, with what the plain format would lose
//! (`client_view.rs`), and `body.rs` is what an HTTP server sends.

mod body;
mod client_view;
mod encode;
mod error;
mod incoming;

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use futures::FutureExt;
use futures::future::BoxFuture;
use futures::stream;
use http::{HeaderMap, HeaderValue, Response, StatusCode, header};
use serde_json::json;

pub use self::body::ProxyBody;
pub use self::encode::encode_events;
pub use self::error::ProxyError;
pub use self::incoming::{ProxyRequest, RequestedModel};
use crate::context::Context;
use crate::model::Model;
use crate::options::StreamOptions;
use crate::registry::ApiRegistry;
use crate::stream::AssistantMessageStream;

/// Starts a model call; an error is told to the client.
type Caller = dyn Fn(Arc<Model>, Context, StreamOptions) -> BoxFuture<'static, Result<AssistantMessageStream, String>>
    + Send
    + Sync;

/// Maps what a client asks for to a model of the server; `None` refuses.
pub type ResolveFn = dyn Fn(&ProxyRequest) -> Option<Arc<Model>> + Send + Sync;

/// The server half of a proxy: makes the model calls of clients that have no keys.
///
/// Who may ask is for the program to decide, before it hands over a body: see [`bearer_token`].
///
/// ```
/// use std::sync::Arc;
///
/// use pi_ai::proxy::ProxyServer;
/// use pi_ai::{ApiRegistry, get_model};
///
/// // Only models of one provider; address, headers and prices are those of the catalogue.
/// let server = ProxyServer::over(Arc::new(ApiRegistry::builtin()), |request| {
///     (request.model.provider == "anthropic").then(|| get_model("anthropic", &request.model.id)).flatten()
/// });
/// # async fn demo(server: ProxyServer) {
/// let response = server.answer(br#"{"model":{"id":"another"},"context":{"messages":[]}}"#).await;
/// assert_eq!(response.status(), 404);
/// # }
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(demo(server));
/// ```
#[derive(Clone)]
pub struct ProxyServer {
    stream: Arc<Caller>,
    resolve: Arc<ResolveFn>,
    options: StreamOptions,
    accepted: Vec<String>,
}

impl ProxyServer {
    /// A server that calls models through `stream`, and only those that `resolve` returns.
    ///
    /// The client names a model; its address, headers and prices are never taken from the request, because whoever
    /// chooses the address of a call gets the key. `resolve` should return a model of the same provider, id and wire
    /// format: clients store these names with the answer, and signatures are valid for them only.
    pub fn new<F, E>(
        stream: Arc<F>,
        resolve: impl Fn(&ProxyRequest) -> Option<Arc<Model>> + Send + Sync + 'static,
    ) -> Self
    where
        F: Fn(Arc<Model>, Context, StreamOptions) -> BoxFuture<'static, Result<AssistantMessageStream, E>>,
        F: Send + Sync + ?Sized + 'static,
        E: fmt::Display + 'static,
    {
        let stream: Arc<Caller> = Arc::new(move |model, context, options| {
            stream(model, context, options).map(|events| events.map_err(|error| error.to_string())).boxed()
        });
        Self { stream, resolve: Arc::new(resolve), options: StreamOptions::default(), accepted: Vec::new() }
    }

    /// As [`ProxyServer::new`], with calls in the wire formats of a registry.
    pub fn over(
        apis: Arc<ApiRegistry>,
        resolve: impl Fn(&ProxyRequest) -> Option<Arc<Model>> + Send + Sync + 'static,
    ) -> Self {
        let stream = move |model, context, options| std::future::ready(apis.stream(model, context, options)).boxed();
        Self::new(Arc::new(stream), resolve)
    }

    /// Options of every call: keys, limits, hooks. What a client sends replaces temperature, output limit, thinking,
    /// cache retention, session, metadata, transport and retry delay. Cancelling `cancel` aborts all calls.
    #[must_use]
    pub fn with_options(mut self, options: StreamOptions) -> Self {
        self.options = options;
        self
    }

    /// Names of headers that a client may add to the request to the provider. None by default: such headers win over
    /// those of the server, authentication included.
    #[must_use]
    pub fn accept_headers(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.accepted = names.into_iter().map(Into::into).collect();
        self
    }

    /// Answers the body of a `POST <proxy URL>/api/stream`. Failures are responses, too.
    pub async fn answer(&self, body: &[u8]) -> Response<ProxyBody> {
        match ProxyRequest::parse(body) {
            Ok(request) => self.answer_request(request).await,
            Err(error) => error_response(StatusCode::BAD_REQUEST, &error.to_string()),
        }
    }

    /// Answers a request that the program has read, and changed where it wants to: for example to keep the sessions
    /// of its users apart.
    pub async fn answer_request(&self, request: ProxyRequest) -> Response<ProxyBody> {
        let Some(model) = (self.resolve)(&request) else {
            let error = ProxyError::ModelNotServed { provider: request.model.provider, id: request.model.id };
            return error_response(StatusCode::NOT_FOUND, &error.to_string());
        };
        let mut options = request.options.apply(&self.accepted, self.options.clone());
        options.cancel = self.options.cancel.child_token();
        match (self.stream)(model, request.context, options).await {
            Ok(events) => events_response(encode_events(events)),
            Err(failure) => error_response(StatusCode::INTERNAL_SERVER_ERROR, &failure),
        }
    }
}

impl fmt::Debug for ProxyServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProxyServer").field("accepted", &self.accepted).finish_non_exhaustive()
    }
}

/// The token of a request. Compare it in constant time.
pub fn bearer_token(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
}

/// A refusal as clients expect it: a JSON body with `error`.
pub fn error_response(status: StatusCode, message: &str) -> Response<ProxyBody> {
    let body = Bytes::from(json!({ "error": message }).to_string());
    let mut response = Response::new(ProxyBody::new(stream::iter([body])));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

fn events_response(body: ProxyBody) -> Response<ProxyBody> {
    let mut response = Response::new(body);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    // Reverse proxies that collect a response before they pass it on would make a stream of it pointless.
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}
