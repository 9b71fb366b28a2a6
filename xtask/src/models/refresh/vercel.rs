//! Vercel AI Gateway: a list of models with tags, prices as texts in dollars per token.

use anyhow::{Context, Result};
use serde_json::Value;

use super::prices::per_token;
use crate::models::rows::{Cost, Facts, Key, SourceRow};

const PROVIDER: &str = "vercel-ai-gateway";
const DEFAULT_LIMIT: u64 = 4096;

/// The models that can use tools.
pub(super) fn rows(answer: &Value) -> Result<Vec<SourceRow>> {
    let models = answer["data"].as_array().context("the answer has no list `data`")?;
    Ok(models.iter().filter_map(row).collect())
}

fn row(model: &Value) -> Option<SourceRow> {
    let id = model["id"].as_str()?;
    let is = |tag: &str| super::lists(&model["tags"], tag);
    let prices = &model["pricing"];
    let facts = Facts {
        name: super::name(model, id),
        reasoning: is("reasoning"),
        input: super::input(is("vision")),
        cost: Cost {
            input: per_token(prices.get("input")),
            output: per_token(prices.get("output")),
            cache_read: per_token(prices.get("input_cache_read")),
            cache_write: per_token(prices.get("input_cache_write")),
        },
        context_window: super::limit(&model["context_window"], DEFAULT_LIMIT),
        max_tokens: super::limit(&model["max_tokens"], DEFAULT_LIMIT),
    };
    is("tool-use").then(|| SourceRow { key: Key::new(PROVIDER, id), facts, npm: None })
}
