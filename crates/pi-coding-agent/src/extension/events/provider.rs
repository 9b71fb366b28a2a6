//! Models and requests.

use std::collections::BTreeMap;
use std::sync::Arc;

use pi_ai::{Model, ThinkingLevel};
use serde::Serialize;
use serde_json::Value;

/// A request is about to be sent.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BeforeProviderRequestEvent {
    /// Its body, in the provider's own shape.
    pub payload: Arc<Value>,
}

/// A body instead of the one that is about to be sent.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PayloadOutcome {
    /// All of it; `None` keeps the body.
    pub payload: Option<Value>,
}

/// A request is about to be made: the headers that it has besides those of the wire format and the key.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BeforeProviderHeadersEvent {
    /// By name.
    pub headers: Arc<BTreeMap<String, String>>,
}

/// Headers instead of those that the request would have.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HeadersOutcome {
    /// All of them; `None` keeps them.
    pub headers: Option<BTreeMap<String, String>>,
}

/// The headers of a response arrived; its body was not read yet.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AfterProviderResponseEvent {
    /// The HTTP status.
    pub status: u16,
    /// Headers, names in lower case.
    pub headers: Arc<BTreeMap<String, String>>,
}

/// Another model was selected.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ModelSelectEvent {
    /// The model in force.
    pub model: Arc<Model>,
    /// The one before.
    pub previous_model: Arc<Model>,
    /// How it came to that.
    pub source: ModelSelectSource,
}

/// How a model was selected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ModelSelectSource {
    /// It was named.
    Set,
    /// It was the next one.
    Cycle,
    /// The session had it.
    Restore,
}

/// Another thinking level was selected. Nobody waits for the handlers.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ThinkingLevelSelectEvent {
    /// The level in force.
    pub level: ThinkingLevel,
    /// The one before.
    pub previous_level: ThinkingLevel,
}
