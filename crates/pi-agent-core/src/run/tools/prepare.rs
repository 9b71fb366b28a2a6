//! The checks before a tool runs: look-up, preparation and validation of arguments, the hook, the abort.

use std::sync::Arc;

use serde_json::Value;

use super::call::{Call, Settled};
use crate::guard::{shielded, shielded_now, unless_cancelled};
use crate::hooks::{BeforeToolCall, BeforeToolCallFn, ToolCallVerdict};
use crate::tool::Tool;

/// The result of a blocked call for which no reason was given.
const BLOCKED: &str = "Tool execution was blocked";

/// A call that passed its checks.
pub(super) struct Prepared {
    pub(super) tool: Arc<dyn Tool>,
    pub(super) arguments: Value,
}

impl Call {
    /// Checks the call. `Err` is its result when it must not run; such results bypass `after_tool_call`.
    pub(super) async fn prepare(&self) -> Result<Prepared, Settled> {
        let (call, tools) = (&self.call, &self.scope.tools);
        let checked = shielded_now(&format!("Tool {}", call.name), || tools.check(&call.name, &call.arguments));
        let (tool, arguments) =
            checked.map_err(|panic| Settled::error(&panic.to_string()))?.map_err(|error| Settled::error(&error))?;
        let arguments = match &self.scope.before {
            Some(hook) => self.ask(hook.as_ref(), arguments).await?,
            None => arguments,
        };
        if self.cancel.is_cancelled() {
            return Err(Settled::aborted());
        }
        Ok(Prepared { tool, arguments })
    }

    /// Lets the hook decide. When it fails, the call does not run.
    async fn ask(&self, hook: &BeforeToolCallFn, arguments: Value) -> Result<Value, Settled> {
        let Some(context) = self.scope.context.clone() else { return Ok(arguments) };
        let arguments = Arc::new(arguments);
        let question = BeforeToolCall {
            message: Arc::clone(&self.scope.message),
            call: Arc::clone(&self.call),
            parent_tool_call_id: self.parent.clone(),
            arguments: Arc::clone(&arguments),
            context,
            cancel: self.cancel.clone(),
        };
        let answer = shielded("The hook before_tool_call", || hook(question));
        match unless_cancelled(&self.cancel, answer).await {
            None => Err(Settled::aborted()),
            Some(Err(failure)) => Err(Settled::error(&failure.to_string())),
            // A hook that keeps them costs a copy.
            Some(Ok(ToolCallVerdict::Allow)) => Ok(Arc::unwrap_or_clone(arguments)),
            Some(Ok(ToolCallVerdict::AllowWith(arguments))) => Ok(arguments),
            // An abort while the hook was deciding is what counts.
            Some(Ok(ToolCallVerdict::Block(_))) if self.cancel.is_cancelled() => Err(Settled::aborted()),
            Some(Ok(ToolCallVerdict::Block(reason))) => {
                let reason = reason.filter(|reason| !reason.is_empty());
                Err(Settled::error(reason.as_deref().unwrap_or(BLOCKED)))
            }
        }
    }
}
