//! Changing model and thinking level: checked, recorded in the session, and where the setting `rememberModel` wants it
//! remembered as default.
//!
//! A change during a run applies to the next one. Which models can be cycled through is the scope, if there is one,
//! else every model with a key.

use std::sync::Arc;

use pi_ai::thinking::{clamp_level, supported_levels};
use pi_ai::{Model, ThinkingLevel, models_are_equal};
use serde::{Deserialize, Serialize};

use super::{AgentSession, SessionEvent, lock};
use crate::config::models::{ModelChoice, ScopedModel};
use crate::events::Error;
use crate::extension::events::ModelSelectSource;

/// Which way to go through the models.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CycleDirection {
    /// To the next one.
    #[default]
    Forward,
    /// To the one before.
    Backward,
}

/// Where cycling came to.
#[doc(alias = "ModelCycleResult")]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ModelCycle {
    /// The model in force.
    pub model: Arc<Model>,
    /// The level in force.
    pub thinking_level: ThinkingLevel,
    /// Whether the models come from a scope.
    pub is_scoped: bool,
}

impl AgentSession {
    /// Selects a model, which may be given by its name, and records the change. It holds for this session, unless the
    /// setting `rememberModel` makes it the default.
    ///
    /// # Errors
    /// [`Error::NoApiKey`] when no key is configured for its provider, [`config::Error::ModelNotFound`](crate::config::Error::ModelNotFound).
    pub async fn set_model(&self, model: impl Into<ModelChoice>) -> Result<(), Error> {
        let session = &*self.0;
        let model = session.models.choose(model)?;
        if !session.models.has_configured_auth(&model) {
            return Err(Error::NoApiKey { provider: model.provider.clone(), model: model.id.clone() });
        }
        let level = self.level_after_switch();
        self.switch_to(model, level, ModelSelectSource::Set).await;
        Ok(())
    }

    async fn switch_to(&self, model: Arc<Model>, level: ThinkingLevel, source: ModelSelectSource) {
        let session = &*self.0;
        let previous = self.model();
        session.agent.set_model(Arc::clone(&model));
        self.warn_about(lock(&session.manager).append().model_change(&model.provider, &model.id).map(drop));
        if session.settings.models().remember_model() {
            self.warn_about(session.settings.models().set_default_model(&model.provider, &model.id));
        }
        self.set_thinking_level(level).await;
        session.tell_of_model(&model, previous, source).await;
    }

    /// Goes on to the next model of the scope that has a key, or without a scope to the next model that has one; at the
    /// end it begins anew. The level is the one that the scope asks for, else as with [`AgentSession::set_model`].
    /// `None` when there is nothing to change to.
    pub async fn cycle_model(&self, direction: CycleDirection) -> Option<ModelCycle> {
        let (candidates, is_scoped) = self.cycle_candidates();
        if candidates.len() < 2 {
            return None;
        }
        let current = self.model();
        let is_current = |candidate: &ScopedModel| models_are_equal(Some(&candidate.model), Some(&current));
        // Whoever is not on the list counts as its beginning.
        let at = candidates.iter().position(is_current).unwrap_or(0);
        let step = match direction {
            CycleDirection::Forward => 1,
            CycleDirection::Backward => candidates.len() - 1,
        };
        let next = candidates.into_iter().cycle().nth(at + step)?;
        let level = next.thinking_level.unwrap_or_else(|| self.level_after_switch());
        self.switch_to(Arc::clone(&next.model), level, ModelSelectSource::Cycle).await;
        Some(ModelCycle { model: next.model, thinking_level: self.thinking_level(), is_scoped })
    }

    /// The models to cycle through, and whether they come from a scope.
    fn cycle_candidates(&self) -> (Vec<ScopedModel>, bool) {
        let models = &self.0.models;
        let mut scope = self.scoped_models();
        if scope.is_empty() {
            let available = models.available().into_iter();
            return (available.map(|model| ScopedModel { model, thinking_level: None }).collect(), false);
        }
        scope.retain(|scoped| models.has_configured_auth(&scoped.model));
        (scope, true)
    }

    /// The models to choose from; empty means all.
    pub fn scoped_models(&self) -> Vec<ScopedModel> {
        lock(&self.0.choice.scope).clone()
    }

    /// Limits the models to choose from, also for the model of later new sessions; an empty list lifts the limit.
    pub fn set_scoped_models(&self, scope: Vec<ScopedModel>) {
        *lock(&self.0.choice.scope) = scope;
    }

    /// The level to start with on another model: what the user had, unless the old model could not think.
    fn level_after_switch(&self) -> ThinkingLevel {
        if self.model().reasoning {
            return self.thinking_level();
        }
        self.0.settings.models().default_thinking_level().unwrap_or(ThinkingLevel::Medium)
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
        self.warn_about(lock(&session.manager).append().thinking_level_change(level.as_str()).map(drop));
        if session.settings.models().remember_model() && (model.reasoning || level != ThinkingLevel::Off) {
            self.warn_about(session.settings.models().set_default_thinking_level(level));
        }
        session.listeners.emit(SessionEvent::ThinkingLevelChanged { level }).await;
        self.tell_of_thinking_level(level, before);
    }

    /// The levels that the model supports, from the lowest; only `off` for one that cannot think.
    pub fn available_thinking_levels(&self) -> Vec<ThinkingLevel> {
        supported_levels(&self.model())
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

    pub(super) fn warn_about(&self, result: Result<(), impl std::error::Error>) {
        if let Err(error) = result {
            self.0.recorder.warn(&error);
        }
    }
}
