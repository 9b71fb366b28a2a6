//! Which model and thinking level a session starts with.
//!
//! What was asked for, else what the session used, else the defaults. Changing them later is `model_switch.rs`.

use std::sync::{Arc, Mutex};

use pi_ai::thinking::clamp_level;
use pi_ai::{Model, ThinkingLevel};

use super::lock;
use crate::config::models::{InitialModel, InitialModelRequest, ModelRegistry, ScopedModel, find_initial_model};
use crate::config::settings::SettingsManager;
use crate::events::Error;
use crate::session::{SessionContext, SessionManager};

/// What was asked for when the program started; it holds for every session that the program starts.
#[derive(Debug, Default)]
pub(crate) struct StartingChoice {
    model: Option<Arc<Model>>,
    thinking_level: Option<ThinkingLevel>,
    /// The models to choose from; empty: all.
    pub(super) scope: Mutex<Vec<ScopedModel>>,
}

/// What a session starts with.
pub(crate) struct StartingModel {
    /// The stand-in when no model has a key.
    pub(crate) model: Arc<Model>,
    /// Clamped to what the model supports.
    pub(crate) thinking_level: ThinkingLevel,
    /// Said when the session's own model could not be used.
    pub(crate) note: Option<String>,
}

impl StartingChoice {
    pub(crate) fn new(
        model: Option<Arc<Model>>,
        thinking_level: Option<ThinkingLevel>,
        scope: Vec<ScopedModel>,
    ) -> Self {
        Self { model, thinking_level, scope: Mutex::new(scope) }
    }

    /// Decides for a session, and writes down in it what it does not say yet.
    ///
    /// # Errors
    /// When that cannot be written.
    pub(crate) fn start(
        &self,
        manager: &mut SessionManager,
        context: &SessionContext,
        models: &ModelRegistry,
        settings: &SettingsManager,
    ) -> Result<StartingModel, Error> {
        let is_new = context.messages.is_empty();
        let start = self.resolve(models, settings, (!is_new).then_some(context));
        if is_new {
            record_start(manager, &start.model, start.thinking_level)?;
        } else if context.thinking_level.is_none() {
            manager.append().thinking_level_change(start.thinking_level.as_str())?;
        }
        Ok(start)
    }

    /// Decides; `earlier` is what a continued session holds.
    fn resolve(
        &self,
        models: &ModelRegistry,
        settings: &SettingsManager,
        earlier: Option<&SessionContext>,
    ) -> StartingModel {
        let found = match &self.model {
            Some(model) => InitialModel { model: Some(Arc::clone(model)), ..InitialModel::default() },
            None => self.find(models, settings, earlier),
        };
        let model = found.model.unwrap_or_else(Model::unknown);
        let wanted = self.thinking_level.or(found.thinking_level);
        let wanted = wanted.or_else(|| earlier.and_then(|context| context.thinking_level));
        let wanted = wanted.or_else(|| settings.models().default_thinking_level());
        StartingModel { thinking_level: starting_level(&model, wanted), model, note: found.note }
    }

    /// The model when none was asked for by name. The scope is for new sessions; a continued one has its own model.
    fn find(
        &self,
        models: &ModelRegistry,
        settings: &SettingsManager,
        earlier: Option<&SessionContext>,
    ) -> InitialModel {
        let (provider, id) = (settings.models().default_provider(), settings.models().default_model());
        let default = provider.as_deref().zip(id.as_deref());
        let session = earlier.and_then(|context| context.model.as_ref());
        let scope = if earlier.is_none() { lock(&self.scope).clone() } else { Vec::new() };
        let request = InitialModelRequest { session, default, scope: &scope, ..InitialModelRequest::default() };
        find_initial_model(request, models)
    }
}

fn starting_level(model: &Model, wanted: Option<ThinkingLevel>) -> ThinkingLevel {
    if model.provider == "unknown" {
        return ThinkingLevel::Off;
    }
    clamp_level(model, wanted.unwrap_or(ThinkingLevel::Medium))
}

/// The first entries of a new session: its model, if there is one, and its level.
///
/// # Errors
/// When they cannot be written.
fn record_start(manager: &mut SessionManager, model: &Model, level: ThinkingLevel) -> Result<(), Error> {
    if model.provider != "unknown" {
        manager.append().model_change(&model.provider, &model.id)?;
    }
    manager.append().thinking_level_change(level.as_str()).map(drop).map_err(Into::into)
}
