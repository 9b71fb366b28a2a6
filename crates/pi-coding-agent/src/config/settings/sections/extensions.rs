//! What extensions may use up and may do.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::Value;

use super::super::keys::{Keys, whole};
use super::super::scope::SettingsScope;
use super::super::values::{DEFAULT_HANDLER_TIMEOUT, ExtensionLimits, ExtensionPermissions};

/// What extensions may use up and may do.
///
/// Made by [`SettingsManager::extensions`](crate::settings::SettingsManager::extensions).
#[derive(Debug, Clone, Copy)]
pub struct ExtensionSettings<'a>(pub(in crate::config::settings) Keys<'a>);

impl ExtensionSettings<'_> {
    /// What extensions in scripts may use up; only the user's own setting counts.
    pub fn limits(self) -> ExtensionLimits {
        let get = |key| self.0.get_in(SettingsScope::Global, &["extensionLimits", key], Value::as_f64);
        let seconds = |seconds: f64| Duration::try_from_secs_f64(seconds).ok().filter(|limit| !limit.is_zero());
        ExtensionLimits {
            memory_mb: get("memoryMb").and_then(whole).filter(|mb| *mb > 0),
            turn: get("turnSeconds").and_then(seconds),
            handler: match get("handlerSeconds") {
                Some(limit) if limit >= 0.0 => seconds(limit),
                _ => Some(DEFAULT_HANDLER_TIMEOUT),
            },
        }
    }

    /// What extensions may do on the machine, by the names that the user's own settings give them. One that is not named
    /// may do everything.
    pub fn permissions(self) -> BTreeMap<String, ExtensionPermissions> {
        let read = |value: &Value| {
            let entries = value.as_object()?.iter();
            Some(entries.map(|(name, value)| (name.clone(), ExtensionPermissions::read(value))).collect())
        };
        self.0.get_in(SettingsScope::Global, &["extensionPermissions"], read).unwrap_or_default()
    }
}
