//! A tool on a cassette: what it is and which arguments it takes says the tool itself, what its calls do says the tape.

use std::fmt::Debug;
use std::sync::Arc;

use futures::future::BoxFuture;
use pi_agent_core::{Tool, ToolError, ToolExecutionMode, ToolExposure, ToolInvocation, ToolOutput};
use pi_ai::{CoercionMode, ToolDefinition};
use serde_json::Value;

/// What calls go through.
pub(super) trait Tape: Debug + Send + Sync + 'static {
    fn call<'a>(&'a self, tool: &'a dyn Tool, call: ToolInvocation) -> BoxFuture<'a, Result<ToolOutput, ToolError>>;
}

#[derive(Debug)]
pub(super) struct RecordedTool<T> {
    /// Repairs arguments, too, which touches nothing.
    pub(super) inner: Arc<dyn Tool>,
    pub(super) tape: T,
}

impl<T: Tape> Tool for RecordedTool<T> {
    fn definition(&self) -> &Arc<ToolDefinition> {
        self.inner.definition()
    }

    fn label(&self) -> &str {
        self.inner.label()
    }

    fn exposure(&self) -> ToolExposure {
        self.inner.exposure()
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
        self.tape.call(&*self.inner, call)
    }
}
