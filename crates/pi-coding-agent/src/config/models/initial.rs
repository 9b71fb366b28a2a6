//! The model to start with.

use std::sync::Arc;

use pi_ai::{Model, ThinkingLevel, is_same_provider};

use super::defaults::DEFAULT_MODELS;
use super::registry::ModelRegistry;
use super::resolve::ResolvedModel;
use super::scope::ScopedModel;
use crate::session::ModelReference;

/// What there is to choose by, strongest first.
#[derive(Debug, Default)]
pub struct InitialModelRequest<'a> {
    /// What the command line asks for.
    pub cli: ResolvedModel,
    /// The model of the session that is continued.
    pub session: Option<&'a ModelReference>,
    /// The models to choose from.
    pub scope: &'a [ScopedModel],
    /// Provider and id from the settings.
    pub default: Option<(&'a str, &'a str)>,
}

/// What it comes to.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct InitialModel {
    /// The model; `None` when no model has a key.
    pub model: Option<Arc<Model>>,
    /// The level that came with the model, from the command line or the scope.
    pub thinking_level: Option<ThinkingLevel>,
    /// Why it is not the session's model.
    pub note: Option<String>,
}

/// Chooses: the command line's model; the session's, if it has a key; for a session without messages one of the
/// scope, preferably the settings' default; the settings' default, with or without a key; the default of the first
/// provider that has a key; any model with a key.
pub fn find_initial_model(request: InitialModelRequest<'_>, registry: &ModelRegistry) -> InitialModel {
    if request.cli.model.is_some() {
        let ResolvedModel { model, thinking_level, .. } = request.cli;
        return InitialModel { model, thinking_level, note: None };
    }
    let level = request.cli.thinking_level;
    let note = match request.session.map(|wanted| restore(wanted, registry)) {
        Some(Ok(model)) => return InitialModel { model: Some(model), thinking_level: level, note: None },
        Some(Err(note)) => Some(note),
        None => None,
    };
    if let (None, Some(scoped)) = (&note, preferred(request.scope, request.default)) {
        let thinking_level = level.or(scoped.thinking_level);
        return InitialModel { model: Some(Arc::clone(&scoped.model)), thinking_level, note };
    }
    let default = request.default.and_then(|(provider, id)| registry.find(provider, id));
    let model = default.or_else(|| first_default(registry)).or_else(|| registry.available().into_iter().next());
    let note = match (note, &model) {
        (Some(note), Some(model)) => Some(format!("{note}. Using {}/{}", model.provider, model.id)),
        (note, _) => note,
    };
    InitialModel { model, thinking_level: level, note }
}

/// The model of a session, if it still exists and has a key.
fn restore(wanted: &ModelReference, registry: &ModelRegistry) -> Result<Arc<Model>, String> {
    let model = registry.find(&wanted.provider, &wanted.model_id);
    let usable = model.filter(|model| registry.has_configured_auth(model));
    usable.ok_or_else(|| format!("Could not restore model {}/{}", wanted.provider, wanted.model_id))
}

/// The model of a scope for a new session: the settings' default (provider and id) if it is there, else the first.
pub fn preferred<'a>(scope: &'a [ScopedModel], default: Option<(&str, &str)>) -> Option<&'a ScopedModel> {
    let is_default = |scoped: &&ScopedModel| {
        default
            .is_some_and(|(provider, id)| is_same_provider(provider, &scoped.model.provider) && id == scoped.model.id)
    };
    scope.iter().find(is_default).or_else(|| scope.first())
}

fn first_default(registry: &ModelRegistry) -> Option<Arc<Model>> {
    let with_key = DEFAULT_MODELS.iter().filter(|(provider, _)| registry.has_auth(provider));
    with_key.into_iter().find_map(|(provider, id)| registry.find(provider, id))
}
