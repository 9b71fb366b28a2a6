//! The wire format `mistral-conversations`: Mistral's chat completions, which differ from everybody else's in content
//! parts, thinking, tool-call ids and caching.
//!
//! `request.rs` builds the payload from `convert.rs` (messages) and `ids.rs` (tool-call ids) in the shape of Mistral's
//! own SDK, which is what payload hooks see; `payload.rs` makes the body of it. `decode.rs` reads the stream with
//! `tool_calls.rs` and `usage.rs`.

mod convert;
mod decode;
mod ids;
mod options;
mod payload;
mod request;
mod tool_calls;
mod usage;

use std::sync::Arc;

use http::HeaderMap;
use http::header::CONTENT_TYPE;

use crate::context::Context;
use crate::error::Error;
use crate::model::Model;
use crate::options::StreamOptions;
use crate::transport::SseDecoder;

use super::call::{Call, impl_api};
use super::http_error;
use super::payload::Payload;
use super::wire::{WireFormat, WireRequest};
use decode::MistralDecoder;
pub use options::MistralOptions;
use request::Settings;

/// The name that models carry in `api`.
pub(crate) const NAME: &str = "mistral-conversations";

/// The Mistral chat API.
///
/// Of [`StreamOptions`] it honours all but `metadata`, `thinking_budgets` and `max_retry_delay`; of `cache_retention`
/// it knows `none`, which leaves the session out of the request. Payload hooks see the camel-case objects of Mistral's
/// own SDK (`maxTokens`, `toolCalls`, …), not the body.
#[derive(Debug, Clone, Copy, Default)]
pub struct MistralConversations;

impl_api!(MistralConversations, NAME, MistralOptions, Call::new);

impl WireFormat for Call<MistralOptions> {
    type Frames = SseDecoder;
    type Decoder = MistralDecoder;

    fn request(&self, model: &Model, context: &Context, options: &StreamOptions) -> Result<WireRequest, Error> {
        let settings = match &self.explicit {
            Some(explicit) => Settings::explicit(explicit, options),
            None => Settings::from_level(model, options),
        };
        request::build(model, context, options, &settings)
    }

    fn wire_body(&self, payload: Payload) -> Result<Payload, Error> {
        payload::to_wire(payload.into_value()).map(Payload::from)
    }

    fn decoder(&self, model: &Arc<Model>, _: &Context, _: &StreamOptions) -> MistralDecoder {
        MistralDecoder::new(model)
    }

    fn http_error(&self, status: u16, body: &str) -> String {
        http_error::raw_text("Mistral", status, "", body)
    }

    fn rejected(&self, status: u16, headers: &HeaderMap, body: &str) -> String {
        let content_type = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or("");
        http_error::raw_text("Mistral", status, content_type, body)
    }
}
