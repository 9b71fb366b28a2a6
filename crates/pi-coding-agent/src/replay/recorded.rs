//! A tool whose calls are written down.

use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;
use pi_agent_core::{Tool, ToolError, ToolExecutionMode, ToolInvocation, ToolOutput};
use pi_ai::{CoercionMode, ToolDefinition};
use serde_json::Value;

use super::track::{Take, Track};

#[derive(Debug)]
pub(super) struct RecordedTool {
    pub(super) inner: Arc<dyn Tool>,
    pub(super) track: Arc<Track>,
}

impl RecordedTool {
    async fn run(&self, call: ToolInvocation) -> Result<ToolOutput, ToolError> {
        let take = Take::begin(&self.track, &self.inner.definition().name, &call.arguments);
        let updates = take.updates(call.updates);
        let result = self.inner.execute(ToolInvocation { updates, ..call }).await;
        take.end(&result);
        result
    }
}

impl Tool for RecordedTool {
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
        self.run(call).boxed()
    }
}
