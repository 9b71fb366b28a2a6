//! What is told about the use of the program.

use super::super::keys::Keys;

/// What is told about the use of the program.
///
/// Made by [`SettingsManager::telemetry`](crate::settings::SettingsManager::telemetry).
#[derive(Debug, Clone, Copy)]
pub struct TelemetrySettings<'a>(pub(in crate::config::settings) Keys<'a>);

impl TelemetrySettings<'_> {
    /// Whether requests say which program sends them.
    pub fn enable_install_telemetry(self) -> bool {
        self.0.switch(&["enableInstallTelemetry"], true)
    }

    /// Whether the user agreed to analytics.
    pub fn enable_analytics(self) -> bool {
        self.0.switch(&["enableAnalytics"], false)
    }

    /// The id that goes with analytics.
    pub fn tracking_id(self) -> Option<String> {
        self.0.text(&["trackingId"])
    }
}
