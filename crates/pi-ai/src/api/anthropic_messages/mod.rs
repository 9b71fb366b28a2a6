//! The wire format `anthropic-messages`, also spoken by gateways and compatible providers.
//!
//! `request.rs` puts the request together from `headers.rs`, `convert.rs` (messages), `tools.rs` and `thinking.rs`;
//! `decode.rs` reads the stream. `compat.rs` holds the quirks of endpoints, `oauth.rs` those of subscription keys.

mod compat;
mod convert;
mod decode;
mod headers;
mod oauth;
mod options;
mod request;
mod thinking;
mod tools;
mod usage;

use std::sync::Arc;

use crate::context::Context;
use crate::error::Error;
use crate::model::Model;
use crate::options::StreamOptions;
use crate::transport::SseDecoder;

use super::call::{Call, impl_api};
use super::http_error::{self, ErrorShape};
use super::wire::{WireFormat, WireRequest};
use decode::AnthropicDecoder;
pub use options::AnthropicOptions;

/// The name that models carry in `api`.
pub(crate) const NAME: &str = "anthropic-messages";

/// The Anthropic Messages API.
///
/// Of [`StreamOptions`] it honours all but `max_retry_delay`; of `metadata` it sends the string `user_id`.
#[derive(Debug, Clone, Copy, Default)]
pub struct AnthropicMessages;

impl_api!(AnthropicMessages, NAME, AnthropicOptions, Call::new);

impl WireFormat for Call<AnthropicOptions> {
    type Frames = SseDecoder;
    type Decoder = AnthropicDecoder;

    fn request(&self, model: &Model, context: &Context, options: &StreamOptions) -> Result<WireRequest, Error> {
        let settings = match &self.explicit {
            Some(explicit) => thinking::Settings::explicit(model, explicit, options),
            None => thinking::Settings::from_level(model, options),
        };
        request::build(model, context, options, &settings)
    }

    fn decoder(&self, model: &Arc<Model>, context: &Context, options: &StreamOptions) -> AnthropicDecoder {
        AnthropicDecoder::new(model, oauth::ToolNames::new(model, context, options))
    }

    fn http_error(&self, status: u16, body: &str) -> String {
        http_error::text(status, body, ErrorShape::Body)
    }
}
