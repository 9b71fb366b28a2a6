//! Options of a model call. Each wire format documents which it honours.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;
use typed_builder::TypedBuilder;

use crate::clock::{Clock, default_clock};
use crate::model::Model;
use crate::random::{Random, default_random};
use crate::thinking::{ThinkingBudgets, ThinkingLevel};
use crate::transport::HttpTransport;

/// Response headers are awaited this long unless [`StreamOptions::timeout`] says otherwise.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(600);
/// A WebSocket is opened within this time unless [`StreamOptions::websocket_connect_timeout`] says otherwise.
pub const DEFAULT_WEBSOCKET_CONNECT_TIMEOUT: Duration = Duration::from_secs(15);
/// A stream may be silent this long unless [`StreamOptions::stall_timeout`] says otherwise.
pub const DEFAULT_STALL_TIMEOUT: Duration = Duration::from_secs(300);

/// Options of a model call; `StreamOptions::default()` is a plain call.
#[derive(Clone, TypedBuilder)]
#[builder(field_defaults(default, setter(into)))]
pub struct StreamOptions {
    /// Sampling temperature.
    pub temperature: Option<f64>,
    /// Output limit in tokens.
    pub max_tokens: Option<u64>,
    /// Cancelling it ends the stream with an `aborted` message. Dropping the stream aborts, too.
    pub cancel: CancellationToken,
    /// API key; a blank one counts as absent, then the environment is asked.
    pub api_key: Option<String>,
    /// How long the provider should cache the prompt; absent: environment `PI_CACHE_RETENTION`, else short.
    pub cache_retention: Option<CacheRetention>,
    /// Groups the calls of one conversation for caching and routing.
    pub session_id: Option<String>,
    /// Sees, and may replace, the request body.
    pub on_payload: Option<PayloadHook>,
    /// Sees, and may replace, [`StreamOptions::headers`].
    pub on_headers: Option<HeadersHook>,
    /// Sees status and headers of the response.
    pub on_response: Option<ResponseHook>,
    /// Extra request headers; they win over all others.
    pub headers: BTreeMap<String, String>,
    /// Limit for the wait for response headers.
    #[builder(default = DEFAULT_TIMEOUT)]
    pub timeout: Duration,
    /// Limit for the silence between two meaningful stream events; `None` waits forever.
    #[builder(default = Some(DEFAULT_STALL_TIMEOUT))]
    pub stall_timeout: Option<Duration>,
    /// How `openai-codex-responses` is spoken to; absent means [`Transport::Auto`], without the incremental context that
    /// an explicit choice of it allows. Other wire formats know one transport.
    pub transport: Option<Transport>,
    /// Limit for opening a WebSocket; zero waits for ever.
    #[builder(default = DEFAULT_WEBSOCKET_CONNECT_TIMEOUT)]
    pub websocket_connect_timeout: Duration,
    /// Retries of the HTTP request before response headers arrived.
    pub max_retries: u32,
    /// Cap for a server-requested delay; zero means no cap.
    #[builder(default = Duration::from_secs(60))]
    pub max_retry_delay: Duration,
    /// Provider metadata; `anthropic-messages` reads `user_id`.
    pub metadata: Map<String, Value>,
    /// Looked up before the process environment.
    pub env: BTreeMap<String, String>,
    /// Thinking level; `off` and absent mean no thinking.
    pub reasoning: ThinkingLevel,
    /// Thinking budgets that replace the defaults.
    pub thinking_budgets: Option<ThinkingBudgets>,
    /// Forces or forbids tool calls, in the wire format's own shape.
    pub tool_choice: Option<Value>,
    /// Whether the `tracing` span of the call holds what was said: instructions, messages, the answer. Off by default:
    /// traces go to systems that others read.
    pub trace_content: bool,
    /// Replaces the shared HTTP client: tests, cassettes, custom networks.
    pub http: Option<Arc<dyn HttpTransport>>,
    /// Source of message timestamps.
    #[builder(default = default_clock())]
    pub clock: Arc<dyn Clock>,
    /// Source of retry jitter.
    #[builder(default = default_random())]
    pub random: Arc<dyn Random>,
}

impl Default for StreamOptions {
    fn default() -> Self {
        Self::builder().build()
    }
}

impl fmt::Debug for StreamOptions {
    /// Leaves out everything that may hold a secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StreamOptions")
            .field("temperature", &self.temperature)
            .field("max_tokens", &self.max_tokens)
            .field("cache_retention", &self.cache_retention)
            .field("session_id", &self.session_id)
            .field("reasoning", &self.reasoning)
            .finish_non_exhaustive()
    }
}

