//! models.dev: provider → models, prices in dollars per million tokens.

use anyhow::{Context, Result};
use serde_json::{Map, Value};

use super::prices::per_million;
use crate::models::provider_table::{Listed, PROVIDERS, Provider};
use crate::models::rows::{Cost, Facts, Key, SourceRow};

/// What counts when a limit is not given.
const DEFAULT_LIMIT: u64 = 4096;
/// GitHub Copilot's limits, often not given.
const COPILOT_LIMITS: (u64, u64) = (128_000, 8192);
/// Listed with tools, but they cannot use them in this wire format.
const BEDROCK_WITHOUT_TOOLS: [&str; 2] = ["ai21.jamba", "mistral.mistral-7b-instruct-v0"];
/// Providers whose deprecated models no longer answer.
const SKIP_DEPRECATED: [&str; 3] = ["github-copilot", "opencode", "opencode-go"];

/// The models of all providers that it lists for us and that can use tools.
pub(super) fn rows(answer: &Value) -> Result<Vec<SourceRow>> {
    let answer = answer.as_object().context("the answer is no object of providers")?;
    Ok(PROVIDERS.iter().flat_map(|provider| provider_rows(provider, answer)).collect())
}

fn provider_rows(provider: &Provider, answer: &Map<String, Value>) -> Vec<SourceRow> {
    let (key, prefixes) = match provider.listed {
        Listed::ModelsDev(key) => (key, None),
        Listed::Prefixed(key, prefixes) => (key, Some(prefixes)),
        Listed::Own | Listed::Copies(..) | Listed::Nowhere => return Vec::new(),
    };
    let entry = answer.get(key).unwrap_or(&Value::Null);
    let models = entry["models"].as_object().into_iter().flatten();
    let usable = models.filter(|(id, model)| is_usable(provider.name, id, model));
    let rows = usable.filter_map(|(id, model)| {
        let id = prefixes.map_or(Some(id.as_str()), |prefixes| without_prefix(id, prefixes))?;
        let npm = model["provider"]["npm"].as_str().map(str::to_owned);
        Some(SourceRow { key: Key::new(provider.name, id), facts: facts(provider.name, id, model), npm })
    });
    rows.collect()
}

fn is_usable(provider: &str, id: &str, model: &Value) -> bool {
    let deprecated = model["status"] == "deprecated" && SKIP_DEPRECATED.contains(&provider);
    let toolless = provider == "amazon-bedrock" && BEDROCK_WITHOUT_TOOLS.iter().any(|start| id.starts_with(start));
    model["tool_call"] == true && !deprecated && !toolless
}

/// The id as the provider knows it; `None` when it is not one of those that are reached.
fn without_prefix<'a>(id: &'a str, prefixes: &[(&str, bool)]) -> Option<&'a str> {
    let (prefix, cut) = prefixes.iter().find(|(prefix, _)| id.starts_with(prefix))?;
    if *cut { id.strip_prefix(prefix) } else { Some(id) }
}

fn facts(provider: &str, id: &str, model: &Value) -> Facts {
    let (context, output) = if provider == "github-copilot" { COPILOT_LIMITS } else { (DEFAULT_LIMIT, DEFAULT_LIMIT) };
    let cost = &model["cost"];
    let sees = model["modalities"]["input"].as_array().is_some_and(|kinds| kinds.iter().any(|kind| kind == "image"));
    Facts {
        name: super::name(model, id),
        reasoning: model["reasoning"] == true,
        input: super::input(sees),
        cost: Cost {
            input: per_million(cost.get("input")),
            output: per_million(cost.get("output")),
            cache_read: per_million(cost.get("cache_read")),
            cache_write: per_million(cost.get("cache_write")),
        },
        context_window: super::limit(&model["limit"]["context"], context),
        max_tokens: super::limit(&model["limit"]["output"], output),
    }
}
