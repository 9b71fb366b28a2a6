//! How providers are reached, and the limits of a request.

use std::time::Duration;

use pi_ai::Transport;

use super::super::keys::{Keys, in_force, limit_ms, small, text};
use super::super::scope::SettingsScope;
use super::super::values::ProviderRetrySettings;
use crate::config::Error;

const DEFAULT_HTTP_IDLE_TIMEOUT: Duration = Duration::from_secs(300);

/// How providers are reached, and the limits of a request.
///
/// Made by [`SettingsManager::network`](crate::settings::SettingsManager::network).
#[derive(Debug, Clone, Copy)]
pub struct NetworkSettings<'a>(pub(in crate::config::settings) Keys<'a>);

impl NetworkSettings<'_> {
    /// How a provider that offers several transports is spoken to.
    pub fn transport(self) -> Transport {
        self.0.value(&["transport"]).unwrap_or_default()
    }

    /// How long a stream may be silent; `None` means for ever.
    pub fn http_idle_timeout(self) -> Option<Duration> {
        self.0.get(&["httpIdleTimeoutMs"], limit_ms).map_or(Some(DEFAULT_HTTP_IDLE_TIMEOUT), in_force)
    }

    /// Limit for the opening of a WebSocket, if one is set; the inner `None` means none at all.
    pub fn websocket_connect_timeout(self) -> Option<Option<Duration>> {
        self.0.get(&["websocketConnectTimeoutMs"], limit_ms).map(in_force)
    }

    /// HTTP proxy; only the user's own setting counts.
    pub fn http_proxy(self) -> Option<String> {
        self.0.get_in(SettingsScope::Global, &["httpProxy"], text)
    }

    /// Limits of one HTTP request.
    pub fn provider_retry(self) -> ProviderRetrySettings {
        let delay = self.0.number(&["retry", "provider", "maxRetryDelayMs"]);
        ProviderRetrySettings {
            timeout: self.0.number(&["retry", "provider", "timeoutMs"]).map(Duration::from_millis),
            max_retries: small(self.0.number(&["retry", "provider", "maxRetries"]).unwrap_or(0)),
            max_retry_delay: Duration::from_millis(delay.unwrap_or(60_000)),
        }
    }
}

/// Setters write the user's settings; a project's own value for the same key stays in force.
///
/// # Errors
/// Those of [`SettingsManager::set`](crate::settings::SettingsManager::set); the value is in force all the same.
impl NetworkSettings<'_> {
    /// How a provider that offers several transports is spoken to.
    pub fn set_transport(self, transport: Transport) -> Result<(), Error> {
        self.0.set_serialized(&["transport"], &transport)
    }
}
