//! Models to start with and to choose from.

use super::super::keys::Keys;
use super::super::table::{DEFAULT_MODEL, DEFAULT_PROVIDER};
use crate::config::Error;

/// Models to start with and to choose from.
///
/// Made by [`SettingsManager::models`](crate::settings::SettingsManager::models).
#[derive(Debug, Clone, Copy)]
pub struct ModelSettings<'a>(pub(in crate::config::settings) Keys<'a>);

impl ModelSettings<'_> {
    /// Remembers the model to start with in the user's settings; a project's own values stay in force.
    ///
    /// # Errors
    /// Those of [`SettingsManager::set`](crate::settings::SettingsManager::set); the value is in force all the same.
    pub fn set_default_model(self, provider: &str, model: &str) -> Result<(), Error> {
        self.0.set_texts([(&DEFAULT_PROVIDER, provider), (&DEFAULT_MODEL, model)])
    }
}
