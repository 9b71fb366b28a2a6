//! Built-in models and those of `models.json`, put together provider by provider.

use std::collections::BTreeMap;
use std::sync::Arc;

use pi_ai::{InputKind, Model};
use serde_json::{Map, Value};

use super::models_json::{ModelConfig, ModelOverride, ProviderConfig};

const DEFAULT_CONTEXT_WINDOW: u64 = 128_000;
const DEFAULT_MAX_TOKENS: u64 = 16_384;
/// Fields of models that wire formats and prices read.
const SAMPLING_PARAMS: &str = "samplingParams";
const TIERS: &str = "tiers";
/// Keys of `compat` that are merged one level deeper.
const DEEP_COMPAT: [&str; 3] = ["openRouterRouting", "vercelGatewayRouting", "chatTemplateKwargs"];

/// The models of one provider.
#[derive(Debug, Clone, Default)]
pub(super) struct ProviderModels {
    /// Built-in models with what replaces them, in their order.
    pub(super) builtin: Vec<Arc<Model>>,
    /// Additional ones, in the order of the file.
    pub(super) added: Vec<Arc<Model>>,
}

impl ProviderModels {
    /// All of them.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Arc<Model>> {
        self.builtin.iter().chain(&self.added)
    }
}

/// Applies a provider's entry in `models.json` to its built-in models.
pub(super) fn merge(provider: &str, builtin: Vec<Arc<Model>>, config: Option<&ProviderConfig>) -> ProviderModels {
    let Some(config) = config else { return ProviderModels { builtin, added: Vec::new() } };
    let builtin = if config.replaces_all { Vec::new() } else { builtin };
    // Where a model of one's own says nothing, the provider's first built-in model speaks for it.
    let first = builtin.first().cloned();
    let mut models = ProviderModels {
        builtin: builtin.into_iter().map(|model| changed(model, config)).collect(),
        added: Vec::new(),
    };
    for own in &config.models {
        let model = Arc::new(own_model(provider, own, config, first.as_deref()));
        let same = |known: &&mut Arc<Model>| known.id == model.id;
        match models.builtin.iter_mut().chain(&mut models.added).find(same) {
            Some(known) => *known = model,
            None => models.added.push(model),
        }
    }
    models
}

fn changed(model: Arc<Model>, config: &ProviderConfig) -> Arc<Model> {
    let over = config.model_overrides.get(&model.id);
    if config.base_url.is_none() && config.compat.is_none() && over.is_none() {
        return model;
    }
    let mut model = Arc::unwrap_or_clone(model);
    if let Some(base_url) = &config.base_url {
        model.base_url.clone_from(base_url);
    }
    merge_compat(&mut model.compat, config.compat.as_ref());
    if let Some(over) = over {
        apply_override(&mut model, over);
    }
    Arc::new(model)
}

fn apply_override(model: &mut Model, over: &ModelOverride) {
    replace(&mut model.name, over.name.clone());
    replace(&mut model.reasoning, over.reasoning);
    replace(&mut model.input, over.input.clone());
    replace(&mut model.cost.input, over.cost.input);
    replace(&mut model.cost.output, over.cost.output);
    replace(&mut model.cost.cache_read, over.cost.cache_read);
    replace(&mut model.cost.cache_write, over.cost.cache_write);
    if let Some(tiers) = &over.cost.tiers {
        model.cost.extra.insert(TIERS.to_owned(), tiers.clone());
    }
    replace(&mut model.context_window, over.context_window.map(tokens));
    replace(&mut model.max_tokens, over.max_tokens.map(tokens));
    if let Some(levels) = &over.thinking_level_map {
        let map = model.thinking_level_map.get_or_insert_default();
        map.extend(levels.iter().map(|(level, value)| (level.clone(), value.clone())));
    }
    merge_compat(&mut model.compat, over.compat.as_ref());
    if let Some(params) = &over.sampling_params {
        model.extra.insert(SAMPLING_PARAMS.to_owned(), params.clone().into());
    }
}

fn own_model(provider: &str, own: &ModelConfig, config: &ProviderConfig, first: Option<&Model>) -> Model {
    let api = own.api.clone().or_else(|| config.api.clone()).or_else(|| first.map(|model| model.api.clone()));
    let base_url = own.base_url.clone().or_else(|| config.base_url.clone());
    let mut compat = config.compat.clone();
    merge_compat(&mut compat, own.compat.as_ref());
    Model {
        id: own.id.clone(),
        name: own.name.clone().unwrap_or_else(|| own.id.clone()),
        api: api.unwrap_or_default(),
        provider: provider.to_owned(),
        base_url: base_url.or_else(|| first.map(|model| model.base_url.clone())).unwrap_or_default(),
        compat,
        reasoning: own.reasoning,
        thinking_level_map: own.thinking_level_map.clone(),
        input: own.input.clone().unwrap_or_else(|| vec![InputKind::Text]),
        cost: own.cost.clone(),
        context_window: own.context_window.map_or(DEFAULT_CONTEXT_WINDOW, tokens),
        max_tokens: own.max_tokens.map_or(DEFAULT_MAX_TOKENS, tokens),
        // Headers are resolved per request: they may hold secrets.
        headers: None,
        extra: own.sampling_params.iter().map(|params| (SAMPLING_PARAMS.to_owned(), params.clone().into())).collect(),
    }
}

/// Headers of one model, from its own entry and from its override.
pub(super) fn model_headers<'a>(config: &'a ProviderConfig, id: &str) -> BTreeMap<&'a str, &'a str> {
    let own = config.models.iter().filter(|model| model.id == id).flat_map(|model| &model.headers);
    let over = config.model_overrides.get(id).into_iter().flat_map(|over| &over.headers);
    over.chain(own).map(|(name, value)| (name.as_str(), value.as_str())).collect()
}

fn merge_compat(compat: &mut Option<Map<String, Value>>, over: Option<&Map<String, Value>>) {
    let Some(over) = over else { return };
    let compat = compat.get_or_insert_default();
    for (key, value) in over {
        match (compat.get_mut(key), value) {
            (Some(Value::Object(below)), Value::Object(above)) if DEEP_COMPAT.contains(&key.as_str()) => {
                below.extend(above.iter().map(|(key, value)| (key.clone(), value.clone())));
            }
            _ => {
                compat.insert(key.clone(), value.clone());
            }
        }
    }
}

fn replace<T>(target: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *target = value;
    }
}

fn tokens(number: f64) -> u64 {
    number.max(0.0) as u64
}
