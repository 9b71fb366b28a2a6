//! The wire format `openai-completions` (chat completions), spoken by dozens of providers in as many dialects.
//!
//! `request.rs` puts the request together from `convert.rs` (messages), `assistant.rs`, `reasoning.rs` and
//! `cache.rs`; `decode.rs` reads the stream with `tool_calls.rs` and `usage.rs`. `compat.rs` resolves the dialect,
//! `detect.rs` guesses it from provider and URL.

mod assistant;
mod cache;
mod compat;
#[cfg(test)]
mod compat_tests;
mod convert;
mod decode;
mod detect;
mod headers;
mod options;
mod reasoning;
mod request;
mod template;
mod tool_calls;
mod usage;

use std::sync::Arc;

use crate::context::Context;
use crate::error::Error;
use crate::model::Model;
use crate::options::StreamOptions;
use crate::transport::SseDecoder;

use super::call::{Call, impl_api};
use super::effort;
use super::http_error::{self, ErrorShape};
use super::wire::{WireFormat, WireRequest};
use decode::CompletionsDecoder;
pub use options::OpenAiCompletionsOptions;

/// The name that models carry in `api`.
pub(crate) const NAME: &str = "openai-completions";

/// The OpenAI Chat Completions API and its many relatives.
///
/// Of [`StreamOptions`] it honours all but `metadata`, `thinking_budgets` and `max_retry_delay`.
#[derive(Debug, Clone, Copy, Default)]
pub struct OpenAiCompletions;

impl_api!(OpenAiCompletions, NAME, OpenAiCompletionsOptions, Call::new);

impl WireFormat for Call<OpenAiCompletionsOptions> {
    type Frames = SseDecoder;
    type Decoder = CompletionsDecoder;

    fn request(&self, model: &Model, context: &Context, options: &StreamOptions) -> Result<WireRequest, Error> {
        let (effort, tool_choice) = match &self.explicit {
            Some(explicit) => (explicit.reasoning_effort, explicit.tool_choice.as_ref()),
            None => (effort::wanted(model, options), None),
        };
        let tool_choice = tool_choice.or(options.tool_choice.as_ref());
        request::build(model, context, options, effort.enabled(), tool_choice)
    }

    fn decoder(&self, model: &Arc<Model>, _: &Context, _: &StreamOptions) -> CompletionsDecoder {
        CompletionsDecoder::new(model)
    }

    fn http_error(&self, status: u16, body: &str) -> String {
        http_error::text(status, body, ErrorShape::ErrorField)
    }
}
