//! What a line of the snapshot says: facts about a model, and how its endpoint is spoken to. No files, no merging.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The thinking levels, ranked.
pub(super) const LEVELS: [&str; 7] = ["off", "minimal", "low", "medium", "high", "xhigh", "max"];

/// What a model is known by. Sorts by code point, as the catalogue does.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) struct Key {
    pub(super) provider: String,
    pub(super) id: String,
}

impl Key {
    pub(super) fn new(provider: &str, id: &str) -> Self {
        Self { provider: provider.to_owned(), id: id.to_owned() }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.provider, self.id)
    }
}

/// What a source says about a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Facts {
    pub(super) name: String,
    pub(super) reasoning: bool,
    /// `text`, `image`.
    pub(super) input: Vec<String>,
    pub(super) cost: Cost,
    /// Tokens.
    pub(super) context_window: u64,
    /// Tokens.
    pub(super) max_tokens: u64,
}

/// US dollars per million tokens.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Cost {
    pub(super) input: Price,
    pub(super) output: Price,
    pub(super) cache_read: Price,
    pub(super) cache_write: Price,
}

impl Cost {
    /// In the order of the generated columns.
    pub(super) fn prices(&self) -> [Price; 4] {
        [self.input, self.output, self.cache_read, self.cache_write]
    }
}

/// A price; a whole one is written without a fraction.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Price(#[serde(serialize_with = "without_zero_fraction")] pub(super) f64);

impl fmt::Display for Price {
    /// The shortest decimal that reads back as the same number.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature serde calls")]
fn without_zero_fraction<S: serde::Serializer>(price: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    if price.fract() == 0.0 { serializer.serialize_i64(*price as i64) } else { serializer.serialize_f64(*price) }
}

/// How the endpoint of a model is spoken to. Keys are sorted, so that equal ones look equal.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Wire {
    pub(super) api: String,
    pub(super) base_url: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) headers: Option<BTreeMap<String, String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) compat: Option<BTreeMap<String, Value>>,
    /// Thinking level → what is sent for it; `null`: not supported.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) thinking_level_map: Option<Map<String, Value>>,
}

/// A line of a source's file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct SourceRow {
    #[serde(flatten)]
    pub(super) key: Key,
    #[serde(flatten)]
    pub(super) facts: Facts,
    /// The package with which the source reaches the model; tells the wire format where a provider has several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) npm: Option<String>,
}

/// A line of `wire.jsonl`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct WireRow {
    #[serde(flatten)]
    pub(super) key: Key,
    #[serde(flatten)]
    pub(super) wire: Wire,
}

/// A model with all that is known: a line of `published.jsonl`, and what a build yields.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Entry {
    #[serde(flatten)]
    pub(super) key: Key,
    #[serde(flatten)]
    pub(super) facts: Facts,
    #[serde(flatten)]
    pub(super) wire: Wire,
}
