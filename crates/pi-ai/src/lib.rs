//! The model layer of pi: messages, models, prices, provider wire formats and streaming.
//!
#![doc = include_str!("../README.md")]
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "no run of a test is replayed by its clock and ids"))]
//!
//! # How the pieces work together
//!
//! A call takes a [`Model`] (what is asked, where, at which price; [`get_model`] finds the built-in ones), a [`Context`]
//! (system prompt, transcript, tool definitions) and [`StreamOptions`] (key, limits, thinking, hooks, cancellation). An
//! [`ApiRegistry`] finds the [`Api`], the wire format, that the model names in `api`. Formats of your own are registered
//! beside the built-in ones.
//!
//! The call returns an [`AssistantMessageStream`] of [`AssistantMessageEvent`]s: text, thinking and tool calls as they
//! arrive, and at the end exactly one event with the whole [`AssistantMessage`]. A failure of any kind is such an end: a
//! message whose `stop_reason` is `error` or `aborted`, with everything that arrived before. `Err` is for misuse only, so
//! whoever collects messages has a complete transcript. The [`Error`] behind a failure is on the event, and
//! [`is_retryable_text`] and [`is_context_overflow`] tell what can be done about a message.
//!
//! The stream does its work while it is polled. Dropping it closes the connection; firing [`StreamOptions::cancel`] ends
//! it with an `aborted` message. Each event carries a [`Partial`], a handle to the message so far that costs nothing until
//! it is asked.
//!
//! A [`Message`] is an open enum: roles and blocks that this version does not know are kept as they are. A transcript may
//! come from another model or provider; what the new one cannot take is converted when the request is built.
//!
//! # Layout
//!
//! | Module | What is in it |
//! |---|---|
//! | `message`, `name`, `context`, `usage`, `cost` | conversations and what they cost |
//! | `model`, `catalog`, `provider`, [`thinking`] | models, the built-in list, names of providers, thinking levels and budgets |
//! | `options`, `registry`, `stream`, `event`, `partial`, `builder`, `answer_limit` | making a call and following it |
//! | `error`, `classify`, `overflow` | what can go wrong, and what can be done about it |
//! | `handoff`, `validate`, `json_partial` | foreign transcripts, tool arguments, JSON that is still arriving |
//! | `api` | one folder per wire format, the driver that they share, [`proxy`], calls through a server that keeps the keys, and [`scripted`], a provider for tests |
//! | [`transport`] | HTTP, server-sent events, retries, the stall watchdog, [cassettes](transport::cassette) |
//! | [`auth`] | keys in the environment, credentials of Amazon and Google Cloud, logins with a subscription |
//! | `secrets` | what a credential is, and how it is taken out of a text |
//! | `clock`, `random` | time and chance, both injected |

mod answer_limit;
mod api;
pub mod auth;
mod builder;
mod catalog;
mod classify;
mod clock;
mod context;
mod cost;
mod error;
mod event;
mod handoff;
mod hash;
mod json_partial;
mod json_view;
mod message;
mod model;
mod name;
mod number;
mod options;
mod overflow;
mod partial;
mod provider;
mod random;
mod registry;
#[cfg(feature = "schemars")]
mod schema;
mod secrets;
mod stream;
#[cfg(test)]
mod testing;
mod text;
pub mod thinking;
pub mod transport;
mod unknown_fields;
mod usage;
#[cfg(feature = "validate")]
mod validate;

pub use answer_limit::AnswerLimit;
#[cfg(feature = "codex-ws")]
pub use api::CodexSessionStats;
pub use api::formats::*;
pub use api::{GoogleThinking, proxy, scripted};
pub use builder::MessageBuilder;
pub use catalog::{get_model, get_models, get_providers};
pub use classify::{is_exhausted_text, is_retryable_text};
pub use clock::{Clock, FixedClock, SystemClock, system_clock};
pub use context::{Context, ToolDefinition, string_enum};
pub use cost::calculate_cost;
pub use error::{AnswerError, CredentialError, Error, LoginError, NetworkError, RequestError, ValidationError};
pub use event::AssistantMessageEvent;
pub use json_partial::{PartialJson, SurrogateJoiner, parse_streaming_json, repair_json};
pub use message::{
    AssistantMessage, ContentBlock, ImageContent, Message, OtherMessage, StopReason, TextContent, ThinkingContent,
    ToolCall, ToolResultMessage, UserContent, UserMessage,
};
pub use model::{InputKind, Model, ModelCost, models_are_equal};
pub use name::Name;
pub use options::{
    CacheRetention, DEFAULT_STALL_TIMEOUT, DEFAULT_TIMEOUT, DEFAULT_WEBSOCKET_CONNECT_TIMEOUT, HeadersFn, HeadersHook,
    HookError, PayloadFn, PayloadHook, ResponseFn, ResponseHook, ResponseInfo, StreamOptions, Transport,
};
pub use overflow::{is_context_overflow, is_overflow_text, overflow_patterns};
pub use partial::Partial;
pub use provider::{is_same_provider, newer_provider_name, provider_behind};
pub use random::{Random, SeededRandom, system_random};
pub use registry::{Api, ApiRegistry};
/// The derive macro behind `ToolDefinition::from_type`, in the version that it understands.
#[cfg(feature = "schemars")]
pub use schemars;
pub use secrets::{Secrets, is_secret_name, remember_secret, without_known_secrets};
pub use stream::AssistantMessageStream;
pub use thinking::ThinkingLevel;
pub use unknown_fields::Extra;
pub use usage::{Cost, Usage};
#[cfg(feature = "validate")]
pub use validate::{CoercionMode, ToolValidator};
