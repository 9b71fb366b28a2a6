//! `--models`: which models there are to choose from, and which one a new session takes.

use std::sync::Arc;

use pi_ai::Model;

use super::args::Args;
use pi_coding_agent::models::{InitialModelRequest, ModelRegistry, ScopedModel, find_initial_model, resolve_scope};
use pi_coding_agent::settings::SettingsManager;

/// The models that `--models` names, else the setting `enabledModels`, with warnings about patterns that are of no use;
/// none when neither is there. Models are only looked at when there are patterns.
///
/// # Errors
/// A sentence when `--models` names nothing.
pub(super) fn scoped_models(
    args: &Args,
    settings: &SettingsManager,
    models: &ModelRegistry,
) -> Result<(Vec<ScopedModel>, Vec<String>), String> {
    let patterns = match &args.models {
        Some(list) => given(list)?,
        None => settings.models().enabled_models().unwrap_or_default(),
    };
    if patterns.is_empty() {
        return Ok((Vec::new(), Vec::new()));
    }
    Ok(resolve_scope(&patterns, &models.available()))
}

/// The model that a new session here would start with, without options that name one.
pub(super) fn model_of_new_session(settings: &SettingsManager, models: &ModelRegistry) -> Option<Arc<Model>> {
    let (scope, _) = scoped_models(&Args::default(), settings, models).unwrap_or_default();
    let (provider, id) = (settings.models().default_provider(), settings.models().default_model());
    let default = provider.as_deref().zip(id.as_deref());
    find_initial_model(InitialModelRequest { scope: &scope, default, ..InitialModelRequest::default() }, models).model
}

fn given(list: &str) -> Result<Vec<String>, String> {
    let patterns: Vec<String> =
        list.split(',').map(str::trim).filter(|pattern| !pattern.is_empty()).map(ToOwned::to_owned).collect();
    if patterns.is_empty() {
        return Err("--models requires at least one pattern; leave it out to choose from all models".to_owned());
    }
    Ok(patterns)
}
