//! Token usage and its cost, as every provider's report is normalised to.
//!
//! Prices live on the model (`model.rs`); the arithmetic that turns one into the other is in `cost.rs`.

use serde::{Deserialize, Serialize};

use crate::number::{amount, count};
use crate::unknown_fields::Extra;

/// Tokens of one model call. Cached tokens are never part of `input`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Usage {
    /// Prompt tokens that were neither read from nor written to a cache.
    #[serde(with = "count")]
    pub input: u64,
    /// Generated tokens, reasoning included.
    #[serde(with = "count")]
    pub output: u64,
    /// Prompt tokens read from the provider's cache.
    #[serde(with = "count")]
    pub cache_read: u64,
    /// Prompt tokens written to the provider's cache.
    #[serde(with = "count")]
    pub cache_write: u64,
    /// Sum of the four, or the provider's own total where the wire format reports one.
    #[serde(with = "count")]
    pub total_tokens: u64,
    /// Cost in US dollars at the model's prices.
    pub cost: Cost,
    /// Part of `cache_write` with one hour of retention; only `anthropic-messages` reports it.
    #[serde(rename = "cacheWrite1h", skip_serializing_if = "Option::is_none")]
    pub cache_write_1h: Option<u64>,
    /// Fields that this version does not know, kept as they came.
    #[serde(flatten)]
    pub extra: Extra,
}

impl Usage {
    /// Adds up the four token kinds, for wire formats without a trustworthy total of their own.
    pub fn sum(&self) -> u64 {
        [self.output, self.cache_read, self.cache_write].into_iter().fold(self.input, u64::saturating_add)
    }
}

/// Cost of one model call in US dollars.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Cost {
    /// Cost of the uncached prompt.
    #[serde(with = "amount")]
    pub input: f64,
    /// Cost of the generated tokens.
    #[serde(with = "amount")]
    pub output: f64,
    /// Cost of cache reads.
    #[serde(with = "amount")]
    pub cache_read: f64,
    /// Cost of cache writes.
    #[serde(with = "amount")]
    pub cache_write: f64,
    /// Sum of the four.
    #[serde(with = "amount")]
    pub total: f64,
}
