//! One call on its way to its result, whoever made it: the model, or another call (`nested`).

use std::sync::Arc;
use std::time::Duration;

use pi_ai::{Message, Model, ToolCall};
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use super::super::Run;
use crate::context::AgentContext;
use crate::hooks::{AfterToolCallFn, BeforeToolCallFn};
use crate::tool::{ToolError, ToolOutput};
use crate::tool_set::ToolSet;

/// What all calls of an answer have in common, and those that they make.
pub(super) struct Scope {
    /// The assistant message.
    pub(super) message: Arc<Message>,
    /// What hooks are shown; absent where there are none.
    pub(super) context: Option<Arc<AgentContext>>,
    pub(super) tools: ToolSet,
    pub(super) before: Option<Arc<BeforeToolCallFn>>,
    pub(super) after: Option<Arc<AfterToolCallFn>>,
    pub(super) model: Arc<Model>,
    /// How long a tool may go on after an abort.
    pub(super) grace: Option<Duration>,
}

/// A call.
pub(super) struct Call {
    pub(super) scope: Arc<Scope>,
    pub(super) call: Arc<ToolCall>,
    /// Id of the call that made it.
    pub(super) parent: Option<String>,
    pub(super) cancel: CancellationToken,
}

/// A settled call.
pub(super) struct Settled {
    pub(super) output: Arc<ToolOutput>,
    pub(super) is_error: bool,
}

impl Scope {
    pub(super) fn new(run: &Run<'_>, message: &Arc<Message>) -> Self {
        let hooks = &run.config.hooks;
        let has_hooks = hooks.before_tool_call.is_some() || hooks.after_tool_call.is_some();
        Self {
            message: Arc::clone(message),
            context: has_hooks.then(|| Arc::new(run.context.clone())),
            tools: run.context.tools.clone(),
            before: hooks.before_tool_call.clone(),
            after: hooks.after_tool_call.clone(),
            model: Arc::clone(&run.config.model),
            grace: run.config.abort_grace,
        }
    }
}

impl Settled {
    pub(super) fn error(message: &str) -> Self {
        Self::failed(&ToolError::new(message))
    }

    /// What the model and programs are told of an error.
    pub(super) fn failed(error: &ToolError) -> Self {
        let details = error.details().cloned().unwrap_or_else(|| Value::Object(Map::new()));
        let output = ToolOutput::text(error.to_string()).with_details(details);
        Self { output: Arc::new(output), is_error: true }
    }

    pub(super) fn aborted() -> Self {
        Self::error(&ToolError::aborted().to_string())
    }
}
