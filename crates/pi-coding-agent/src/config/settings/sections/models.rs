//! Models to start with and to choose from.

use pi_ai::ThinkingLevel;
use pi_ai::thinking::ThinkingBudgets;
use serde_json::Value;

use super::super::keys::{Keys, number};
use super::super::scope::SettingsScope;
use crate::config::Error;

/// Models to start with and to choose from.
///
/// Made by [`SettingsManager::models`](crate::settings::SettingsManager::models).
#[derive(Debug, Clone, Copy)]
pub struct ModelSettings<'a>(pub(in crate::config::settings) Keys<'a>);

impl ModelSettings<'_> {
    /// Provider of the model to start with.
    pub fn default_provider(self) -> Option<String> {
        self.0.text(&["defaultProvider"])
    }

    /// Id of the model to start with.
    pub fn default_model(self) -> Option<String> {
        self.0.text(&["defaultModel"])
    }

    /// Thinking level to start with; callers use `medium` when there is none.
    pub fn default_thinking_level(self) -> Option<ThinkingLevel> {
        self.0.value(&["defaultThinkingLevel"])
    }

    /// Whether a model or thinking level that is chosen in a session becomes the one to start with; else it holds for that
    /// session.
    pub fn remember_model(self) -> bool {
        self.0.value(&["rememberModel"]).unwrap_or(false)
    }

    /// Patterns of the models to choose from; `None` means all.
    pub fn enabled_models(self) -> Option<Vec<String>> {
        self.0.value(&["enabledModels"])
    }

    /// Token budgets of thinking levels that replace the defaults.
    pub fn thinking_budgets(self) -> Option<ThinkingBudgets> {
        let budgets = |value: &Value| {
            let levels = value.as_object()?.iter();
            Some(levels.filter_map(|(name, value)| Some((ThinkingLevel::parse(name)?, number(value)?))).collect())
        };
        self.0.get(&["thinkingBudgets"], budgets)
    }
}

/// Setters write the user's settings; a project's own value for the same key stays in force.
///
/// # Errors
/// Those of [`SettingsManager::set`](crate::settings::SettingsManager::set); the value is in force all the same.
impl ModelSettings<'_> {
    /// Remembers the model to start with.
    pub fn set_default_model(self, provider: &str, model: &str) -> Result<(), Error> {
        let changes: [(&[&str], Option<Value>); 2] =
            [(&["defaultProvider"], Some(provider.into())), (&["defaultModel"], Some(model.into()))];
        self.0.set_all(SettingsScope::Global, changes)
    }

    /// Remembers the thinking level to start with.
    pub fn set_default_thinking_level(self, level: ThinkingLevel) -> Result<(), Error> {
        self.0.set_global(&["defaultThinkingLevel"], level.as_str())
    }

    /// The models to choose from; `None` means all.
    pub fn set_enabled_models(self, patterns: Option<&[String]>) -> Result<(), Error> {
        self.0.set(SettingsScope::Global, &["enabledModels"], patterns.map(Value::from))
    }
}
