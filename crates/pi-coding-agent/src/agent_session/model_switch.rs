//! Changing the model: checked, recorded in the session, and where the setting `rememberModel` wants it remembered as
//! default. The level that goes with it is in `thinking.rs`.
//!
//! A change during a run applies to the next one. Which models can be cycled through is the scope, if there is one,
//! else every model with a key.

use std::sync::Arc;

use futures::future::BoxFuture;
use pi_ai::{Model, ThinkingLevel, models_are_equal};
use serde::{Deserialize, Serialize};

use super::{Inner, ThinkingHandle, thinking};
use crate::config::models::{ModelChoice, ModelRegistry, ScopedModel};
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

/// Models of a session: [`AgentSession::models`](super::AgentSession::models).
#[derive(Debug, Clone, Copy)]
pub struct ModelsHandle<'a>(pub(super) &'a Arc<Inner>);

impl<'a> ModelsHandle<'a> {
    /// The models that can be chosen from.
    #[doc(alias = "modelRegistry")]
    pub fn registry(self) -> &'a Arc<ModelRegistry> {
        self.0.place.models()
    }

    /// Selects a model, which may be given by its name, and records the change. It holds for this session, unless the
    /// setting `rememberModel` makes it the default.
    ///
    /// # Errors
    /// [`Error::NoApiKey`] when no key is configured for its provider, [`config::Error::ModelNotFound`](crate::config::Error::ModelNotFound).
    #[doc(alias = "setModel")]
    pub async fn set(self, model: impl Into<ModelChoice>) -> Result<(), Error> {
        let session = self.0;
        let model = session.place.models().choose(model)?;
        if !session.place.models().has_configured_auth(&model) {
            return Err(Error::NoApiKey { provider: model.provider.clone(), model: model.id.clone() });
        }
        let level = thinking::level_after_switch(session);
        self.switch_to(model, level, ModelSelectSource::Set).await;
        Ok(())
    }

    fn switch_to(self, model: Arc<Model>, level: ThinkingLevel, source: ModelSelectSource) -> BoxFuture<'a, ()> {
        Box::pin(async move {
            let session = self.0;
            let previous = session.run.model();
            session.run.agent().set_model(Arc::clone(&model));
            session
                .store
                .warn_about(session.store.manager().append().model_change(&model.provider, &model.id).map(drop));
            if session.place.settings().models().remember_model() {
                session
                    .store
                    .warn_about(session.place.settings().models().set_default_model(&model.provider, &model.id));
            }
            ThinkingHandle(session).set(level).await;
            session.extensions.emit_model(&model, previous, source).await;
        })
    }

    /// Goes on to the next model of the scope that has a key, or without a scope to the next model that has one; at the
    /// end it begins anew. The level is the one that the scope asks for, else as with [`Self::set`].
    /// `None` when there is nothing to change to.
    #[doc(alias = "cycleModel")]
    pub async fn cycle(self, direction: CycleDirection) -> Option<ModelCycle> {
        let (candidates, is_scoped) = self.cycle_candidates();
        if candidates.len() < 2 {
            return None;
        }
        let current = self.0.run.model();
        let is_current = |candidate: &ScopedModel| models_are_equal(Some(&candidate.model), Some(&current));
        // Whoever is not on the list counts as its beginning.
        let at = candidates.iter().position(is_current).unwrap_or(0);
        let step = match direction {
            CycleDirection::Forward => 1,
            CycleDirection::Backward => candidates.len() - 1,
        };
        let next = candidates.into_iter().cycle().nth(at + step)?;
        let level = next.thinking_level.unwrap_or_else(|| thinking::level_after_switch(self.0));
        self.switch_to(Arc::clone(&next.model), level, ModelSelectSource::Cycle).await;
        Some(ModelCycle { model: next.model, thinking_level: self.0.run.thinking_level(), is_scoped })
    }

    /// The models to cycle through, and whether they come from a scope.
    fn cycle_candidates(self) -> (Vec<ScopedModel>, bool) {
        let models = self.0.place.models();
        let mut scope = self.scoped();
        if scope.is_empty() {
            let available = models.available().into_iter();
            return (available.map(|model| ScopedModel { model, thinking_level: None }).collect(), false);
        }
        scope.retain(|scoped| models.has_configured_auth(&scoped.model));
        (scope, true)
    }

    /// The models to choose from; empty means all.
    #[doc(alias = "scopedModels")]
    pub fn scoped(self) -> Vec<ScopedModel> {
        self.0.place.scope().clone()
    }

    /// Limits the models to choose from, also for the model of later new sessions; an empty list lifts the limit.
    #[doc(alias = "setScopedModels")]
    pub fn set_scoped(self, scope: Vec<ScopedModel>) {
        *self.0.place.scope() = scope;
    }
}

/// Whether a model can be called at all.
pub(super) fn check_ready(session: &Inner) -> Result<(), Error> {
    let model = session.run.model();
    if session.place.models().has_configured_auth(&model) {
        return Ok(());
    }
    // A file of keys that cannot be read may be the reason.
    session.place.models().auth().drain_problems().iter().for_each(|problem| session.store.warn_of_error(problem));
    if model.provider == "unknown" {
        return Err(Error::NoModelSelected);
    }
    Err(Error::NoApiKey { provider: model.provider.clone(), model: model.id.clone() })
}
