//! Setters of the keys that the program itself changes. They write the user's settings; a project's own value for
//! the same key stays in force.
//!
//! All fail as [`SettingsManager::set`] does; the value is in force all the same.

use pi_agent_core::QueueMode;
use pi_ai::{ThinkingLevel, Transport};
use serde::Serialize;
use serde_json::Value;

use super::manager::{SettingsManager, SettingsScope};
use super::values::ResourceKind;
use crate::config::Error;
use crate::host;

/// # Errors
/// Those of [`SettingsManager::set`].
impl SettingsManager {
    /// Remembers the model to start with.
    pub fn set_default_model(&self, provider: &str, model: &str) -> Result<(), Error> {
        let changes: [(&[&str], Option<Value>); 2] =
            [(&["defaultProvider"], Some(provider.into())), (&["defaultModel"], Some(model.into()))];
        self.set_all(SettingsScope::Global, changes)
    }

    /// Remembers the thinking level to start with.
    pub fn set_default_thinking_level(&self, level: ThinkingLevel) -> Result<(), Error> {
        self.set_global(&["defaultThinkingLevel"], level.as_str())
    }

    /// How steering messages are taken from their queue.
    pub fn set_steering_mode(&self, mode: QueueMode) -> Result<(), Error> {
        self.set_serialized(&["steeringMode"], &mode)
    }

    /// How follow-up messages are taken from their queue.
    pub fn set_follow_up_mode(&self, mode: QueueMode) -> Result<(), Error> {
        self.set_serialized(&["followUpMode"], &mode)
    }

    /// Whether history is summarised by itself.
    pub fn set_compaction_enabled(&self, enabled: bool) -> Result<(), Error> {
        self.set_global(&["compaction", "enabled"], enabled)
    }

    /// Whether failed calls are repeated.
    pub fn set_retry_enabled(&self, enabled: bool) -> Result<(), Error> {
        self.set_global(&["retry", "enabled"], enabled)
    }

    /// How a provider that offers several transports is spoken to.
    pub fn set_transport(&self, transport: Transport) -> Result<(), Error> {
        self.set_serialized(&["transport"], &transport)
    }

    /// The theme.
    pub fn set_theme(&self, theme: &str) -> Result<(), Error> {
        self.set_global(&["theme"], theme)
    }

    /// Whether thinking is hidden.
    pub fn set_hide_thinking_block(&self, hide: bool) -> Result<(), Error> {
        self.set_global(&["hideThinkingBlock"], hide)
    }

    /// The newest version whose changes the user has seen.
    pub fn set_last_changelog_version(&self, version: &str) -> Result<(), Error> {
        self.set_global(&["lastChangelogVersion"], version)
    }

    /// The models to choose from; `None` means all.
    pub fn set_enabled_models(&self, patterns: Option<&[String]>) -> Result<(), Error> {
        self.set(SettingsScope::Global, &["enabledModels"], patterns.map(Value::from))
    }

    /// Paths of one kind of resource.
    pub fn set_resources(&self, scope: SettingsScope, kind: ResourceKind, paths: &[String]) -> Result<(), Error> {
        self.set(scope, &[kind.key()], Some(Value::from(paths)))
    }

    fn set_global(&self, path: &[&str], value: impl Into<Value>) -> Result<(), Error> {
        self.set(SettingsScope::Global, path, Some(value.into()))
    }

    fn set_serialized(&self, path: &[&str], value: &impl Serialize) -> Result<(), Error> {
        let value =
            serde_json::to_value(value).map_err(|source| host::Error::Serialize { what: "a setting", source })?;
        self.set(SettingsScope::Global, path, Some(value))
    }
}
