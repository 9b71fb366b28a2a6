//! Wire formats, one folder each: `request.rs` builds JSON, `decode.rs` is a plain state machine, `compat.rs` holds
//! the quirks. The driver turns any of them into a stream. Nothing is shared by copy.

use std::sync::Arc;

use crate::registry::Api;

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
pub(crate) fn builtin() -> Vec<Arc<dyn Api>> {
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

/// Wire formats that a build can leave out: their name, the feature that brings them, and whether it is on.
const OPTIONAL: [(&str, &str, bool); 1] = [("bedrock-converse-stream", "bedrock", cfg!(feature = "bedrock"))];

/// What to say about a format that this build leaves out.
pub(crate) fn left_out(api: &str) -> String {
    let missing = OPTIONAL.iter().find(|(name, _, is_on)| *name == api && !is_on);
    missing.map_or_else(String::new, |(_, feature, _)| format!(" (this build leaves out the feature \"{feature}\")"))
}
