//! From what a user wrote to a model: exact references, then parts of ids and names, with an optional thinking level.

use std::cmp::Ordering;
use std::sync::Arc;

use pi_ai::{Model, ThinkingLevel, newer_provider_name};

use super::collate::compare;

/// Digits of a date at the end of a dated model id.
const DATE_DIGITS: usize = 8;

/// What a pattern means.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PatternMatch {
    /// The model.
    pub model: Option<Arc<Model>>,
    /// The level after the colon.
    pub thinking_level: Option<ThinkingLevel>,
    /// What the user should know.
    pub warning: Option<String>,
}

/// The model that a text refers to: `provider/id`, an id that only one model has, else the best of those whose id or
/// name contains it. Case does not matter.
pub(crate) fn match_model(text: &str, models: &[Arc<Model>]) -> Option<Arc<Model>> {
    exact(text, models).or_else(|| best_part(text, models))
}

/// The same with an optional `:level` at the end, which is only tried when the whole text matches nothing. With
/// `lenient` an unknown level is ignored with a warning, without it nothing matches.
pub fn match_pattern(text: &str, models: &[Arc<Model>], lenient: bool) -> PatternMatch {
    if let Some(model) = match_model(text, models) {
        return PatternMatch { model: Some(model), ..PatternMatch::default() };
    }
    let Some((prefix, suffix)) = text.rsplit_once(':') else { return PatternMatch::default() };
    match ThinkingLevel::parse(suffix) {
        Some(level) => {
            let inner = match_pattern(prefix, models, lenient);
            let level = (inner.model.is_some() && inner.warning.is_none()).then_some(level);
            PatternMatch { thinking_level: level, ..inner }
        }
        None if lenient => {
            let inner = match_pattern(prefix, models, lenient);
            let warning = format!("Invalid thinking level \"{suffix}\" in pattern \"{text}\". Using default instead.");
            let warning = inner.model.is_some().then_some(warning);
            PatternMatch { model: inner.model, thinking_level: None, warning }
        }
        None => PatternMatch::default(),
    }
}

/// The one model that a text names exactly.
pub(super) fn exact(text: &str, models: &[Arc<Model>]) -> Option<Arc<Model>> {
    let text = text.trim();
    if text.is_empty() {
        return None;
    }
    let whole = |model: &&Arc<Model>| is_reference(model, text);
    only(models.iter().filter(whole))
        .or_else(|| only(models.iter().filter(|model| is_newer_reference(model, text))))
        .or_else(|| only(models.iter().filter(|model| same(&model.id, text))))
}

/// Whether a text is `provider/id` of a model, with a newer name of its provider.
fn is_newer_reference(model: &Model, text: &str) -> bool {
    let parts = newer_provider_name(&model.provider).zip(text.split_once('/'));
    parts.is_some_and(|(newer, (provider, id))| same(newer, provider.trim()) && same(&model.id, id.trim()))
}

/// Whether a text is `provider/id` of a model.
pub(super) fn is_reference(model: &Model, text: &str) -> bool {
    text.split_once('/')
        .is_some_and(|(provider, id)| same(&model.provider, provider.trim()) && same(&model.id, id.trim()))
}

/// Equality regardless of case.
pub(super) fn same(a: &str, b: &str) -> bool {
    a.to_lowercase() == b.to_lowercase()
}

fn only<'a>(mut models: impl Iterator<Item = &'a Arc<Model>>) -> Option<Arc<Model>> {
    let first = models.next()?;
    models.next().is_none().then(|| Arc::clone(first))
}

/// Of the models that contain the text: undated ids before dated ones, then the one that sorts last.
fn best_part(text: &str, models: &[Arc<Model>]) -> Option<Arc<Model>> {
    let text = text.to_lowercase();
    let contains = |field: &str| field.to_lowercase().contains(&text);
    let hits = models.iter().filter(|model| contains(&model.id) || contains(&model.name));
    let better =
        |a: &&Arc<Model>, b: &&Arc<Model>| is_alias(&a.id).cmp(&is_alias(&b.id)).then_with(|| compare(&a.id, &b.id));
    // Of equals the first one stays.
    hits.reduce(|best, model| if better(&model, &best) == Ordering::Greater { model } else { best }).cloned()
}

/// Whether an id is a name that moves along, not a dated snapshot.
fn is_alias(id: &str) -> bool {
    let dated = id
        .rsplit_once('-')
        .is_some_and(|(_, end)| end.len() == DATE_DIGITS && end.bytes().all(|byte| byte.is_ascii_digit()));
    !dated
}
