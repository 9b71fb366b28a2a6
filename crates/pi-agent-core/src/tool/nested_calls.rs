//! Calls that a running tool makes of other tools. How they are run stands in `run/tools/nested.rs`.

use std::fmt::{Debug, Formatter};
use std::sync::Arc;

use futures::future::BoxFuture;
use pi_ai::ToolDefinition;
use serde_json::Value;

use super::output::ToolOutput;

/// Runs nested calls.
pub(crate) trait CallTools: Send + Sync {
    /// Of all tools that can be called.
    fn definitions(&self) -> Vec<Arc<ToolDefinition>>;

    /// Runs a call.
    fn call(self: Arc<Self>, name: &str, arguments: Value) -> BoxFuture<'static, NestedOutcome>;
}

/// Makes calls of other tools for a running one. They go the way of the model's calls: validation, hooks, events, limits
/// after an abort. Their events name the running call as their parent; their ids are its id with a number behind. The
/// transcript does not get their results: what the model shall know of them, the running tool returns.
///
/// Nested calls cannot make calls. When the running call is settled, those that still run are cancelled and reported as
/// aborted.
#[derive(Clone, Default)]
pub struct NestedCalls(Option<Arc<dyn CallTools>>);

/// How a nested call ended.
#[derive(Debug, Clone)]
pub struct NestedOutcome {
    /// Id of the call, as its events have it.
    pub tool_call_id: String,
    /// Its result, or its error as text.
    pub output: Arc<ToolOutput>,
    /// Whether it failed, or was refused.
    pub is_error: bool,
}

impl NestedCalls {
    /// For a call that can make none.
    pub fn none() -> Self {
        Self(None)
    }

    pub(crate) fn new(calls: Arc<dyn CallTools>) -> Self {
        Self(Some(calls))
    }

    /// Whether calls can be made.
    pub fn are_possible(&self) -> bool {
        self.0.is_some()
    }

    /// Name, description and argument schema of all tools that can be called, in their order.
    pub fn definitions(&self) -> Vec<Arc<ToolDefinition>> {
        self.0.as_ref().map(|calls| calls.definitions()).unwrap_or_default()
    }

    /// Calls a tool and waits for its result. Calls at the same time run side by side, unless their tools are sequential.
    pub async fn call(&self, name: &str, arguments: Value) -> NestedOutcome {
        match &self.0 {
            Some(calls) => Arc::clone(calls).call(name, arguments).await,
            None => {
                let output = Arc::new(ToolOutput::text("No tools can be called here"));
                NestedOutcome { tool_call_id: String::new(), output, is_error: true }
            }
        }
    }
}

impl Debug for NestedCalls {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("NestedCalls").field(&self.0.is_some()).finish()
    }
}
