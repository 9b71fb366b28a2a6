//! Where the proxy is, and which options of a call travel to it.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use typed_builder::TypedBuilder;

use crate::options::{CacheRetention, StreamOptions, Transport};
use crate::thinking::{ThinkingBudgets, ThinkingLevel};
use crate::transport::HttpTransport;

/// The default of [`StreamOptions::max_retry_delay`].
const USUAL_RETRY_DELAY: Duration = Duration::from_secs(60);

/// Where the proxy is and how it is reached.
#[derive(Clone, TypedBuilder)]
pub struct ProxyOptions {
    /// URL of the proxy; `/api/stream` is appended.
    #[builder(setter(into))]
    pub proxy_url: String,
    /// Token that tells the proxy who asks, sent as `Authorization: Bearer`.
    #[builder(setter(into))]
    pub auth_token: String,
    /// What sends requests; [`StreamOptions::http`] of a call replaces it. With the feature `http`:
    /// `pi_ai::transport::ReqwestTransport::shared()`.
    pub http: Arc<dyn HttpTransport>,
}

impl fmt::Debug for ProxyOptions {
    /// Leaves out everything that may hold a secret, parts of the URL included.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProxyOptions").finish_non_exhaustive()
    }
}

/// The options of a call that travel. Absent means the default of the server.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ProxyCallOptions {
    /// Sampling temperature.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// Output limit in tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u64>,
    /// Thinking level.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<ThinkingLevel>,
    /// How long the prompt should stay in the provider's cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache_retention: Option<CacheRetention>,
    /// Groups the calls of one conversation. A server for several users makes it unique among them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// Extra request headers. A server does not use those of strangers: see
    /// [`ProxyServer::accept_headers`](super::ProxyServer::accept_headers).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub headers: Option<BTreeMap<String, String>>,
    /// Provider metadata.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Map<String, Value>>,
    /// How the provider is spoken to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transport: Option<Transport>,
    /// Thinking budgets in tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thinking_budgets: Option<ThinkingBudgets>,
    /// Cap for a delay that the provider asks for, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_retry_delay_ms: Option<u64>,
}

impl ProxyCallOptions {
    /// What travels of the options of a call. Defaults stay at home.
    pub(super) fn of(options: &StreamOptions) -> Self {
        let delay = options.max_retry_delay;
        Self {
            temperature: options.temperature,
            max_tokens: options.max_tokens,
            reasoning: options.reasoning.enabled(),
            cache_retention: options.cache_retention,
            session_id: options.session_id.clone(),
            headers: (!options.headers.is_empty()).then(|| options.headers.clone()),
            metadata: (!options.metadata.is_empty()).then(|| options.metadata.clone()),
            transport: options.transport,
            thinking_budgets: options.thinking_budgets.clone(),
            max_retry_delay_ms: (delay != USUAL_RETRY_DELAY).then(|| milliseconds(delay)),
        }
    }

    /// Writes what travelled over the options of the server; headers only as far as `accepted` allows (lower case).
    pub(super) fn apply(self, accepted: &[String], mut base: StreamOptions) -> StreamOptions {
        base.temperature = self.temperature.or(base.temperature);
        base.max_tokens = self.max_tokens.or(base.max_tokens);
        base.reasoning = self.reasoning.unwrap_or(base.reasoning);
        base.cache_retention = self.cache_retention.or(base.cache_retention);
        base.session_id = self.session_id.or(base.session_id);
        base.metadata = self.metadata.unwrap_or(base.metadata);
        base.transport = self.transport.or(base.transport);
        base.thinking_budgets = self.thinking_budgets.or(base.thinking_budgets);
        base.max_retry_delay = self.max_retry_delay_ms.map_or(base.max_retry_delay, Duration::from_millis);
        let allowed = |name: &str| accepted.iter().any(|accepted| accepted.eq_ignore_ascii_case(name));
        base.headers.extend(self.headers.into_iter().flatten().filter(|(name, _)| allowed(name)));
        base
    }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

impl fmt::Debug for ProxyCallOptions {
    /// Leaves out everything that may hold a secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProxyCallOptions")
            .field("temperature", &self.temperature)
            .field("max_tokens", &self.max_tokens)
            .field("reasoning", &self.reasoning)
            .field("session_id", &self.session_id)
            .finish_non_exhaustive()
    }
}
