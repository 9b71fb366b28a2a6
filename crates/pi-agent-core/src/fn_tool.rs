//! A tool made of a definition and a closure, for programs whose tools need no type of their own.

use std::fmt::{Debug, Formatter};
use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;
use pi_ai::ToolDefinition;

use crate::tool::{Tool, ToolError, ToolExecutionMode, ToolInvocation, ToolOutput};

type RunFn = dyn Fn(ToolInvocation) -> BoxFuture<'static, Result<ToolOutput, ToolError>> + Send + Sync;

/// A tool that runs a closure. Arguments are validated against the definition's schema before it is called.
pub struct FnTool {
    definition: Arc<ToolDefinition>,
    mode: Option<ToolExecutionMode>,
    run: Box<RunFn>,
}

impl FnTool {
    /// A tool that answers each call with the future that `run` returns; see [`Tool::execute`] for its duties.
    pub fn new<F>(definition: ToolDefinition, run: impl Fn(ToolInvocation) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Result<ToolOutput, ToolError>> + Send + 'static,
    {
        Self { definition: Arc::new(definition), mode: None, run: Box::new(move |call| run(call).boxed()) }
    }

    /// The same, never run beside other calls.
    #[must_use]
    pub fn sequential(mut self) -> Self {
        self.mode = Some(ToolExecutionMode::Sequential);
        self
    }
}

impl Tool for FnTool {
    fn definition(&self) -> &Arc<ToolDefinition> {
        &self.definition
    }

    fn execution_mode(&self) -> Option<ToolExecutionMode> {
        self.mode
    }

    fn execute(&self, call: ToolInvocation) -> BoxFuture<'_, Result<ToolOutput, ToolError>> {
        (self.run)(call)
    }
}

impl Debug for FnTool {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FnTool").field("definition", &self.definition).field("mode", &self.mode).finish_non_exhaustive()
    }
}
