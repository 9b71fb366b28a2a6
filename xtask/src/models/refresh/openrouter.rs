//! OpenRouter: a list of models, prices as texts in dollars per token.

use anyhow::{Context, Result};
use serde_json::Value;

use super::prices::per_token;
use crate::models::rows::{Cost, Facts, Key, SourceRow};

const PROVIDER: &str = "openrouter";
const DEFAULT_LIMIT: u64 = 4096;

/// The models that can use tools.
pub(super) fn rows(answer: &Value) -> Result<Vec<SourceRow>> {
    let models = answer["data"].as_array().context("the answer has no list `data`")?;
    Ok(models.iter().filter_map(row).collect())
}

fn row(model: &Value) -> Option<SourceRow> {
    let id = model["id"].as_str()?;
    let has = |parameter: &str| super::lists(&model["supported_parameters"], parameter);
    // `text+image->text`: what comes out is on the other side of the arrow.
    let modality = model["architecture"]["modality"].as_str().unwrap_or_default();
    let takes = modality.split("->").next().unwrap_or_default();
    let prices = &model["pricing"];
    let facts = Facts {
        name: super::name(model, id),
        reasoning: has("reasoning"),
        input: super::input(takes.contains("image")),
        cost: Cost {
            input: per_token(prices.get("prompt")),
            output: per_token(prices.get("completion")),
            cache_read: per_token(prices.get("input_cache_read")),
            cache_write: per_token(prices.get("input_cache_write")),
        },
        context_window: super::limit(&model["context_length"], DEFAULT_LIMIT),
        max_tokens: super::limit(&model["top_provider"]["max_completion_tokens"], DEFAULT_LIMIT),
    };
    has("tools").then(|| SourceRow { key: Key::new(PROVIDER, id), facts, npm: None })
}
