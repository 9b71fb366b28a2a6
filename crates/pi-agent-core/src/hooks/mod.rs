//! Where a program changes what the loop does: closures, all optional.
//!
//! `model_call` is about what the model is asked, `tool_call` about its tool calls, `turn` about what follows a turn.
//! When they are called, and what their failures mean, is decided in `run/`.

mod model_call;
mod tool_call;
mod turn;

use std::fmt;
use std::sync::Arc;

use futures::FutureExt;
use pi_ai::Message;
use tokio_util::sync::CancellationToken;

use crate::error::RunFailure;
use crate::tool_set::ToolSet;

pub use model_call::{ApiKeyFn, ConvertFn, StreamFn, ToolsFn, TransformFn, api_stream_fn};
pub use tool_call::{
    AfterToolCall, AfterToolCallFn, BeforeToolCall, BeforeToolCallFn, ToolCallVerdict, ToolResultPatch,
};
pub use turn::{FinishFn, FinishedTurn, NextTurn, PrepareFn, StopFn};

/// What a program changes about a run. All hooks are optional; a run uses those that were set when it started.
///
/// | Hook | Called | When it fails or panics |
/// |---|---|---|
/// | `transform_context` | before each model call, for that call only | the run breaks off |
/// | `convert_to_llm` | after it | the run breaks off |
/// | `update_tools` | after it | the run breaks off |
/// | `get_api_key` | before each model call | the run breaks off |
/// | `before_tool_call` | when the arguments of a call are validated | the call is not run; the model sees the error |
/// | `after_tool_call` | when a tool has run, not for calls that were refused | the result becomes the error |
/// | `finish_message` | with each message, before it becomes part of the transcript | the run breaks off |
/// | `prepare_next_turn` | after each turn whose message did not fail | the run breaks off |
/// | `should_stop_after_turn` | after it | the run breaks off |
///
/// A run that breaks off ends in an assistant message with the failure as its error, so nothing that happened is lost.
/// When the run is aborted, a pending hook is dropped at its next await; `after_tool_call` and `prepare_next_turn` have as
/// long as a tool has ([`crate::AgentLoopConfig::abort_grace`]).
///
/// Request and response of the provider can be watched, and the request changed, with `on_payload` and `on_response` of
/// [`pi_ai::StreamOptions`], which are part of [`crate::AgentOptions::stream_options`].
///
/// ```
/// use pi_agent_core::{Hooks, ToolCallVerdict};
///
/// let hooks = Hooks::default()
///     .with_before_tool_call(|call| async move {
///         let harmless = call.call.name != "bash";
///         Ok(if harmless { ToolCallVerdict::Allow } else { ToolCallVerdict::block("No shell today.") })
///     })
///     .with_should_stop_after_turn(|turn| async move { Ok(turn.new_messages.len() > 100) });
/// ```
#[derive(Clone, Default)]
pub struct Hooks {
    /// Changes the transcript for one model call.
    pub transform_context: Option<Arc<TransformFn>>,
    /// Converts the transcript before each model call. Absent: keeps user, assistant and tool-result messages.
    pub convert_to_llm: Option<Arc<ConvertFn>>,
    /// Replaces the tools for the rest of the run: some may have come while the transcript was transformed.
    pub update_tools: Option<Arc<ToolsFn>>,
    /// Finds the key of a provider. Absent, or without an answer: [`pi_ai::StreamOptions::api_key`].
    pub get_api_key: Option<Arc<ApiKeyFn>>,
    /// Lets a call run, with other arguments if need be, or blocks it.
    pub before_tool_call: Option<Arc<BeforeToolCallFn>>,
    /// Replaces parts of a tool's result.
    pub after_tool_call: Option<Arc<AfterToolCallFn>>,
    /// Replaces messages before they become part of the transcript. A replacement should have the same role.
    pub finish_message: Option<Arc<FinishFn>>,
    /// Replaces what the next turn works with.
    pub prepare_next_turn: Option<Arc<PrepareFn>>,
    /// Whether the run ends here. Queued messages stay queued.
    pub should_stop_after_turn: Option<Arc<StopFn>>,
}

