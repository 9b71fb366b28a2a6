//! The agent loop of pi: turns, tools, state and queues on top of `pi-ai`.
//!
#![doc = include_str!("../README.md")]
//!
//! # How the pieces work together
//!
//! An [`Agent`] holds an [`AgentState`] (system prompt, model, tools, transcript) and runs one prompt at a time:
//! [`Agent::prompt`] returns when the model is done. Clones of it are handles to the same agent, so another task can
//! [`steer`](Agent::steer) the run, queue a [`follow_up`](Agent::follow_up), [`abort`](Agent::abort) it or
//! [wait for its end](Agent::wait_for_idle). The run lives in the future that `prompt` returns; there is no task in the
//! background.
//!
//! Every model call goes through the [`StreamFn`] of the [`AgentOptions`]. [`api_stream_fn`] makes one from a registry of
//! wire formats; a program with keys or limits of its own writes one. A failed call is a message with an error in the
//! transcript, never an `Err`: [`Error`] is for calls at the wrong moment.
//!
//! A [`Tool`] has a definition for the model and runs one [`ToolInvocation`] to a [`ToolOutput`] or a [`ToolError`], whose
//! text the model sees. Arguments are coerced and validated before it runs. Implement the trait, or wrap a closure in a
//! [`FnTool`]. Tools are collected in a [`ToolSet`], which compiles each schema once. Calls of one message run
//! concurrently unless the agent or one of the tools says [`ToolExecutionMode::Sequential`].
//!
//! Listeners see every [`AgentEvent`] in order. [`Agent::subscribe`] takes asynchronous ones, for which the run waits, so
//! a slow consumer slows the run down and loses nothing; [`Agent::on_event`] takes a closure.
//!
//! # Layout
//!
//! | Module | What is in it |
//! |---|---|
//! | `tool`, `fn_tool`, `tool_set` | what a tool is, a tool from a closure, tools by name with compiled schemas |
//! | `event`, `state` | what happens, and what an agent knows |
//! | `config`, `hooks`, `prompt`, `queue` | what an agent is made of and what a run starts with |
//! | `agent`, `running` | the handle, and a run from its begin to its end |
//! | `proxy` | model calls through a server that keeps the keys: [`proxy_stream_fn`], [`ProxyServer`] |
//! | `run` | the loop: `run/turn.rs` one model call, `run/tools.rs` its tool calls |
//! | `error` | misuse, and why a run broke off |
//!
//! The crate has no features.

mod agent;
mod config;
mod error;
mod event;
mod fn_tool;
mod hooks;
mod prompt;
mod proxy;
mod queue;
mod run;
mod running;
mod state;
mod tool;
mod tool_set;

pub use agent::{Agent, Subscription};
pub use config::{AgentOptions, Listener};
pub use error::{Error, RunFailure};
pub use event::AgentEvent;
pub use fn_tool::FnTool;
pub use hooks::{ConvertFn, Hooks, StreamFn, api_stream_fn};
pub use prompt::Prompt;
pub use proxy::{
    ProxyBody, ProxyCallOptions, ProxyOptions, ProxyRequest, ProxyServer, RequestedModel, ResolveFn, bearer_token,
    encode_events, error_response, proxy_stream_fn,
};
pub use queue::QueueMode;
pub use state::{AgentState, StreamingMessage};
pub use tool::{Tool, ToolError, ToolExecutionMode, ToolInvocation, ToolOutput, ToolUpdates};
pub use tool_set::ToolSet;
