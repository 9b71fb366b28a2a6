//! A tool whose calls are answered from a cassette. It never runs.

use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;
use pi_agent_core::{Tool, ToolError, ToolExecutionMode, ToolInvocation, ToolOutput};
use pi_ai::{CoercionMode, ToolDefinition};
use serde_json::Value;

use super::turns::Turns;

#[derive(Debug)]
pub(super) struct ReplayedTool {
    /// Says what the tool is, and repairs arguments, which touches nothing.
    pub(super) inner: Arc<dyn Tool>,
    pub(super) turns: Arc<Turns>,
}

impl ReplayedTool {
    async fn answer(&self, call: ToolInvocation) -> Result<ToolOutput, ToolError> {
        let turns = &*self.turns;
        let mut recorded = turns.begin(&self.definition().name, &call.arguments)?;
        turns.reach(&recorded, recorded.began.step, &call.cancel).await?;
        turns.passed(recorded.began);
        for update in std::mem::take(&mut recorded.updates) {
            turns.reach(&recorded, update.step, &call.cancel).await?;
            call.updates.send(update.output);
            turns.done(update.step);
        }
        let Some(end) = recorded.end.take() else {
            return Err(turns.diverged(recorded.n, &recorded.name, "nobody waited for its end in the recording"));
        };
        turns.reach(&recorded, end.moment.step, &call.cancel).await?;
        turns.passed(end.moment);
        end.result.into_result()
    }
}

impl Tool for ReplayedTool {
    fn definition(&self) -> &Arc<ToolDefinition> {
        self.inner.definition()
    }

    fn label(&self) -> &str {
        self.inner.label()
    }

    fn execution_mode(&self) -> Option<ToolExecutionMode> {
        self.inner.execution_mode()
    }

    fn coercion_mode(&self) -> CoercionMode {
        self.inner.coercion_mode()
    }

    fn prepare_arguments(&self, arguments: Value) -> Result<Value, ToolError> {
        self.inner.prepare_arguments(arguments)
    }

    fn corrected_arguments(&self, arguments: &Value) -> Option<Value> {
        self.inner.corrected_arguments(arguments)
    }

    fn execute(&self, call: ToolInvocation) -> BoxFuture<'_, Result<ToolOutput, ToolError>> {
        self.answer(call).boxed()
    }
}
