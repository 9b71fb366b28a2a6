//! Wire formats, one folder each: `request.rs` builds JSON, `decode.rs` is a plain state machine, `compat.rs` holds
//! the quirks. The driver turns any of them into a stream. Nothing is shared by copy.

use std::sync::Arc;

use crate::registry::{Api, ApiRegistry};

mod affinity;
mod anthropic_messages;
mod azure_openai_responses;
#[cfg(feature = "bedrock")]
mod bedrock_converse_stream;
mod cache_control;
mod chat_chunks;
mod content;
pub(crate) mod copilot;
pub(crate) mod driver;
mod effort;
mod endpoint;
mod google;
mod google_generative_ai;
mod google_vertex;
mod headers;
mod http_error;
mod mistral_conversations;
mod openai;
pub(crate) mod openai_codex_responses;
mod openai_completions;
mod openai_responses;
mod payload;
pub mod proxy;
mod quirks;
mod responses;
pub mod scripted;
pub(crate) mod wire;

pub use anthropic_messages::{AnthropicMessages, AnthropicOptions};
pub use azure_openai_responses::{AzureOpenAiResponses, AzureOpenAiResponsesOptions};
#[cfg(feature = "bedrock")]
pub use bedrock_converse_stream::{BedrockConverseStream, BedrockOptions};
pub use google::GoogleThinking;
pub use google_generative_ai::{GoogleGenerativeAi, GoogleOptions};
pub use google_vertex::{GoogleVertex, GoogleVertexOptions};
pub use mistral_conversations::{MistralConversations, MistralOptions};
#[cfg(feature = "codex-ws")]
pub use openai_codex_responses::CodexSessionStats;
pub use openai_codex_responses::{OpenAiCodexResponses, OpenAiCodexResponsesOptions};
pub use openai_completions::{OpenAiCompletions, OpenAiCompletionsOptions};
pub use openai_responses::{OpenAiResponses, OpenAiResponsesOptions};

/// The built-in wire formats.
fn builtin() -> Vec<Arc<dyn Api>> {
    vec![
        Arc::new(AnthropicMessages),
        Arc::new(AzureOpenAiResponses),
        #[cfg(feature = "bedrock")]
        Arc::new(BedrockConverseStream::default()),
        Arc::new(GoogleGenerativeAi),
        Arc::new(GoogleVertex),
        Arc::new(MistralConversations),
        Arc::new(OpenAiCodexResponses::new()),
        Arc::new(OpenAiCompletions),
        Arc::new(OpenAiResponses),
    ]
}

impl ApiRegistry {
    /// A registry with the built-in wire formats.
    pub fn builtin() -> Self {
        let registry = Self::empty();
        for api in builtin() {
            registry.register(api);
        }
        registry
    }
}
