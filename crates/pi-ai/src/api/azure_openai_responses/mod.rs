//! The wire format `azure-openai-responses`: OpenAI's Responses as Azure deployments speak it.
//!
//! `request.rs` puts the request together for the place that `location.rs` finds; input items, tools and the decoder are
//! those of [`super::responses`].

mod location;
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
pub use options::AzureOpenAiResponsesOptions;

/// The name that models carry in `api`.
pub(crate) const NAME: &str = "azure-openai-responses";

/// The OpenAI Responses API of an Azure deployment.
///
/// Of [`StreamOptions`] it honours all but `cache_retention`, `metadata`, `thinking_budgets`, `tool_choice` and
/// `max_retry_delay`. Where to call may come from the environment, see [`AzureOpenAiResponsesOptions`].
#[derive(Debug, Clone, Copy, Default)]
pub struct AzureOpenAiResponses;

impl_api!(AzureOpenAiResponses, NAME, AzureOpenAiResponsesOptions, Call::new);

impl WireFormat for Call<AzureOpenAiResponsesOptions> {
    type Frames = SseDecoder;
    type Decoder = ResponsesDecoder;

    fn request(&self, model: &Model, context: &Context, options: &StreamOptions) -> Result<WireRequest, Error> {
        match &self.explicit {
            Some(explicit) => request::build(model, context, options, explicit),
            None => {
                let reasoning_effort = effort::wanted(model, options);
                let simple = AzureOpenAiResponsesOptions { reasoning_effort, ..AzureOpenAiResponsesOptions::default() };
                request::build(model, context, options, &simple)
            }
        }
    }

    fn decoder(&self, model: &Arc<Model>, _: &Context, _: &StreamOptions) -> ResponsesDecoder {
        ResponsesDecoder::new(model, dialect::AZURE, None)
    }

    fn http_error(&self, status: u16, body: &str) -> String {
        format!("Azure OpenAI API error ({status}): {}", http_error::text(status, body, ErrorShape::ErrorField))
    }
}
