//! Wire formats, one folder each: `request.rs` builds JSON, `decode.rs` is a plain state machine, `compat.rs` holds
//! the quirks. The driver turns any of them into a stream. Nothing is shared by copy.

use std::sync::Arc;

use crate::registry::Api;

mod anthropic_messages;
mod cache_control;
mod chat_chunks;
mod content;
mod copilot;
pub(crate) mod driver;
mod endpoint;
mod headers;
mod http_error;
mod mistral_conversations;
mod openai_completions;
mod quirks;
pub mod scripted;
pub(crate) mod wire;

pub use anthropic_messages::{AnthropicMessages, AnthropicOptions};
pub use mistral_conversations::{MistralConversations, MistralOptions};
pub use openai_completions::{OpenAiCompletions, OpenAiCompletionsOptions};

/// The built-in wire formats.
pub(crate) fn builtin() -> Vec<Arc<dyn Api>> {
    vec![Arc::new(AnthropicMessages), Arc::new(OpenAiCompletions), Arc::new(MistralConversations)]
}
