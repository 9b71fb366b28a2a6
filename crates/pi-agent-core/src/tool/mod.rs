//! Tools as the loop sees them: a trait, what it says of its effects (`annotations`), what a call is given (`invocation`), what
//! it returns (`output`), and the calls that it can make itself (`nested_calls`) and keep in its result (`nested_record`).
//!
//! Nothing here touches a file or a process; implementations live in higher layers or in the user's program.

mod annotations;
mod invocation;
mod nested_calls;
mod nested_record;
mod output;

use std::fmt::Debug;
use std::sync::Arc;

use futures::future::BoxFuture;
use pi_ai::{CoercionMode, ToolDefinition};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::compiled_schema::CompiledSchema;

pub use annotations::ToolAnnotations;
pub use invocation::{ToolInvocation, ToolUpdates};
pub(crate) use nested_calls::CallTools;
pub use nested_calls::{NestedCalls, NestedOutcome};
pub use nested_record::NestedCallRecord;
pub use output::{ToolError, ToolOutput};

/// Something that the model can call.
#[doc(alias = "AgentTool")]
pub trait Tool: Debug + Send + Sync {
    /// Name, description and argument schema, as the model sees them.
    fn definition(&self) -> &Arc<ToolDefinition>;

    /// Name for people; the tool's name unless overridden.
    fn label(&self) -> &str {
        &self.definition().name
    }

    /// How the model gets to know the tool.
    fn exposure(&self) -> ToolExposure {
        ToolExposure::Direct
    }

    /// What it says of its effects.
    fn annotations(&self) -> ToolAnnotations {
        ToolAnnotations::default()
    }

    /// Whether calls of it make calls of other tools ([`NestedCalls`]). It must touch nothing else: a replay runs it, and
    /// answers the calls that it makes.
    fn makes_calls(&self) -> bool {
        false
    }

    /// Set to `Sequential` when the tool must not run beside others: then a whole batch runs one by one.
    fn execution_mode(&self) -> Option<ToolExecutionMode> {
        None
    }

    /// How forgiving the validation of arguments is.
    fn coercion_mode(&self) -> CoercionMode {
        CoercionMode::Plain
    }

    /// Where the compiled argument schema is kept, by tools of which there are many with the same definition and coercion
    /// mode. By default every [`ToolSet`](crate::ToolSet) compiles its own.
    fn compiled_schema(&self) -> Option<&CompiledSchema> {
        None
    }

    /// Repairs arguments before they are validated, for example an older shape of them. Events and the transcript keep
    /// what the model wrote.
    ///
    /// # Errors
    /// The call does not run, and the text goes to the model as its result.
    fn prepare_arguments(&self, arguments: Value) -> Result<Value, ToolError> {
        Ok(arguments)
    }

    /// Arguments as the transcript shall remember them, where the model sent them in a shape that is wrong but was
    /// understood: shown its own mistake, it repeats it. `None` keeps them. Listeners have seen the original by then.
    fn corrected_arguments(&self, _arguments: &Value) -> Option<Value> {
        None
    }

    /// Runs one call. The future must end soon after `call.cancel` fires; it may be dropped at any await, and is when it
    /// takes longer than the run's grace after an abort ([`crate::AgentLoopConfig::abort_grace`]).
    ///
    /// # Errors
    /// The text goes to the model as the result of a failed call.
    fn execute(&self, call: ToolInvocation) -> BoxFuture<'_, Result<ToolOutput, ToolError>>;
}

/// Whether the calls of one message run one after the other or at the same time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ToolExecutionMode {
    /// In source order.
    Sequential,
    /// Concurrently; results are reported in source order.
    #[default]
    Parallel,
}

/// How a model gets to know a tool.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ToolExposure {
    /// Every request declares it.
    #[default]
    Direct,
    /// No request declares it: it is there for the calls that other tools make ([`NestedCalls`]). A model that names it
    /// all the same can call it.
    Nested,
}
