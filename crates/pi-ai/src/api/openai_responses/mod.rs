//! The wire format `openai-responses`, OpenAI's current one, also spoken by routers and local servers.
//!
//! `request.rs` puts the request together; input items, tools and the decoder are those of [`super::responses`].

mod options;
mod request;

use std::sync::Arc;

use crate::context::Context;
use crate::error::Error;
use crate::model::Model;
use crate::options::StreamOptions;
use crate::transport::SseDecoder;

use super::call::{Call, impl_api};
use super::effort;
use super::http_error::{self, ErrorShape};
use super::responses::decode::ResponsesDecoder;
use super::responses::dialect;
use super::wire::{WireFormat, WireRequest};
pub use options::OpenAiResponsesOptions;

/// The name that models carry in `api`.
pub(crate) const NAME: &str = "openai-responses";

/// The OpenAI Responses API.
///
/// Of [`StreamOptions`] it honours all but `metadata`, `thinking_budgets`, `tool_choice` and `max_retry_delay`. The server
/// is asked to store nothing; reasoning travels encrypted in the transcript.
#[derive(Debug, Clone, Copy, Default)]
pub struct OpenAiResponses;

impl_api!(OpenAiResponses, NAME, OpenAiResponsesOptions, Call::new);

impl WireFormat for Call<OpenAiResponsesOptions> {
    type Frames = SseDecoder;
    type Decoder = ResponsesDecoder;

    fn request(&self, model: &Model, context: &Context, options: &StreamOptions) -> Result<WireRequest, Error> {
        match &self.explicit {
            Some(explicit) => request::build(model, context, options, explicit),
            None => {
                let reasoning_effort = effort::wanted(model, options);
                let simple = OpenAiResponsesOptions { reasoning_effort, ..OpenAiResponsesOptions::default() };
                request::build(model, context, options, &simple)
            }
        }
    }

    fn decoder(&self, model: &Arc<Model>, _: &Context, _: &StreamOptions) -> ResponsesDecoder {
        let tier = self.explicit.as_ref().and_then(|explicit| explicit.service_tier.clone());
        ResponsesDecoder::new(model, dialect::OPENAI, tier)
    }

    fn http_error(&self, status: u16, body: &str) -> String {
        format!("OpenAI API error ({status}): {}", http_error::text(status, body, ErrorShape::ErrorField))
    }
}
