//! Hooks between two turns: what the next one works with, and whether there is one.

use std::sync::Arc;

use futures::future::BoxFuture;
use pi_ai::{Message, Model, ThinkingLevel};
use tokio_util::sync::CancellationToken;

use crate::context::AgentContext;
use crate::error::RunFailure;
use crate::tool_set::ToolSet;

/// Says what the next turn works with.
pub type PrepareFn = dyn Fn(FinishedTurn) -> BoxFuture<'static, Result<NextTurn, RunFailure>> + Send + Sync;

/// Looks at a message that is complete, before it becomes part of the transcript, and returns it or another one.
pub type FinishFn =
    dyn Fn(Arc<Message>, CancellationToken) -> BoxFuture<'static, Result<Arc<Message>, RunFailure>> + Send + Sync;

/// Whether the run ends after a turn.
pub type StopFn = dyn Fn(FinishedTurn) -> BoxFuture<'static, Result<bool, RunFailure>> + Send + Sync;

/// A turn that is complete: the model answered, its tool calls were run.
#[derive(Debug, Clone)]
pub struct FinishedTurn {
    /// The assistant message.
    pub message: Arc<Message>,
    /// Results of its tool calls in the order of the calls.
    pub tool_results: Vec<Arc<Message>>,
    /// Whether the results wait for the model. False without calls, and when a tool ended the run.
    pub calls_continue: bool,
    /// What the run works on, with the turn.
    pub context: AgentContext,
    /// What the run has added so far, prompts included.
    pub new_messages: Vec<Arc<Message>>,
    /// Fires when the run is aborted.
    pub cancel: CancellationToken,
}

/// What the next turn of the run works with. What is `None` stays.
///
/// It holds for the rest of the run. The settings and the transcript of an agent stay as they are.
#[derive(Debug, Clone, Default)]
pub struct NextTurn {
    /// Instructions for the model.
    pub system_prompt: Option<Arc<str>>,
    /// The transcript, for example a shorter one.
    pub messages: Option<Vec<Arc<Message>>>,
    /// The tools.
    pub tools: Option<ToolSet>,
    /// The model.
    pub model: Option<Arc<Model>>,
    /// How much it should think.
    pub thinking_level: Option<ThinkingLevel>,
}

impl NextTurn {
    /// Changes nothing.
    pub fn unchanged() -> Self {
        Self::default()
    }
}
