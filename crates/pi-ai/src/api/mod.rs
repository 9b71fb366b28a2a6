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
mod call;
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

/// The built-in wire formats: the folder, the type that implements [`Api`], and what else of it is public.
macro_rules! formats {
    ($($(#[$when:meta])* $folder:ident: $api:ident $(, $more:ident)*;)*) => {
        /// The public types of the built-in wire formats.
        pub(crate) mod formats {
            $($(#[$when])* pub use super::$folder::{$api $(, $more)*};)*
        }

        fn builtin() -> Vec<Arc<dyn Api>> {
            vec![$($(#[$when])* Arc::new($folder::$api::default())),*]
        }
    };
}

formats! {
    anthropic_messages: AnthropicMessages, AnthropicOptions;
    azure_openai_responses: AzureOpenAiResponses, AzureOpenAiResponsesOptions;
    #[cfg(feature = "bedrock")]
    bedrock_converse_stream: BedrockConverseStream, BedrockOptions;
    google_generative_ai: GoogleGenerativeAi, GoogleOptions;
    google_vertex: GoogleVertex, GoogleVertexOptions;
    mistral_conversations: MistralConversations, MistralOptions;
    openai_codex_responses: OpenAiCodexResponses, OpenAiCodexResponsesOptions;
    openai_completions: OpenAiCompletions, OpenAiCompletionsOptions;
    openai_responses: OpenAiResponses, OpenAiResponsesOptions;
}

pub use google::GoogleThinking;
#[cfg(feature = "codex-ws")]
pub use openai_codex_responses::CodexSessionStats;

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
