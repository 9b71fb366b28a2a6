//! The wire format `openai-codex-responses`: the Responses API as ChatGPT subscriptions reach it, over server-sent events
//! or a WebSocket.
//!
//! `request.rs` puts the request together with `headers.rs` and `account.rs`; `http_error.rs` knows what error statuses mean.
//! Input items, tools and the decoder are those of [`super::responses`]. `websocket/` carries requests over WebSockets and
//! falls back to server-sent events; the driver does not see the difference.

mod dialect;
mod headers;
mod http_error;
mod options;
mod request;
#[cfg(feature = "codex-ws")]
mod websocket;

use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use http::HeaderMap;

use crate::clock::Clock;
use crate::context::Context;
use crate::error::Error;
use crate::model::Model;
use crate::options::StreamOptions;
use crate::transport::retry::Backoff;
use crate::transport::{HttpRequest, SseDecoder};
#[cfg(feature = "codex-ws")]
use crate::{
    builder::MessageBuilder,
    transport::{HttpResponse, HttpTransport},
};

use super::call::impl_api;
use super::responses::decode::ResponsesDecoder;
use super::wire::{WireFormat, WireRequest};
pub use options::OpenAiCodexResponsesOptions;
#[cfg(feature = "codex-ws")]
pub use websocket::CodexSessionStats;

/// The name that models carry in `api`.
pub(crate) const NAME: &str = "openai-codex-responses";

/// Response headers are awaited this long at most.
const HEADER_TIMEOUT: Duration = Duration::from_secs(20);
/// Delays between tries that the server does not choose.
const BACKOFF: Backoff = Backoff { first: Duration::from_secs(1), longest: Duration::from_secs(60) };

/// The Responses API of ChatGPT subscriptions. The API key is the access token of an OAuth login.
///
/// Of [`StreamOptions`] it honours all but `max_tokens`, `cache_retention`, `metadata` and `thinking_budgets`; its own headers
/// win over those of the options.
///
/// # Transports
/// Unless [`StreamOptions::transport`] is `sse`, the request goes over a WebSocket. When that cannot be opened, or breaks
/// before the first event, the same call goes on over server-sent events, and the message says so in `diagnostics`
/// (`provider_transport_failure`). Breaking later is a failure of the call. After either, calls of the same session use
/// server-sent events as long as this value lives. Proxies and certificates are those of other requests. A transport that
/// cannot upgrade connections ([`HttpTransport::upgrade`](crate::transport::HttpTransport::upgrade)), such as a cassette,
/// means server-sent events.
///
/// The WebSocket is opened within [`StreamOptions::websocket_connect_timeout`]; its first event is awaited no longer than
/// `timeout` and `stall_timeout` say, later silence is the business of `stall_timeout`, as in every format.
///
/// # Sessions
/// With a [`StreamOptions::session_id`] the WebSocket stays open for the next call, up to five idle minutes; an explicit
/// `auto` or `websocket-cached` then sends only what is new in the transcript. This value owns the open connections: clones
/// share them, dropping the last one closes them, and so does
/// [`ApiRegistry::cleanup_session_resources`](crate::ApiRegistry::cleanup_session_resources).
#[derive(Debug, Clone, Default)]
pub struct OpenAiCodexResponses {
    #[cfg(feature = "codex-ws")]
    sessions: Arc<websocket::Sessions>,
}

impl OpenAiCodexResponses {
    /// The format without any open connection.
    pub fn new() -> Self {
        Self::default()
    }

    /// What happened on the WebSockets of a session; `None` before its first call that tried one.
    #[cfg(feature = "codex-ws")]
    pub fn session_stats(&self, session_id: &str) -> Option<CodexSessionStats> {
        self.sessions.stats(session_id)
    }