impl Hooks {
    /// Sets [`Hooks::transform_context`].
    #[must_use]
    pub fn with_transform_context<F>(
        mut self,
        hook: impl Fn(Vec<Arc<Message>>, CancellationToken) -> F + Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output = Result<Vec<Arc<Message>>, RunFailure>> + Send + 'static,
    {
        self.transform_context = Some(Arc::new(move |messages, cancel| hook(messages, cancel).boxed()));
        self
    }

    /// Sets [`Hooks::convert_to_llm`].
    #[must_use]
    pub fn with_convert_to_llm(
        mut self,
        hook: impl Fn(&[Arc<Message>]) -> Result<Vec<Arc<Message>>, RunFailure> + Send + Sync + 'static,
    ) -> Self {
        self.convert_to_llm = Some(Arc::new(hook));
        self
    }

    /// Sets [`Hooks::update_tools`].
    #[must_use]
    pub fn with_update_tools(mut self, hook: impl Fn(&ToolSet) -> Option<ToolSet> + Send + Sync + 'static) -> Self {
        self.update_tools = Some(Arc::new(hook));
        self
    }

    /// Sets [`Hooks::get_api_key`].
    #[must_use]
    pub fn with_get_api_key<F>(mut self, hook: impl Fn(String) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Result<Option<String>, RunFailure>> + Send + 'static,
    {
        self.get_api_key = Some(Arc::new(move |provider| hook(provider).boxed()));
        self
    }

    /// Sets [`Hooks::before_tool_call`].
    #[must_use]
    pub fn with_before_tool_call<F>(mut self, hook: impl Fn(BeforeToolCall) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Result<ToolCallVerdict, RunFailure>> + Send + 'static,
    {
        self.before_tool_call = Some(Arc::new(move |call| hook(call).boxed()));
        self
    }

    /// Sets [`Hooks::after_tool_call`].
    #[must_use]
    pub fn with_after_tool_call<F>(mut self, hook: impl Fn(AfterToolCall) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Result<ToolResultPatch, RunFailure>> + Send + 'static,
    {
        self.after_tool_call = Some(Arc::new(move |call| hook(call).boxed()));
        self
    }

    /// Sets [`Hooks::finish_message`].
    #[must_use]
    pub fn with_finish_message<F>(
        mut self,
        hook: impl Fn(Arc<Message>, CancellationToken) -> F + Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output = Result<Arc<Message>, RunFailure>> + Send + 'static,
    {
        self.finish_message = Some(Arc::new(move |message, cancel| hook(message, cancel).boxed()));
        self
    }

    /// Sets [`Hooks::prepare_next_turn`].
    #[must_use]
    pub fn with_prepare_next_turn<F>(mut self, hook: impl Fn(FinishedTurn) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Result<NextTurn, RunFailure>> + Send + 'static,
    {
        self.prepare_next_turn = Some(Arc::new(move |turn| hook(turn).boxed()));
        self
    }

    /// Sets [`Hooks::should_stop_after_turn`].
    #[must_use]
    pub fn with_should_stop_after_turn<F>(mut self, hook: impl Fn(FinishedTurn) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Result<bool, RunFailure>> + Send + 'static,
    {
        self.should_stop_after_turn = Some(Arc::new(move |turn| hook(turn).boxed()));
        self
    }
}

impl fmt::Debug for Hooks {
    /// Which hooks are set.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hooks")
            .field("transform_context", &self.transform_context.is_some())
            .field("convert_to_llm", &self.convert_to_llm.is_some())
            .field("update_tools", &self.update_tools.is_some())
            .field("get_api_key", &self.get_api_key.is_some())
            .field("before_tool_call", &self.before_tool_call.is_some())
            .field("after_tool_call", &self.after_tool_call.is_some())
            .field("finish_message", &self.finish_message.is_some())
            .field("prepare_next_turn", &self.prepare_next_turn.is_some())
            .field("should_stop_after_turn", &self.should_stop_after_turn.is_some())
            .finish()
    }
}
