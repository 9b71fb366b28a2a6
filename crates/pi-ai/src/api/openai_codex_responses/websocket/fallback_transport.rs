//! The transport of a call: a WebSocket where that works, else the transport that it wraps.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures::future::{BoxFuture, FutureExt};
use http::{HeaderMap, header};

use crate::error::{Error, NetworkError};
use crate::options::{StreamOptions, Transport};
use crate::random::Random;
use crate::transport::{HttpRequest, HttpResponse, HttpTransport};

use super::super::headers;
use super::answer;
use super::call::{Call, Lease};
use super::connection::{Connection, Destination};
use super::payload::{self, Payload};
use super::socket::Socket;

/// Carries the requests of one call.
pub(in super::super) struct Carrier {
    inner: Arc<dyn HttpTransport>,
    call: Arc<Call>,
    transport: Option<Transport>,
    connect_timeout: Duration,
    /// The first event is awaited this long.
    event_timeout: Duration,
    /// Response headers are awaited this long where no WebSocket is used.
    header_timeout: Duration,
    random: Arc<dyn Random>,
}

impl fmt::Debug for Carrier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Carrier").field("inner", &self.inner).finish_non_exhaustive()
    }
}

impl HttpTransport for Carrier {
    fn send(&self, request: HttpRequest) -> BoxFuture<'_, Result<HttpResponse, Error>> {
        self.exchange(request).boxed()
    }
}

impl Carrier {
    /// Wraps the transport of a call.
    pub(in super::super) fn new(
        inner: Arc<dyn HttpTransport>,
        call: &Arc<Call>,
        options: &StreamOptions,
        header_timeout: Duration,
    ) -> Self {
        Self {
            inner,
            call: Arc::clone(call),
            transport: options.transport,
            connect_timeout: options.websocket_connect_timeout,
            event_timeout: options.timeout.min(options.stall_timeout.unwrap_or(Duration::MAX)),
            header_timeout,
            random: Arc::clone(&options.random),
        }
    }

    async fn exchange(&self, request: HttpRequest) -> Result<HttpResponse, Error> {
        if self.transport != Some(Transport::Sse) && self.call.try_websocket(request.body.len()) {
            match self.open(&request).await {
                Some(Ok(response)) => return Ok(response),
                Some(Err(error)) => {
                    tracing::debug!(%error, "no WebSocket, going on with server-sent events");
                    self.call.fell_back(error);
                }
                None => {}
            }
        }
        let after = self.header_timeout;
        tokio::time::timeout(after, self.inner.send(request))
            .await
            .unwrap_or(Err(Error::Network(NetworkError::Timeout { after })))
    }

    /// Sends the request over a WebSocket and waits for the first event; `None` when there can be no WebSocket.
    async fn open(&self, request: &HttpRequest) -> Option<Result<HttpResponse, Error>> {
        let (home, waiting) = self.call.reserve().await;
        let connection = match self.connection(request, waiting).await? {
            Ok(connection) => connection,
            Err(error) => return Some(Err(error)),
        };
        let mut lease = Lease { connection, home, payload: None };
        let first = self.ask(&mut lease, request).await;
        Some(first.map(|first| {
            self.call.opened();
            let body = answer::body(Arc::clone(&self.call), lease, &first);
            HttpResponse { status: 200, headers: HeaderMap::new(), body }
        }))
    }

    /// The connection that was waiting, if it leads where the request goes, else a new one.
    async fn connection(
        &self,
        request: &HttpRequest,
        waiting: Option<Connection>,
    ) -> Option<Result<Connection, Error>> {
        let authorization = request.headers.get(header::AUTHORIZATION).cloned();
        let destination = Destination { url: request.url.clone(), authorization };
        if let Some(connection) = waiting.filter(|waiting| waiting.destination == destination) {
            self.call.count(|stats| stats.connections_reused += 1);
            return Some(Ok(connection));
        }
        let headers = headers::for_websocket(request.headers.clone(), &*self.random);
        let opening = Socket::open(&*self.inner, &request.url, headers, &*self.random);
        let after = self.connect_timeout;
        let limit = if after.is_zero() { Duration::MAX } else { after };
        let socket = match tokio::time::timeout(limit, opening).await {
            Ok(opened) => opened?,
            Err(_) => Err(timeout("connect", after)),
        };
        Some(socket.map(|socket| {
            self.call.count(|stats| stats.connections_created += 1);
            Connection { socket, destination, continuation: None }
        }))
    }

    /// Sends the request and waits for the first event.
    async fn ask(&self, lease: &mut Lease, request: &HttpRequest) -> Result<Bytes, Error> {
        let no_object = || {
            Error::Network(NetworkError::WebSocket {
                detail: "WebSocket error: the body is no JSON object".into(),
                code: None,
            })
        };
        let text = self.compose(lease, &request.body).ok_or_else(no_object)?;
        self.call.count(|stats| stats.requests += 1);
        let after = self.event_timeout;
        let socket = &mut lease.connection.socket;
        let asking = async {
            socket.send(text).await?;
            socket.receive().await
        };
        tokio::time::timeout(after, asking).await.unwrap_or_else(|_| Err(timeout("idle", after)))
    }

    /// The message to send: where the context may be kept and this request continues it, only what is new.
    fn compose(&self, lease: &mut Lease, body: &[u8]) -> Option<String> {
        // Whatever becomes of this request, what came before is no longer where the connection is.
        let known = lease.connection.continuation.take();
        let is_wanted = matches!(self.transport, Some(Transport::Auto | Transport::WebsocketCached));
        lease.payload = if is_wanted && lease.home.is_some() { Payload::parse(body) } else { None };
        let Some(payload) = &lease.payload else { return payload::full(body) };
        let delta = known.as_ref().and_then(|known| Some((known.delta(payload)?, known.response_id())));
        self.call.count(|stats| {
            stats.cached_context_requests += 1;
            let kind = if delta.is_some() { &mut stats.delta_requests } else { &mut stats.full_context_requests };
            *kind += 1;
            stats.last_input_items = payload.len();
            stats.last_delta_input_items = delta.as_ref().map(|((_, items), _)| *items);
            stats.last_previous_response_id = delta.as_ref().map(|(_, id)| (*id).to_owned());
        });
        delta.map(|((text, _), _)| text).or_else(|| payload::full(body))
    }
}

fn timeout(what: &str, after: Duration) -> Error {
    Error::Network(NetworkError::WebSocket {
        detail: format!("WebSocket {what} timeout after {}ms", after.as_millis()),
        code: None,
    })
}