impl StreamOptions {
    /// A variable from [`StreamOptions::env`], else from the process; empty counts as unset.
    #[expect(clippy::disallowed_methods, reason = "a call without an environment of its own has that of the process")]
    pub fn env_var(&self, name: &str) -> Option<String> {
        let own = self.env.get(name).cloned();
        own.or_else(|| std::env::var(name).ok()).filter(|value| !value.is_empty())
    }

    /// The payload hook, if it will look.
    pub(crate) fn wanted_payload(&self) -> Option<&PayloadHook> {
        self.on_payload.as_ref().filter(|hook| (hook.is_wanted)())
    }

    /// The API key, unless it is blank.
    pub(crate) fn given_api_key(&self) -> Option<&str> {
        self.api_key.as_deref().filter(|key| !key.trim().is_empty())
    }

    /// The cache retention in force.
    pub fn resolved_cache_retention(&self) -> CacheRetention {
        self.cache_retention.unwrap_or_else(|| match self.env_var("PI_CACHE_RETENTION").as_deref() {
            Some("long") => CacheRetention::Long,
            _ => CacheRetention::Short,
        })
    }
}

/// How long a provider should keep the prompt cached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CacheRetention {
    /// No cache markers and no cache keys.
    None,
    /// The provider's default.
    Short,
    /// The provider's longest.
    Long,
}

/// A way to carry a request and its answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Transport {
    /// Server-sent events over HTTP.
    Sse,
    /// A WebSocket.
    Websocket,
    /// A WebSocket that is kept per session and is told only what is new.
    WebsocketCached,
    /// A WebSocket where it works, else server-sent events.
    #[default]
    Auto,
}

/// Error text of a hook.
pub type HookError = String;

/// May replace the request body: `Ok(None)` keeps it.
pub type PayloadFn = dyn Fn(Value, Arc<Model>) -> BoxFuture<'static, Result<Option<Value>, HookError>> + Send + Sync;
/// Says which extra headers a request has instead of these.
pub type HeadersFn =
    dyn Fn(BTreeMap<String, String>) -> BoxFuture<'static, Result<BTreeMap<String, String>, HookError>> + Send + Sync;
/// Observes a response before its body is read.
pub type ResponseFn = dyn Fn(ResponseInfo, Arc<Model>) -> BoxFuture<'static, Result<(), HookError>> + Send + Sync;

/// A shared [`PayloadFn`].
#[derive(Clone)]
pub struct PayloadHook {
    hook: Arc<PayloadFn>,
    is_wanted: Arc<dyn Fn() -> bool + Send + Sync>,
}

/// A shared [`HeadersFn`].
#[derive(Clone)]
pub struct HeadersHook(pub Arc<HeadersFn>);

/// A shared [`ResponseFn`].
#[derive(Clone)]
pub struct ResponseHook(pub Arc<ResponseFn>);

impl PayloadHook {
    /// A hook from a closure.
    pub fn new<F>(hook: impl Fn(Value, Arc<Model>) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Result<Option<Value>, HookError>> + Send + 'static,
    {
        Self { hook: Arc::new(move |payload, model| Box::pin(hook(payload, model))), is_wanted: Arc::new(|| true) }
    }

    /// Asks before each call whether somebody will look. A request that nobody looks at takes much less memory, as its
    /// conversation need not exist as JSON values all at once.
    #[must_use]
    pub fn only_when(mut self, is_wanted: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        self.is_wanted = Arc::new(is_wanted);
        self
    }

    /// Shows a request body to the hook.
    pub fn call(&self, payload: Value, model: Arc<Model>) -> BoxFuture<'static, Result<Option<Value>, HookError>> {
        (self.hook)(payload, model)
    }
}

impl HeadersHook {
    /// A hook from a closure.
    pub fn new<F>(hook: impl Fn(BTreeMap<String, String>) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Result<BTreeMap<String, String>, HookError>> + Send + 'static,
    {
        Self(Arc::new(move |headers| Box::pin(hook(headers))))
    }
}

impl ResponseHook {
    /// A hook from a closure.
    pub fn new<F>(hook: impl Fn(ResponseInfo, Arc<Model>) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Result<(), HookError>> + Send + 'static,
    {
        Self(Arc::new(move |response, model| Box::pin(hook(response, model))))
    }
}

impl fmt::Debug for PayloadHook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PayloadHook")
    }
}

impl fmt::Debug for HeadersHook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("HeadersHook")
    }
}

impl fmt::Debug for ResponseHook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ResponseHook")
    }
}

/// Status and headers of a response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResponseInfo {
    /// HTTP status.
    pub status: u16,
    /// Headers by lower-case name.
    pub headers: BTreeMap<String, String>,
}
