//! Settings of one run.

use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use pi_ai::{Clock, Message, Model, StreamOptions, ThinkingLevel};
use tokio_util::sync::CancellationToken;
use typed_builder::TypedBuilder;

use crate::error::RunFailure;
use crate::hooks::{Hooks, StreamFn};
use crate::tool::ToolExecutionMode;

/// Gives messages that wait for a run; empty when there are none. What it returns counts as taken. `Err` breaks the
/// run off.
pub type MessageSource = dyn Fn() -> BoxFuture<'static, Result<Vec<Arc<Message>>, RunFailure>> + Send + Sync;

/// How long a tool may go on after an abort, unless [`AgentLoopConfig::abort_grace`] says otherwise. Where there is no
/// clock to measure it, on WebAssembly, it is not limited.
pub const DEFAULT_ABORT_GRACE: Option<Duration> =
    if cfg!(target_family = "wasm") { None } else { Some(Duration::from_secs(5)) };

/// Settings of one run of [`crate::agent_loop`] and its siblings.
#[derive(Clone, TypedBuilder)]
pub struct AgentLoopConfig {
    /// The model that answers.
    pub model: Arc<Model>,
    /// Starts model calls.
    pub stream: Arc<StreamFn>,
    /// How much the model should think.
    #[builder(default = ThinkingLevel::Off)]
    pub thinking_level: ThinkingLevel,
    /// Whether the calls of one message run concurrently.
    #[builder(default)]
    pub tool_execution: ToolExecutionMode,
    /// Options of every model call; cancellation and thinking level are filled in per call.
    #[builder(default)]
    pub stream_options: StreamOptions,
    /// Changes to what the loop does.
    #[builder(default)]
    pub hooks: Hooks,
    /// Messages for the next turn: asked for before the first model call and after every turn, but not after an abort.
    #[builder(default, setter(strip_option))]
    pub steering: Option<Arc<MessageSource>>,
    /// Messages that keep the run going: asked for when it would stop.
    #[builder(default, setter(strip_option))]
    pub follow_ups: Option<Arc<MessageSource>>,
    /// Cancelling it aborts the run, which then ends in an aborted message.
    #[builder(default)]
    pub cancel: CancellationToken,
    /// How long tools may go on after an abort before they are dropped; `None` waits for ever.
    #[builder(default = DEFAULT_ABORT_GRACE)]
    pub abort_grace: Option<Duration>,
    /// Source of message timestamps.
    #[builder(default = default_clock())]
    pub clock: Arc<dyn Clock>,
}

/// The clock of options that name none.
#[expect(clippy::disallowed_methods, reason = "the default of options; who wants a replay names a clock")]
pub(crate) fn default_clock() -> Arc<dyn Clock> {
    pi_ai::system_clock()
}

impl std::fmt::Debug for AgentLoopConfig {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AgentLoopConfig")
            .field("model", &self.model.id)
            .field("thinking_level", &self.thinking_level)
            .field("tool_execution", &self.tool_execution)
            .field("hooks", &self.hooks)
            .finish_non_exhaustive()
    }
}
