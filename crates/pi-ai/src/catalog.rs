//! The built-in models: generated facts, parsed on demand, one provider at a time.
//!
//! `catalog/models.json` is nested provider → model id → model, one model per line, both levels sorted. Prices are
//! US dollars per million tokens. Only models whose wire format this version speaks are listed.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use serde_json::value::RawValue;

use crate::model::Model;

const DATA: &str = include_str!("catalog/models.json");

/// Provider → its models, not parsed yet.
fn index() -> &'static BTreeMap<&'static str, &'static RawValue> {
    static INDEX: OnceLock<BTreeMap<&'static str, &'static RawValue>> = OnceLock::new();
    // The data is part of the program and covered by a test; a broken build lists nothing.
    INDEX.get_or_init(|| serde_json::from_str(DATA).unwrap_or_default())
}

/// The providers, sorted.
pub fn providers() -> impl Iterator<Item = &'static str> {
    index().keys().copied()
}

/// The models of a provider in id order; empty for an unknown provider. Parses on every call.
pub fn models(provider: &str) -> Vec<Arc<Model>> {
    let models = index().get(provider).map(|raw| serde_json::from_str::<BTreeMap<String, Arc<Model>>>(raw.get()));
    models.and_then(Result::ok).unwrap_or_default().into_values().collect()
}

/// One model by exact provider and id.
pub fn find(provider: &str, id: &str) -> Option<Arc<Model>> {
    models(provider).into_iter().find(|model| model.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_model_is_readable_and_filed_under_its_own_name() {
        let raw: BTreeMap<String, BTreeMap<String, serde_json::Value>> = serde_json::from_str(DATA).unwrap();
        assert!(raw.len() > 20, "{} providers", raw.len());
        for (provider, entries) in raw {
            let parsed = models(&provider);
            assert_eq!(parsed.len(), entries.len(), "{provider}");
            for model in parsed {
                assert_eq!(model.provider, provider);
                assert!(entries.contains_key(&model.id), "{provider}/{}", model.id);
                assert!(model.extra.is_empty(), "{provider}/{}: {:?}", model.id, model.extra);
                assert!(model.context_window > 0 && model.max_tokens > 0, "{provider}/{}", model.id);
            }
        }
    }

    #[test]
    fn look_up_is_exact() {
        let model = find("anthropic", "claude-sonnet-4-5").unwrap();
        assert_eq!((model.api.as_str(), model.cost.output), ("anthropic-messages", 15.0));
        assert!(find("anthropic", "claude-sonnet").is_none());
        assert!(find("nobody", "claude-sonnet-4-5").is_none());
    }

    #[test]
    fn providers_are_sorted() {
        assert!(providers().is_sorted());
    }
}
