//! The agent loop of pi: turns, tools, state and queues on top of `pi-ai`.
//!
#![doc = include_str!("../README.md")]
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "no run of a test is replayed by its clock and ids"))]
//!
//! # How the pieces work together
//!
//! An [`Agent`] holds an [`AgentState`] (system prompt, model, tools, transcript) and runs one prompt at a time:
//! [`Agent::prompt`] returns when the model is done. Clones of it are handles to the same agent, so another task can
//! [`steer`](Agent::steer) the run, queue a [`follow_up`](Agent::follow_up), [`abort`](Agent::abort) it or
//! [wait for its end](Agent::wait_for_idle). The run lives in the future that `prompt` returns; there is no task in the
//! background.
//!
//! [`agent_loop`] and its siblings are one run without an agent: a context goes in, events and new messages come out.
//!
//! Every model call goes through a [`StreamFn`]. [`api_stream_fn`] makes one from a registry of wire formats; a program
//! with keys or limits of its own writes one. A failed call is a message with an error in the transcript, never an `Err`:
//! [`Error`] is for calls at the wrong moment.
//!
//! A [`Tool`] has a definition for the model and runs one [`ToolInvocation`] to a [`ToolOutput`] or a [`ToolError`], whose
//! text the model sees. Arguments are coerced and validated before it runs. Implement the trait, or wrap a closure in a
//! [`FnTool`]. Tools are collected in a [`ToolSet`], which compiles each schema once. Calls of one message run
//! concurrently unless the agent or one of the tools says [`ToolExecutionMode::Sequential`].
//!
//! [`Hooks`] change what the loop does: what the model sees, which calls run and what becomes of their results, what the
//! next turn works with, when the run ends. A hook that fails or panics never costs the transcript.
//!
//! Listeners see every [`AgentEvent`] in order. [`Agent::subscribe`] takes asynchronous ones, for which the run waits, so
//! a slow consumer slows the run down and loses nothing; [`Agent::on_event`] takes a closure.
//!
//! # Layout
//!
//! | Module | What is in it |
//! |---|---|
//! | `tool`, `fn_tool`, `tool_set`, `compiled_schema` | what a tool is, a tool from a closure, tools by name with compiled schemas |
//! | `tool_arguments` | arguments of a call, shared with its message |
//! | `event`, `state`, `context` | what happens, what an agent knows, what a run works on |
//! | `hooks` | where programs change the loop: `model_call`, `tool_call`, `turn` |
//! | `config`, `loop_config`, `prompt`, `queue` | what an agent and a run are made of |
//! | `agent` | the handle: `settings`, `queues`, `listeners`, and `running`, a run from its begin to its end |
//! | `entry` | a run without an agent, as a stream or into a sink |
//! | `run` | the loop: `turn`, `answer` (a model call), `tools`, `after_turn`, `failure` |
//! | `guard` | panics and aborts at the seams to other people's code |
//! | `proxy` | model calls through a server that keeps the keys: [`proxy_stream_fn`]; the rest of it is [`pi_ai::proxy`] |
//! | `error` | misuse, and why a run broke off |

/// The page for people who write a loop of their own, so that its examples are tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/agent-loop.md")]
mod page {}

mod agent;
mod compiled_schema;
mod config;
mod context;
mod entry;
mod error;
mod event;
mod fn_tool;
mod guard;
mod hooks;
mod loop_config;
mod prompt;
mod proxy;
mod queue;
mod run;
mod state;
mod tool;
mod tool_arguments;
mod tool_set;

pub use agent::{Agent, AgentQueue, AgentToolSettings, QueueHold, Subscription};
pub use compiled_schema::CompiledSchema;
pub use config::{AgentOptions, Listener};
pub use context::AgentContext;
pub use entry::{AgentEventStream, agent_loop, agent_loop_continue, run_agent_loop, run_agent_loop_continue};
pub use error::{Error, RunFailure};
pub use event::AgentEvent;
pub use fn_tool::FnTool;
pub use hooks::{
    AfterToolCall, AfterToolCallFn, ApiKeyFn, BeforeToolCall, BeforeToolCallFn, ConvertFn, FinishFn, FinishedTurn,
    Hooks, NextTurn, PrepareFn, StopFn, StreamFn, ToolCallVerdict, ToolResultPatch, ToolsFn, TransformFn,
    api_stream_fn,
};
pub use loop_config::{AgentLoopConfig, DEFAULT_ABORT_GRACE, MessageSource};
/// Both halves of a proxy, so that a program with an agent needs one crate for them.
pub use pi_ai::proxy::{
    ProxyBody, ProxyCallOptions, ProxyError, ProxyOptions, ProxyRequest, ProxyServer, RequestedModel, ResolveFn,
    bearer_token, encode_events, error_response,
};
pub use prompt::Prompt;
pub use proxy::proxy_stream_fn;
pub use queue::{QueueMode, QueuedMessages};
pub use state::{AgentState, StreamingMessage};
pub use tool::{
    NestedCallRecord, NestedCalls, NestedOutcome, Tool, ToolAnnotations, ToolError, ToolExecutionMode, ToolExposure,
    ToolInvocation, ToolOutput, ToolUpdates,
};
pub use tool_arguments::ToolArguments;
pub use tool_set::ToolSet;
