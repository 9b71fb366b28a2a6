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
use crate::registry::Api;
use crate::stream::AssistantMessageStream;
use crate::transport::SseDecoder;

use super::driver::drive;
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

impl AzureOpenAiResponses {
    /// Starts a call with the options that only this format has.
    pub fn stream_with(
        &self,
        model: Arc<Model>,
        context: Context,
        mut options: AzureOpenAiResponsesOptions,
    ) -> AssistantMessageStream {
        let base = std::mem::take(&mut options.base);
        drive(Arc::new(Format { explicit: Some(options) }), model, context, base)
    }
}

impl Api for AzureOpenAiResponses {
    fn name(&self) -> &str {
        NAME
    }

    fn stream(&self, model: Arc<Model>, context: Context, options: StreamOptions) -> AssistantMessageStream {
        drive(Arc::new(Format::default()), model, context, options)
    }
}

/// The format as the driver sees it.
#[derive(Debug, Default)]
struct Format {
    /// Options of this format; without them they follow from the general ones.
    explicit: Option<AzureOpenAiResponsesOptions>,
}

impl WireFormat for Format {
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
