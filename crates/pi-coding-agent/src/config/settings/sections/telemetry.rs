//! What is told about the use of the program.

use super::super::keys::Keys;

/// What is told about the use of the program.
///
/// Made by [`SettingsManager::telemetry`](crate::settings::SettingsManager::telemetry).
#[derive(Debug, Clone, Copy)]
pub struct TelemetrySettings<'a>(pub(in crate::config::settings) Keys<'a>);
