//! The wire format `google-generative-ai`: Gemini with an API key. What it shares with Vertex is in `google`; here are
//! endpoint and authentication.

mod options;

use std::sync::Arc;

use serde_json::Value;

use crate::context::Context;
use crate::error::Error;
use crate::model::Model;
use crate::options::StreamOptions;

use super::call::{Call, impl_api};
use super::endpoint;
use super::google::{self, Flavor, GoogleDecoder, GoogleFrames, METHOD, Settings};
use super::payload::Payload;
use super::wire::{WireFormat, WireRequest};
pub use options::GoogleOptions;

/// The name that models carry in `api`.
pub(crate) const NAME: &str = "google-generative-ai";
/// Used for models without a base URL.
const DEFAULT_BASE_URL: &str = "https://generativelanguage.googleapis.com/v1beta";

/// The Gemini API.
///
/// Of [`StreamOptions`] it honours all but `cache_retention`, `session_id`, `metadata` and `transport`. Payload hooks see
/// the shape of the provider's SDK: `{"model", "contents", "config"}`.
#[derive(Debug, Clone, Copy, Default)]
pub struct GoogleGenerativeAi;

impl_api!(GoogleGenerativeAi, NAME, GoogleOptions, Call::new);

impl WireFormat for Call<GoogleOptions> {
    type Frames = GoogleFrames;
    type Decoder = GoogleDecoder;

    fn request(&self, model: &Model, context: &Context, options: &StreamOptions) -> Result<WireRequest, Error> {
        let flavor = Flavor::GenerativeAi;
        let (thinking, tool_choice) = match &self.explicit {
            Some(explicit) => {
                (google::explicit_thinking(model, explicit.thinking.as_ref(), flavor), explicit.tool_choice.clone())
            }
            None => (google::thinking_from_level(model, options, flavor), None),
        };
        let settings = Settings { thinking, tool_choice: tool_choice.or_else(|| options.tool_choice.clone()) };
        Ok(WireRequest {
            url: url(model, options)?,
            headers: google::headers(model, options.given_api_key())?,
            body: google::payload(model, context, options, &settings).into(),
        })
    }

    fn wire_url(&self, url: String, payload: &Value, model: &Model) -> String {
        google::retarget(url, payload, model, resource)
    }

    fn wire_body(&self, payload: Payload) -> Result<Payload, Error> {
        google::translate(payload.into_value(), Flavor::GenerativeAi).map(Payload::from)
    }

    fn decoder(&self, model: &Arc<Model>, context: &Context, options: &StreamOptions) -> GoogleDecoder {
        GoogleDecoder::new(model, context, options)
    }

    fn http_error(&self, status: u16, body: &str) -> String {
        google::http_error(status, body)
    }
}

/// The base URL names the version of the API, too.
fn url(model: &Model, options: &StreamOptions) -> Result<String, Error> {
    let path = format!("/{}{METHOD}", resource(&model.id));
    if model.base_url.trim().is_empty() {
        return Ok(DEFAULT_BASE_URL.to_owned() + &path);
    }
    endpoint::url(model, options, &path)
}

/// The path of a model; ids may be paths.
fn resource(id: &str) -> String {
    let is_path = ["models/", "tunedModels/"].iter().any(|kind| id.starts_with(kind));
    if is_path { id.to_owned() } else { format!("models/{id}") }
}
