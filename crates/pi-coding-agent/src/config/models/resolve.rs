//! The model that the command line asks for.

use std::sync::Arc;

use pi_ai::{Model, ThinkingLevel};

use super::defaults::default_model_of;
use super::pattern::{PatternMatch, is_reference, match_pattern, same};
use super::registry::ModelRegistry;
use crate::config::Error;

/// `--provider`, `--model` and `--thinking`.
#[derive(Debug, Clone, Copy, Default)]
pub struct CliModel<'a> {
    /// Provider name; only meaningful together with a model.
    pub provider: Option<&'a str>,
    /// Model pattern, possibly with a provider in front and a level behind.
    pub model: Option<&'a str>,
    /// The level, which wins over one in the pattern.
    pub thinking: Option<ThinkingLevel>,
}

/// What it comes to.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ResolvedModel {
    /// The model; `None` when none was asked for.
    pub model: Option<Arc<Model>>,
    /// The level, from whichever place.
    pub thinking_level: Option<ThinkingLevel>,
    /// What the user should know.
    pub warning: Option<String>,
}

/// Finds the model among all models, with or without a key. Only the provider in question is looked at where that
/// is enough.
///
/// # Errors
/// [`Error::NoModels`], [`Error::UnknownProvider`], [`Error::ModelNotFound`].
pub fn resolve_cli_model(cli: CliModel<'_>, registry: &ModelRegistry) -> Result<ResolvedModel, Error> {
    let Some(text) = cli.model else { return without_model(cli, registry) };
    if registry.providers().is_empty() {
        return Err(Error::NoModels);
    }
    let target = match cli.provider {
        Some(name) => {
            let unknown = || Error::UnknownProvider { provider: name.to_owned() };
            let provider = registry.provider_named(name).ok_or_else(unknown)?;
            let pattern = without_provider(text, &provider, registry);
            Some(Target { provider, pattern, inferred: false })
        }
        None => text.split_once('/').and_then(|(name, rest)| {
            let provider = registry.provider_named(name)?;
            Some(Target { provider, pattern: rest, inferred: true })
        }),
    };
    let found = match &target {
        Some(target) => within(target, text, registry),
        None => anywhere(text, registry),
    };
    if found.model.is_some() {
        return Ok(resolved(found, cli.thinking));
    }
    let custom = target.as_ref().and_then(|target| custom_model(target, cli.thinking, registry));
    custom.ok_or_else(|| Error::ModelNotFound {
        model: match &target {
            Some(target) => format!("{}/{}", target.provider, target.pattern),
            None => text.to_owned(),
        },
    })
}

/// A provider alone chooses nothing; that it is ignored is worth a word, that it does not exist is a mistake.
fn without_model(cli: CliModel<'_>, registry: &ModelRegistry) -> Result<ResolvedModel, Error> {
    let warning = match cli.provider {
        Some(name) if registry.provider_named(name).is_none() => {
            return Err(Error::UnknownProvider { provider: name.to_owned() });
        }
        Some(name) => Some(format!("--provider {name} is ignored without --model")),
        None => None,
    };
    Ok(ResolvedModel { model: None, thinking_level: cli.thinking, warning })
}

/// A provider, and what to look for there.
struct Target<'a> {
    provider: String,
    pattern: &'a str,
    /// The provider was read off the model's text.
    inferred: bool,
}

fn resolved(found: PatternMatch, thinking: Option<ThinkingLevel>) -> ResolvedModel {
    let PatternMatch { model, thinking_level, warning } = found;
    ResolvedModel { model, thinking_level: thinking.or(thinking_level), warning }
}

/// The pattern without the provider that `--provider` has named already.
fn without_provider<'a>(text: &'a str, provider: &str, registry: &ModelRegistry) -> &'a str {
    match text.split_once('/') {
        Some((name, rest)) if registry.provider_named(name).is_some_and(|named| named == provider) => rest,
        _ => text,
    }
}

fn within(target: &Target<'_>, text: &str, registry: &ModelRegistry) -> PatternMatch {
    let found = match_pattern(target.pattern, &registry.models_of(&target.provider), false);
    match &found.model {
        Some(model) if target.inferred && !registry.has_configured_auth(model) => {
            whole_id_with_auth(text, registry).unwrap_or(found)
        }
        None if target.inferred => anywhere(text, registry),
        _ => found,
    }
}

/// The only model with a key whose whole id is the text, as routers have them: `vendor/model`.
fn whole_id_with_auth(text: &str, registry: &ModelRegistry) -> Option<PatternMatch> {
    let available = registry.available();
    let mut hits = available.into_iter().filter(|model| same(&model.id, text));
    let model = hits.next()?;
    hits.next().is_none().then(|| PatternMatch { model: Some(model), ..PatternMatch::default() })
}

/// By exact name, else by pattern. Each time models with a key come first: another model of the same name is of no
/// use without one.
fn anywhere(text: &str, registry: &ModelRegistry) -> PatternMatch {
    let exact = |models: &[Arc<Model>]| {
        models.iter().find(|model| same(&model.id, text) || is_reference(model, text)).map(Arc::clone)
    };
    let (available, all) = (registry.available(), registry.all());
    if let Some(model) = exact(&available).or_else(|| exact(&all)) {
        return PatternMatch { model: Some(model), ..PatternMatch::default() };
    }
    let found = match_pattern(text, &available, false);
    if found.model.is_some() { found } else { match_pattern(text, &all, false) }
}

/// A model that nobody listed, made after the provider's default one.
fn custom_model(
    target: &Target<'_>,
    thinking: Option<ThinkingLevel>,
    registry: &ModelRegistry,
) -> Option<ResolvedModel> {
    let models = registry.models_of(&target.provider);
    let default = default_model_of(&target.provider);
    let base = models.iter().find(|model| Some(model.id.as_str()) == default).or_else(|| models.first())?;
    let suffix = target.pattern.rsplit_once(':').and_then(|(id, level)| Some((id, ThinkingLevel::parse(level)?)));
    let (id, level) = match (suffix, thinking) {
        (Some((id, level)), None) => (id, Some(level)),
        _ => (target.pattern, thinking),
    };
    let mut model = Model::clone(base);
    model.id = id.to_owned();
    model.name = id.to_owned();
    model.reasoning |= level.is_some_and(|level| level != ThinkingLevel::Off);
    let provider = &target.provider;
    let warning = format!("Model \"{id}\" not found for provider \"{provider}\". Using custom model id.");
    Some(ResolvedModel { model: Some(Arc::new(model)), thinking_level: level, warning: Some(warning) })
}
