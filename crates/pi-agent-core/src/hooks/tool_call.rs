//! Hooks around a tool call: may it run, and what becomes of its result.

use std::sync::Arc;

use futures::future::BoxFuture;
use pi_ai::{ContentBlock, Extra, Message, ToolCall};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::context::AgentContext;
use crate::error::RunFailure;
use crate::tool::ToolOutput;
use crate::tool_arguments::ToolArguments;

/// Decides about a call. `Err` blocks it, with the text as its result.
pub type BeforeToolCallFn =
    dyn Fn(BeforeToolCall) -> BoxFuture<'static, Result<ToolCallVerdict, RunFailure>> + Send + Sync;

/// Looks at a result. `Err` replaces it by an error with that text.
pub type AfterToolCallFn =
    dyn Fn(AfterToolCall) -> BoxFuture<'static, Result<ToolResultPatch, RunFailure>> + Send + Sync;

/// A call that is about to run.
#[derive(Debug, Clone)]
pub struct BeforeToolCall {
    /// The assistant message that holds the call.
    pub message: Arc<Message>,
    /// The call as the model made it.
    pub call: Arc<ToolCall>,
    /// The call that made this one; `None` for calls of the model.
    pub parent_tool_call_id: Option<String>,
    /// The arguments after preparation, coercion and validation.
    pub arguments: Arc<Value>,
    /// What the run works on, up to and including the assistant message.
    pub context: Arc<AgentContext>,
    /// Fires when the run is aborted.
    pub cancel: CancellationToken,
}

/// Whether a call runs.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum ToolCallVerdict {
    /// As it is.
    #[default]
    Allow,
    /// With these arguments, which are not validated again.
    AllowWith(Value),
    /// Not at all. The model sees the reason; without one, `Tool execution was blocked`.
    Block(Option<String>),
}

impl ToolCallVerdict {
    /// Blocks the call for a reason that the model sees.
    pub fn block(reason: impl Into<String>) -> Self {
        Self::Block(Some(reason.into()))
    }
}

/// A call that has run.
#[derive(Debug, Clone)]
pub struct AfterToolCall {
    /// The assistant message that holds the call.
    pub message: Arc<Message>,
    /// The call as the model made it.
    pub call: Arc<ToolCall>,
    /// The call that made this one; `None` for calls of the model.
    pub parent_tool_call_id: Option<String>,
    /// The arguments that the tool was given.
    pub arguments: ToolArguments,
    /// What the tool returned, or its error as text.
    pub output: Arc<ToolOutput>,
    /// Whether it failed.
    pub is_error: bool,
    /// What the run works on, up to and including the assistant message.
    pub context: Arc<AgentContext>,
    /// Fires when the run is aborted.
    pub cancel: CancellationToken,
}

/// Parts of a result to replace. What is `None` stays as the tool returned it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ToolResultPatch {
    /// What the model sees.
    pub content: Option<Vec<ContentBlock>>,
    /// What programs see.
    pub details: Option<Value>,
    /// Whether the call asks the loop to stop.
    pub terminate: Option<bool>,
    /// Whether the call counts as failed.
    pub is_error: Option<bool>,
}

impl ToolResultPatch {
    /// Changes nothing.
    pub fn keep() -> Self {
        Self::default()
    }

    /// Replaces what the model sees by one text.
    pub fn text(text: impl Into<String>) -> Self {
        Self { content: Some(vec![ContentBlock::text(text)]), ..Self::default() }
    }

    /// The result with the replacements, and whether it counts as failed. What else the tool said of its own result says
    /// nothing of another one.
    pub(crate) fn apply(self, output: Arc<ToolOutput>, is_error: bool) -> (Arc<ToolOutput>, bool) {
        let failed = self.is_error.unwrap_or(is_error);
        if self.content.is_none() && self.details.is_none() && self.terminate.is_none() {
            return (output, failed);
        }
        let mut output = Arc::unwrap_or_clone(output);
        output.content = self.content.unwrap_or(output.content);
        output.details = self.details.or(output.details);
        output.terminate = self.terminate.unwrap_or(output.terminate);
        output.extra = Extra::new();
        (Arc::new(output), failed)
    }
}
