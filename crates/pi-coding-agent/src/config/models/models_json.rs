//! The user's `models.json`: read, checked, typed.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::Path;

use pi_ai::{InputKind, ModelCost, provider_behind};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::schema::check;
use super::schema_tables::MODELS_JSON;
use crate::config::Error;
use crate::host::json_comments::strip_comments;
use crate::host::json_depth::complaint;
use crate::host::{self, FileKind};

/// Own providers, and changes to built-in ones, in the order of the file.
#[derive(Debug, Clone, Default)]
pub(super) struct ModelsConfig {
    pub(super) providers: Vec<(String, ProviderConfig)>,
}

/// One provider.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct ProviderConfig {
    pub(super) base_url: Option<String>,
    /// A configuration value, see `config_value.rs`; so are the headers.
    pub(super) api_key: Option<String>,
    pub(super) api: Option<String>,
    pub(super) headers: BTreeMap<String, String>,
    pub(super) compat: Option<Map<String, Value>>,
    pub(super) auth_header: bool,
    pub(super) models: Vec<ModelConfig>,
    pub(super) model_overrides: BTreeMap<String, ModelOverride>,
    pub(super) name: Option<String>,
    /// Whether `models` are all that the provider has. Only extensions say so.
    #[serde(skip)]
    pub(super) replaces_all: bool,
}

/// A model of one's own.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct ModelConfig {
    pub(super) id: String,
    pub(super) name: Option<String>,
    pub(super) api: Option<String>,
    pub(super) base_url: Option<String>,
    pub(super) reasoning: bool,
    pub(super) thinking_level_map: Option<BTreeMap<String, Option<String>>>,
    pub(super) input: Option<Vec<InputKind>>,
    pub(super) cost: ModelCost,
    pub(super) context_window: Option<f64>,
    pub(super) max_tokens: Option<f64>,
    pub(super) headers: BTreeMap<String, String>,
    pub(super) compat: Option<Map<String, Value>>,
    pub(super) sampling_params: Option<Map<String, Value>>,
}

/// What is different about a built-in model.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct ModelOverride {
    pub(super) name: Option<String>,
    pub(super) reasoning: Option<bool>,
    pub(super) thinking_level_map: Option<BTreeMap<String, Option<String>>>,
    pub(super) input: Option<Vec<InputKind>>,
    pub(super) cost: CostOverride,
    pub(super) context_window: Option<f64>,
    pub(super) max_tokens: Option<f64>,
    pub(super) headers: BTreeMap<String, String>,
    pub(super) compat: Option<Map<String, Value>>,
    pub(super) sampling_params: Option<Map<String, Value>>,
}

/// What is different about a price.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct CostOverride {
    pub(super) input: Option<f64>,
    pub(super) output: Option<f64>,
    pub(super) cache_read: Option<f64>,
    pub(super) cache_write: Option<f64>,
    pub(super) tiers: Option<Value>,
}

/// Reads the file; without one there are no own providers. Blocks.
///
/// `is_builtin` tells providers that need neither address nor key nor wire format.
///
/// # Errors
/// [`Error::ModelsSyntax`], [`Error::ModelsSchema`], [`Error::ModelsSemantics`]; the file counts as a whole.
pub(super) fn load(path: &Path, is_builtin: impl Fn(&str) -> bool) -> Result<ModelsConfig, Error> {
    let syntax = |detail: String| Error::ModelsSyntax { path: path.to_owned(), detail };
    let text = match host::read_text(path, FileKind::Models) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(ModelsConfig::default()),
        Err(error) => return Err(syntax(error.to_string())),
    };
    let stripped = strip_comments(text.trim_start_matches('\u{feff}'));
    let value: Value = serde_json::from_str(&stripped).map_err(|error| syntax(complaint(&error)))?;
    let problems = check(&value, &MODELS_JSON);
    if !problems.is_empty() {
        return Err(Error::ModelsSchema { path: path.to_owned(), problems });
    }
    let config =
        typed(value).map_err(|problem| Error::ModelsSchema { path: path.to_owned(), problems: vec![problem] })?;
    let config = config.under_known_names(&is_builtin);
    for (name, provider) in &config.providers {
        let semantics = |detail| Error::ModelsSemantics { path: path.to_owned(), detail };
        check_provider(name, provider, is_builtin(name)).map_err(semantics)?;
    }
    Ok(config)
}

impl ModelsConfig {
    /// What a file says about a built-in provider under its newer name counts for that provider. With models it may be a
    /// provider of the user's own, and stays one.
    fn under_known_names(mut self, is_builtin: &impl Fn(&str) -> bool) -> Self {
        let names: Vec<String> = self.providers.iter().map(|(name, _)| name.clone()).collect();
        for (name, _) in self.providers.iter_mut().filter(|(_, config)| config.models.is_empty()) {
            let behind = provider_behind(name).filter(|known| is_builtin(known) && !is_builtin(name));
            if let Some(known) = behind.filter(|known| !names.iter().any(|name| name == known)) {
                *name = known.to_owned();
            }
        }
        self
    }
}

/// Gives the checked value its types. Provider by provider, so that what the check does not see is still named.
fn typed(mut value: Value) -> Result<ModelsConfig, String> {
    let providers = value.get_mut("providers").and_then(Value::as_object_mut).map(std::mem::take).unwrap_or_default();
    let typed = providers.into_iter().map(|(name, value)| match serde_json::from_value(value) {
        Ok(provider) => Ok((name, provider)),
        Err(error) => Err(format!("  - providers.{name}: {error}")),
    });
    Ok(ModelsConfig { providers: typed.collect::<Result<_, _>>()? })
}

fn check_provider(name: &str, provider: &ProviderConfig, builtin: bool) -> Result<(), String> {
    if provider.models.is_empty() {
        let says_something = provider.base_url.is_some()
            || !provider.headers.is_empty()
            || provider.compat.is_some()
            || !provider.model_overrides.is_empty();
        return if says_something {
            Ok(())
        } else {
            Err(format!(
                "Provider {name}: must specify \"baseUrl\", \"headers\", \"compat\", \"modelOverrides\", or \"models\"."
            ))
        };
    }
    if !builtin && provider.base_url.is_none() {
        return Err(format!("Provider {name}: \"baseUrl\" is required when defining custom models."));
    }
    if !builtin && provider.api_key.is_none() {
        return Err(format!("Provider {name}: \"apiKey\" is required when defining custom models."));
    }
    provider.models.iter().try_for_each(|model| check_model(name, provider, model, builtin))
}

fn check_model(name: &str, provider: &ProviderConfig, model: &ModelConfig, builtin: bool) -> Result<(), String> {
    let id = &model.id;
    if !builtin && model.api.is_none() && provider.api.is_none() {
        return Err(format!("Provider {name}, model {id}: no \"api\" specified. Set at provider or model level."));
    }
    check_sizes(name, model)
}

/// What is wrong with the sizes of a model.
pub(super) fn check_sizes(name: &str, model: &ModelConfig) -> Result<(), String> {
    let id = &model.id;
    if model.context_window.is_some_and(|tokens| tokens <= 0.0) {
        return Err(format!("Provider {name}, model {id}: invalid contextWindow"));
    }
    if model.max_tokens.is_some_and(|tokens| tokens <= 0.0) {
        return Err(format!("Provider {name}, model {id}: invalid maxTokens"));
    }
    Ok(())
}
