//! What extensions may use up and may do.

use std::time::Duration;

use super::super::keys::Keys;
use super::super::table::{EXTENSION_HANDLER_SECONDS, EXTENSION_MEMORY_MB, EXTENSION_TURN_SECONDS};
use super::super::values::ExtensionLimits;

/// What extensions may use up and may do.
///
/// Made by [`SettingsManager::extensions`](crate::settings::SettingsManager::extensions).
#[derive(Debug, Clone, Copy)]
pub struct ExtensionSettings<'a>(pub(in crate::config::settings) Keys<'a>);

impl ExtensionSettings<'_> {
    /// What extensions in scripts may use up; only the user's own setting counts.
    pub fn limits(self) -> ExtensionLimits {
        let seconds = |seconds: f64| Duration::try_from_secs_f64(seconds).ok().filter(|limit| !limit.is_zero());
        ExtensionLimits {
            memory_mb: self.0.get(&EXTENSION_MEMORY_MB).map(|mb| mb as u64).filter(|mb| *mb > 0),
            turn: self.0.get(&EXTENSION_TURN_SECONDS).and_then(seconds),
            handler: seconds(self.0.get(&EXTENSION_HANDLER_SECONDS)),
        }
    }
}
