//! Model layer of pi: messages, models, provider wire formats and streaming.

mod api;
pub mod auth;
pub mod catalog;
mod clock;
mod context;
mod error;
mod event;
mod json_partial;
mod message;
mod model;
mod number;
mod options;
mod partial;
mod random;
mod registry;
mod stream;
#[cfg(test)]
mod testing;
pub mod thinking;
pub mod transport;
mod usage;
mod validate;

pub use api::scripted;
pub use clock::{Clock, FixedClock, SystemClock, system_clock};
pub use context::{Context, ToolDefinition};
pub use error::Error;
pub use event::AssistantMessageEvent;
pub use json_partial::PartialJson;
pub use message::{
    AssistantMessage, ContentBlock, Extra, ImageContent, Message, OtherMessage, StopReason, TextContent,
    ThinkingContent, ToolCall, ToolResultMessage, UserContent, UserMessage,
};
pub use model::{InputKind, Model, ModelCost};
pub use options::{
    CacheRetention, DEFAULT_STALL_TIMEOUT, DEFAULT_TIMEOUT, HookError, PayloadFn, PayloadHook, ResponseFn,
    ResponseHook, ResponseInfo, StreamOptions,
};
pub use partial::{MessageBuilder, Partial};
pub use random::{Random, SeededRandom, system_random};
pub use registry::{Api, ApiRegistry};
pub use stream::AssistantMessageStream;
pub use thinking::ThinkingLevel;
pub use usage::{Cost, Usage};
pub use validate::{CoercionMode, ToolValidator, string_enum};
