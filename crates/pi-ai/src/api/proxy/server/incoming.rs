//! A request as it arrives at the server.
//!
//! Of the model only its name is read: where it is served, with which headers and at which price is for the server to
//! know. What a client says about that cannot reach a call, because it is not kept.

use serde::Deserialize;

use super::error::ProxyError;
use crate::api::proxy::options::ProxyCallOptions;
use crate::context::Context;

/// What a client asks for. Fields that this version does not know are ignored.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct ProxyRequest {
    /// The model that it wants.
    pub model: RequestedModel,
    /// What the model shall see.
    pub context: Context,
    /// How it shall answer.
    #[serde(default)]
    pub options: ProxyCallOptions,
}

/// The name of a model. Nothing of it can be trusted.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct RequestedModel {
    /// Provider id.
    #[serde(default)]
    pub provider: String,
    /// Model id.
    pub id: String,
    /// Wire format that the client believes in.
    #[serde(default)]
    pub api: String,
}

impl ProxyRequest {
    /// Reads the body of a request. Limits on its size are those of the HTTP server.
    ///
    /// # Errors
    /// [`ProxyError::UnreadableRequest`].
    pub fn parse(body: &[u8]) -> Result<Self, ProxyError> {
        serde_json::from_slice(body).map_err(|error| ProxyError::UnreadableRequest { detail: error.to_string() })
    }
}
