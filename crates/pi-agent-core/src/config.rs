//! What an agent is made of.

use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use pi_ai::{Clock, StreamOptions};
use tokio_util::sync::CancellationToken;
use typed_builder::TypedBuilder;

use crate::error::RunFailure;
use crate::event::AgentEvent;
use crate::hooks::{Hooks, StreamFn};
use crate::loop_config::{DEFAULT_ABORT_GRACE, default_clock};
use crate::queue::QueueMode;
use crate::state::AgentState;
use crate::tool::ToolExecutionMode;

/// Called for every event, in subscription order; the run waits for it. `Err` breaks the run off.
pub type Listener = dyn Fn(AgentEvent, CancellationToken) -> BoxFuture<'static, Result<(), RunFailure>> + Send + Sync;

/// What an agent is made of.
#[derive(TypedBuilder)]
pub struct AgentOptions {
    /// Starts model calls.
    pub stream: Arc<StreamFn>,
    /// System prompt, model, thinking level, tools and transcript to start with.
    #[builder(default)]
    pub initial_state: AgentState,
    /// Changes to what the loop does.
    #[builder(default)]
    pub hooks: Hooks,
    /// Whether the calls of one message run concurrently.
    #[builder(default)]
    pub tool_execution: ToolExecutionMode,
    /// How much of the steering queue a turn takes.
    #[builder(default)]
    pub steering_mode: QueueMode,
    /// How much of the follow-up queue a stop takes.
    #[builder(default)]
    pub follow_up_mode: QueueMode,
    /// Options of every model call; cancellation and thinking level are filled in per call.
    #[builder(default)]
    pub stream_options: StreamOptions,
    /// How long tools may go on after an abort before they are dropped; `None` waits for ever.
    #[builder(default = DEFAULT_ABORT_GRACE)]
    pub abort_grace: Option<Duration>,
    /// Source of message timestamps.
    #[builder(default = default_clock())]
    pub clock: Arc<dyn Clock>,
}

impl std::fmt::Debug for AgentOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AgentOptions").field("initial_state", &self.initial_state).finish_non_exhaustive()
    }
}
