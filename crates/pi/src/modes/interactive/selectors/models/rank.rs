//! The order of models in lists, and how they are searched.

use std::sync::Arc;

use pi_ai::{Model, models_are_equal};
use pi_tui::fuzzy::Query;

/// The indices of the models that match what was typed, the best first; equals keep their order.
///
/// The words may be spread over provider, id and name, but a model that has them all in one of these is a better match.
pub(in crate::modes::interactive) fn rank_models(typed: &str, models: &[Arc<Model>]) -> Vec<usize> {
    let query = Query::new(typed);
    if query.is_empty() {
        return (0..models.len()).collect();
    }
    let scored = models.iter().enumerate().filter_map(|(index, model)| Some((score(&query, model)?, index)));
    let mut scored: Vec<(f64, usize)> = scored.collect();
    scored.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    scored.into_iter().map(|(_, index)| index).collect()
}

fn score(query: &Query, model: &Model) -> Option<f64> {
    let Model { provider, id, name, .. } = model;
    let whole = format!("{provider}/{id}");
    let all = format!("{id} {provider} {name}");
    [id.as_str(), &whole, name, &all].into_iter().filter_map(|text| query.score(text)).min_by(f64::total_cmp)
}

/// Puts the current model first, then the providers in the order of their names.
pub(super) fn sort(models: &mut [Arc<Model>], current: &Model) {
    models.sort_by_key(|model| (!models_are_equal(Some(model), Some(current)), model.provider.clone()));
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in super::super) fn model(provider: &str, id: &str, name: &str) -> Arc<Model> {
        let model = pi_ai::get_model("anthropic", "claude-sonnet-4-5").unwrap();
        Arc::new(Model { provider: provider.into(), id: id.to_owned(), name: name.to_owned(), ..(*model).clone() })
    }

    pub(in super::super) fn models() -> Vec<Arc<Model>> {
        vec![
            model("openai", "gpt-5", "GPT-5"),
            model("openai", "gpt-5-mini", "GPT-5 mini"),
            model("anthropic", "claude-opus", "Claude Opus"),
            model("openrouter", "anthropic/claude-opus", "Anthropic: Claude Opus"),
        ]
    }

    fn found(typed: &str) -> Vec<String> {
        let models = models();
        let found = rank_models(typed, &models).into_iter();
        found.map(|index| format!("{}/{}", models[index].provider, models[index].id)).collect()
    }

    #[test]
    fn all_words_must_match_somewhere() {
        for (typed, expected) in [
            ("gpt", vec!["openai/gpt-5", "openai/gpt-5-mini"]),
            ("5gpt", vec!["openai/gpt-5", "openai/gpt-5-mini"]),
            ("mini openai", vec!["openai/gpt-5-mini"]),
            ("anthropic/claude-opus", vec!["anthropic/claude-opus", "openrouter/anthropic/claude-opus"]),
            ("router opus", vec!["openrouter/anthropic/claude-opus"]),
            ("opus gpt", vec![]),
        ] {
            assert_eq!(found(typed), expected, "{typed:?}");
        }
        assert_eq!(found(" ").len(), 4);
    }

    #[test]
    fn the_current_model_comes_first() {
        let mut sorted = models();
        let current = Arc::clone(&sorted[1]);
        sort(&mut sorted, &current);
        let ids: Vec<&str> = sorted.iter().map(|model| model.id.as_str()).collect();
        assert_eq!(ids, ["gpt-5-mini", "claude-opus", "gpt-5", "anthropic/claude-opus"]);
    }
}
