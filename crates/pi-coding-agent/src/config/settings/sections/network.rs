//! How providers are reached, and the limits of a request.

use std::time::Duration;

use super::super::keys::Keys;
use super::super::table::{
    HTTP_IDLE_TIMEOUT_MS, RETRY_PROVIDER_MAX_RETRIES, RETRY_PROVIDER_MAX_RETRY_DELAY_MS, RETRY_PROVIDER_TIMEOUT_MS,
    WEBSOCKET_CONNECT_TIMEOUT_MS,
};
use super::super::values::ProviderRetrySettings;

/// How providers are reached, and the limits of a request.
///
/// Made by [`SettingsManager::network`](crate::settings::SettingsManager::network).
#[derive(Debug, Clone, Copy)]
pub struct NetworkSettings<'a>(pub(in crate::config::settings) Keys<'a>);

impl NetworkSettings<'_> {
    /// How long a stream may be silent; `None` means for ever.
    pub fn http_idle_timeout(self) -> Option<Duration> {
        in_force(self.0.get(&HTTP_IDLE_TIMEOUT_MS))
    }

    /// Limit for the opening of a WebSocket, if one is set; the inner `None` means none at all.
    pub fn websocket_connect_timeout(self) -> Option<Option<Duration>> {
        self.0.get(&WEBSOCKET_CONNECT_TIMEOUT_MS).map(in_force)
    }

    /// Limits of one HTTP request.
    pub fn provider_retry(self) -> ProviderRetrySettings {
        ProviderRetrySettings {
            timeout: self.0.get(&RETRY_PROVIDER_TIMEOUT_MS).map(Duration::from_millis),
            max_retries: u32::try_from(self.0.get(&RETRY_PROVIDER_MAX_RETRIES)).unwrap_or(u32::MAX),
            max_retry_delay: Duration::from_millis(self.0.get(&RETRY_PROVIDER_MAX_RETRY_DELAY_MS)),
        }
    }
}

/// 0 switches a limit off.
fn in_force(ms: u64) -> Option<Duration> {
    (ms > 0).then(|| Duration::from_millis(ms))
}
