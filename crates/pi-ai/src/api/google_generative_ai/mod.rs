//! The wire format `google-generative-ai`: Gemini with an API key. What it shares with Vertex is in `google`; here are
//! endpoint and authentication.

mod options;

use std::sync::Arc;

use serde_json::Value;

use crate::context::Context;
use crate::error::Error;
use crate::model::Model;
use crate::options::StreamOptions;
use crate::registry::Api;
use crate::stream::AssistantMessageStream;

use super::driver::drive;
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

impl GoogleGenerativeAi {
    /// Starts a call with the options that only this format has.
    pub fn stream_with(
        &self,
        model: Arc<Model>,
        context: Context,
        mut options: GoogleOptions,
    ) -> AssistantMessageStream {
        let base = std::mem::take(&mut options.base);
        drive(Arc::new(Format { explicit: Some(options) }), model, context, base)
    }
}

impl Api for GoogleGenerativeAi {
    fn name(&self) -> &str {
        NAME
    }

    fn stream(&self, model: Arc<Model>, context: Context, options: StreamOptions) -> AssistantMessageStream {
        drive(Arc::new(Format::default()), model, context, options)
    }
}

/// The format as the driver sees it.
#[derive(Debug, Default)]
pub(crate) struct Format {
    /// Options of this format; without them they follow from the general ones.
    explicit: Option<GoogleOptions>,
}

impl WireFormat for Format {
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