    #[cfg_attr(
        not(feature = "codex-ws"),
        expect(unused_variables, reason = "only WebSockets continue a model's answer")
    )]
    fn format(
        &self,
        explicit: Option<OpenAiCodexResponsesOptions>,
        model: &Arc<Model>,
        options: &StreamOptions,
    ) -> Format {
        Format {
            explicit,
            clock: Arc::clone(&options.clock),
            #[cfg(feature = "codex-ws")]
            call: Arc::new(websocket::Call::new(&self.sessions, model, options)),
        }
    }
}

impl_api!(OpenAiCodexResponses, NAME, OpenAiCodexResponsesOptions, OpenAiCodexResponses::format, {
    #[cfg(feature = "codex-ws")]
    fn cleanup_session_resources(&self, session_id: Option<&str>) {
        self.sessions.cleanup(session_id);
    }
});

/// One call, as the driver sees it.
#[derive(Debug)]
struct Format {
    /// Options of this format; without them they follow from the general ones.
    explicit: Option<OpenAiCodexResponsesOptions>,
    clock: Arc<dyn Clock>,
    #[cfg(feature = "codex-ws")]
    call: Arc<websocket::Call>,
}

impl Format {
    /// Whether the answer comes over a WebSocket.
    fn is_websocket(&self) -> bool {
        #[cfg(feature = "codex-ws")]
        return self.call.is_open();
        #[cfg(not(feature = "codex-ws"))]
        false
    }
}

impl WireFormat for Format {
    type Frames = SseDecoder;
    type Decoder = ResponsesDecoder;

    fn request(&self, model: &Model, context: &Context, options: &StreamOptions) -> Result<WireRequest, Error> {
        match &self.explicit {
            Some(explicit) => request::build(model, context, options, explicit),
            None => {
                let simple = OpenAiCodexResponsesOptions::simple(model, options);
                request::build(model, context, options, &simple)
            }
        }
    }

    fn authorize<'a>(
        &'a self,
        mut request: HttpRequest,
        _: &'a Model,
        options: &'a StreamOptions,
    ) -> BoxFuture<'a, Result<HttpRequest, Error>> {
        let own = headers::own(options).map(|own| {
            request.headers.extend(own);
            request
        });
        Box::pin(std::future::ready(own))
    }

    #[cfg(feature = "codex-ws")]
    fn transport(&self, inner: Arc<dyn HttpTransport>, _: &Model, options: &StreamOptions) -> Arc<dyn HttpTransport> {
        Arc::new(websocket::Carrier::new(inner, &self.call, options, header_timeout(options)))
    }

    /// The carrier limits the wait itself, because opening a WebSocket comes first.
    #[cfg(feature = "codex-ws")]
    fn header_timeout(&self, _: &StreamOptions) -> Duration {
        Duration::MAX
    }

    #[cfg(not(feature = "codex-ws"))]
    fn header_timeout(&self, options: &StreamOptions) -> Duration {
        header_timeout(options)
    }

    fn is_retryable(&self, status: u16, _: &HeaderMap, body: &str) -> bool {
        http_error::is_retryable(status, body)
    }

    fn backoff(&self) -> Backoff {
        BACKOFF
    }

    #[cfg(feature = "codex-ws")]
    fn is_reported(&self, _: &HttpResponse) -> bool {
        !self.is_websocket()
    }

    fn decoder(&self, model: &Arc<Model>, _: &Context, _: &StreamOptions) -> ResponsesDecoder {
        let tier = self.explicit.as_ref().and_then(|explicit| explicit.service_tier.clone());
        let dialect = if self.is_websocket() { dialect::WEBSOCKET } else { dialect::SSE };
        ResponsesDecoder::new(model, dialect, tier)
    }

    #[cfg(feature = "codex-ws")]
    fn conclude(&self, outcome: Result<(), &Error>, options: &StreamOptions, message: &mut MessageBuilder) {
        self.call.conclude(outcome, options, message);
    }

    fn http_error(&self, status: u16, body: &str) -> String {
        http_error::text(status, body, self.clock.now_ms())
    }
}

/// How long response headers are awaited.
fn header_timeout(options: &StreamOptions) -> Duration {
    options.timeout.min(HEADER_TIMEOUT)
}
