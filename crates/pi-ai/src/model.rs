//! A model: where it is served, what it can do, what it costs.
//!
//! The facts come from the catalogue, from the user's `models.json` or from an extension. Per-format
//! peculiarities stay raw JSON here (`compat`); each wire format reads its own part.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::number::amount;
use crate::unknown_fields::Extra;

/// A model of a provider.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Model {
    /// Id, also the wire name.
    pub id: String,
    /// Display name.
    pub name: String,
    /// Wire format, for example `anthropic-messages`; any registered name is legal.
    pub api: String,
    /// Provider id.
    pub provider: String,
    /// Base URL to which the wire format appends its path; may hold `{NAME}` placeholders.
    pub base_url: String,
    /// Quirks of the endpoint, read by the wire format.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compat: Option<Map<String, Value>>,
    /// Whether the model can think.
    pub reasoning: bool,
    /// Wire values of thinking levels; `None` marks an unsupported level, a missing key the default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thinking_level_map: Option<BTreeMap<String, Option<String>>>,
    /// Accepted input kinds.
    pub input: Vec<InputKind>,
    /// Prices.
    pub cost: ModelCost,
    /// Context window in tokens; 0 when unknown.
    pub context_window: u64,
    /// Output limit in tokens.
    pub max_tokens: u64,
    /// Static request headers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub headers: Option<BTreeMap<String, String>>,
    /// Unknown fields.
    #[serde(flatten)]
    pub extra: Extra,
}

impl From<&Model> for Arc<Model> {
    /// A copy, for calls that keep a model.
    fn from(model: &Model) -> Self {
        Self::new(model.clone())
    }
}

impl Model {
    /// Whether images may be sent.
    pub fn accepts_images(&self) -> bool {
        self.input.contains(&InputKind::Image)
    }

    /// The stand-in for "no model selected": every identity field is `unknown`.
    pub fn unknown() -> Arc<Self> {
        let unknown = || "unknown".to_owned();
        Arc::new(Self { id: unknown(), name: unknown(), api: unknown(), provider: unknown(), ..Self::default() })
    }
}

/// Whether both are there and the same model of the same provider, whatever else their entries say.
pub fn models_are_equal(a: Option<&Model>, b: Option<&Model>) -> bool {
    a.zip(b).is_some_and(|(a, b)| a.id == b.id && a.provider == b.provider)
}

/// Kinds of input that a model accepts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum InputKind {
    /// Text.
    Text,
    /// Images.
    Image,
    /// A kind that this version does not send.
    #[serde(untagged)]
    Other(String),
}

/// Prices in US dollars per million tokens.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ModelCost {
    /// Uncached prompt tokens.
    #[serde(with = "amount")]
    pub input: f64,
    /// Generated tokens.
    #[serde(with = "amount")]
    pub output: f64,
    /// Cache reads.
    #[serde(with = "amount")]
    pub cache_read: f64,
    /// Cache writes with the short retention.
    #[serde(with = "amount")]
    pub cache_write: f64,
    /// Unknown fields (tiers, batch prices).
    #[serde(flatten)]
    pub extra: Extra,
}
