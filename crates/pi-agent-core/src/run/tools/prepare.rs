//! The checks before a tool runs: look-up, preparation and validation of arguments, the hook, the abort.

use std::sync::Arc;

use serde_json::Value;

use super::{Run, Settled, Shared};
use crate::guard::{shielded, shielded_now, unless_cancelled};
use crate::hooks::{BeforeToolCall, BeforeToolCallFn, ToolCallVerdict};
use crate::tool::{Tool, ToolError};

/// The result of a blocked call for which no reason was given.
const BLOCKED: &str = "Tool execution was blocked";

/// A call that passed its checks.
pub(super) struct Prepared {
    pub(super) tool: Arc<dyn Tool>,
    pub(super) arguments: Value,
}

impl Run<'_> {
    /// Checks a call. `Err` is its result when it must not run; such results bypass `after_tool_call`.
    pub(super) async fn prepare(&self, batch: &Shared, index: usize) -> Result<Prepared, Settled> {
        let call = &batch.calls[index];
        let checked =
            shielded_now(&format!("Tool {}", call.name), || self.context.tools.check(&call.name, &call.arguments));
        let (tool, arguments) =
            checked.map_err(|panic| Settled::error(&panic.to_string()))?.map_err(|error| Settled::error(&error))?;
        let arguments = match &self.config.hooks.before_tool_call {
            Some(hook) => self.ask(hook.as_ref(), batch, index, arguments).await?,
            None => arguments,
        };
        if self.config.cancel.is_cancelled() {
            return Err(Settled::aborted());
        }
        Ok(Prepared { tool, arguments })
    }

    /// Lets the hook decide. When it fails, the call does not run.
    async fn ask(
        &self,
        hook: &BeforeToolCallFn,
        batch: &Shared,
        index: usize,
        arguments: Value,
    ) -> Result<Value, Settled> {
        let Some(context) = batch.context.clone() else { return Ok(arguments) };
        let (message, call) = (Arc::clone(&batch.message), Arc::clone(&batch.calls[index]));
        let arguments = Arc::new(arguments);
        let cancel = self.config.cancel.clone();
        let question = BeforeToolCall { message, call, arguments: Arc::clone(&arguments), context, cancel };
        let answer = shielded("The hook before_tool_call", || hook(question));
        match unless_cancelled(&self.config.cancel, answer).await {
            None => Err(Settled::aborted()),
            Some(Err(failure)) => Err(Settled::error(&failure.to_string())),
            // A hook that keeps them costs a copy.
            Some(Ok(ToolCallVerdict::Allow)) => Ok(Arc::unwrap_or_clone(arguments)),
            Some(Ok(ToolCallVerdict::AllowWith(arguments))) => Ok(arguments),
            // An abort while the hook was deciding is what counts.
            Some(Ok(ToolCallVerdict::Block(_))) if self.config.cancel.is_cancelled() => Err(Settled::aborted()),
            Some(Ok(ToolCallVerdict::Block(reason))) => {
                let reason = reason.filter(|reason| !reason.is_empty());
                Err(Settled::error(reason.as_deref().unwrap_or(BLOCKED)))
            }
        }
    }
}

impl Settled {
    pub(super) fn aborted() -> Self {
        Self::error(&ToolError::aborted().to_string())
    }
}
