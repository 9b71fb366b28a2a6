//! Model layer of pi: messages, models, provider wire formats and streaming.

mod api;
pub mod auth;
pub mod catalog;
mod classify;
mod clock;
mod context;
mod cost;
mod error;
mod event;
mod handoff;
mod hash;
mod json_partial;
mod message;
mod model;
mod number;
mod options;
mod overflow;
mod partial;
mod random;
mod registry;
mod stream;
#[cfg(test)]
mod testing;
mod text;
pub mod thinking;
pub mod transport;
mod usage;
mod validate;

pub use api::scripted;
pub use api::{AnthropicMessages, AnthropicOptions, OpenAiCompletions, OpenAiCompletionsOptions};
pub use classify::{is_exhausted_text, is_retryable_text};
pub use clock::{Clock, FixedClock, SystemClock, system_clock};
pub use context::{Context, ToolDefinition};
pub use cost::calculate_cost;
pub use error::Error;
pub use event::AssistantMessageEvent;
pub use json_partial::{PartialJson, parse_streaming_json, repair_json};
pub use message::{
    AssistantMessage, ContentBlock, Extra, ImageContent, Message, OtherMessage, StopReason, TextContent,
    ThinkingContent, ToolCall, ToolResultMessage, UserContent, UserMessage,
};
pub use model::{InputKind, Model, ModelCost};
pub use options::{
    CacheRetention, DEFAULT_STALL_TIMEOUT, DEFAULT_TIMEOUT, HookError, PayloadFn, PayloadHook, ResponseFn,
    ResponseHook, ResponseInfo, StreamOptions,
};
pub use overflow::{is_context_overflow, is_overflow_text, overflow_patterns};
pub use partial::{MessageBuilder, Partial};
pub use random::{Random, SeededRandom, system_random};
pub use registry::{Api, ApiRegistry};
pub use stream::AssistantMessageStream;
pub use thinking::ThinkingLevel;
pub use usage::{Cost, Usage};
pub use validate::{CoercionMode, ToolValidator, string_enum};
