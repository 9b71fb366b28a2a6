//! The models to choose from: a list of patterns, over the models for which there is a key.

use std::sync::Arc;

use globset::{GlobBuilder, GlobMatcher};
use pi_ai::{Model, ThinkingLevel, models_are_equal, newer_provider_name};

use super::pattern::{PatternMatch, match_pattern};

/// A model of the scope.
#[derive(Debug, Clone, PartialEq)]
pub struct ScopedModel {
    /// The model.
    pub model: Arc<Model>,
    /// The level that the pattern asks for.
    pub thinking_level: Option<ThinkingLevel>,
}

impl<M: Into<Arc<Model>>> From<M> for ScopedModel {
    /// The model at whatever level is in force.
    fn from(model: M) -> Self {
        Self { model: model.into(), thinking_level: None }
    }
}

/// The models that patterns name, in their order and without repetitions, and a warning per pattern that is in part
/// or wholly of no use.
///
/// A pattern with `*`, `?` or `[` is tested against `provider/id` and id; `*` does not cross a `/`.
pub fn resolve_scope(patterns: &[impl AsRef<str>], available: &[Arc<Model>]) -> (Vec<ScopedModel>, Vec<String>) {
    let mut scope: Vec<ScopedModel> = Vec::new();
    let mut warnings = Vec::new();
    for pattern in patterns {
        let pattern = pattern.as_ref();
        let (hits, warning) = if pattern.contains(['*', '?', '[']) {
            (glob_hits(pattern, available), None)
        } else {
            let PatternMatch { model, thinking_level, warning } = match_pattern(pattern, available, true);
            (model.map(|model| ScopedModel { model, thinking_level }).into_iter().collect(), warning)
        };
        warnings.extend(warning);
        if hits.is_empty() {
            warnings.push(format!("No models match pattern \"{pattern}\""));
        }
        for hit in hits {
            if !scope.iter().any(|known| models_are_equal(Some(&known.model), Some(&hit.model))) {
                scope.push(hit);
            }
        }
    }
    (scope, warnings)
}

fn glob_hits(pattern: &str, available: &[Arc<Model>]) -> Vec<ScopedModel> {
    let level = pattern.rsplit_once(':').and_then(|(prefix, level)| Some((prefix, ThinkingLevel::parse(level)?)));
    let (glob, thinking_level) = level.map_or((pattern, None), |(prefix, level)| (prefix, Some(level)));
    let Some(matcher) = matcher(glob) else { return Vec::new() };
    let fits = |model: &&Arc<Model>| {
        let names = [Some(model.provider.as_str()), newer_provider_name(&model.provider)];
        matcher.is_match(&model.id)
            || names.into_iter().flatten().any(|name| matcher.is_match(format!("{name}/{}", model.id)))
    };
    available.iter().filter(fits).map(|model| ScopedModel { model: Arc::clone(model), thinking_level }).collect()
}

/// `None` for a pattern that is no glob, for example one with an unclosed bracket.
fn matcher(glob: &str) -> Option<GlobMatcher> {
    GlobBuilder::new(glob)
        .case_insensitive(true)
        .literal_separator(true)
        .build()
        .ok()
        .map(|glob| glob.compile_matcher())
}
