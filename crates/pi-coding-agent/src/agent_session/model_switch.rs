//! Changing model and thinking level: checked, recorded in the session, remembered as default.
//!
//! A change during a run applies to the next one.

use std::sync::Arc;

use pi_ai::thinking::{clamp_level, supported_levels};
use pi_ai::{Model, ThinkingLevel};

use super::{AgentSession, SessionEvent, lock};
use crate::error::Error;

impl AgentSession {
    /// Selects a model, records the change and makes it the default.
    ///
    /// # Errors
    /// [`Error::NoApiKey`] when no key is configured for its provider.
    pub async fn set_model(&self, model: Arc<Model>) -> Result<(), Error> {
        let session = &*self.0;
        if !session.models.has_configured_auth(&model) {
            return Err(Error::NoApiKey { provider: model.provider.clone(), model: model.id.clone() });
        }
        let level = self.level_after_switch();
        session.agent.set_model(Arc::clone(&model));
        self.warn_about(lock(&session.manager).append_model_change(&model.provider, &model.id).map(drop));
        self.warn_about(session.settings.set_default_model(&model.provider, &model.id));
        self.set_thinking_level(level).await;
        Ok(())
    }

    /// The level to start with on another model: what the user had, unless the old model could not think.
    fn level_after_switch(&self) -> ThinkingLevel {
        if self.model().reasoning {
            return self.thinking_level();
        }
        self.0.settings.default_thinking_level().unwrap_or(ThinkingLevel::Medium)
    }

    /// Sets the thinking level, clamped to what the model supports. Only a change is recorded and announced.
    pub async fn set_thinking_level(&self, level: ThinkingLevel) {
        let session = &*self.0;
        let model = self.model();
        let level = clamp_level(&model, level);
        let before = self.thinking_level();
        session.agent.set_thinking_level(level);
        if level == before {
            return;
        }
        self.warn_about(lock(&session.manager).append_thinking_level_change(level.as_str()).map(drop));
        if model.reasoning || level != ThinkingLevel::Off {
            self.warn_about(session.settings.set_default_thinking_level(level));
        }
        session.listeners.emit(SessionEvent::ThinkingLevelChanged { level }).await;
    }

    /// Goes on to the next level that the model supports, after the last to the first. `None` when the model cannot
    /// think.
    pub async fn cycle_thinking_level(&self) -> Option<ThinkingLevel> {
        let model = self.model();
        if !model.reasoning {
            return None;
        }
        let levels = supported_levels(&model);
        let at = levels.iter().position(|level| *level == self.thinking_level());
        let next = *levels.get(at.map_or(0, |at| (at + 1) % levels.len()))?;
        self.set_thinking_level(next).await;
        Some(next)
    }

    /// Names the session; a blank name clears it.
    ///
    /// # Errors
    /// When the entry could not be written; it is kept in memory.
    pub async fn set_session_name(&self, name: &str) -> Result<(), Error> {
        let result = lock(&self.0.manager).append_session_info(name).map(drop);
        let name = self.session_name();
        self.0.listeners.emit(SessionEvent::SessionInfoChanged { name }).await;
        result
    }

    pub(super) fn warn_about(&self, result: Result<(), Error>) {
        if let Err(error) = result {
            self.0.recorder.warn(&error);
        }
    }
}
