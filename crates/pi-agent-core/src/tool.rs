//! Tools as the loop sees them: a trait, what a call is given, what it returns.
//!
//! Nothing here touches a file or a process; implementations live in higher layers or in the user's program.

use std::fmt::{Debug, Formatter};
use std::sync::Arc;

use futures::future::BoxFuture;
use pi_ai::{CoercionMode, ContentBlock, Extra, Model, ToolDefinition};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::compiled_schema::CompiledSchema;

/// Something that the model can call.
#[doc(alias = "AgentTool")]
pub trait Tool: Debug + Send + Sync {
    /// Name, description and argument schema, as the model sees them.
    fn definition(&self) -> &Arc<ToolDefinition>;

    /// Name for people; the tool's name unless overridden.
    fn label(&self) -> &str {
        &self.definition().name
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

/// One call, validated.
#[derive(Debug, Clone)]
pub struct ToolInvocation {
    /// The provider's id of the call.
    pub id: String,
    /// Arguments after preparation, coercion and validation.
    pub arguments: Value,
    /// Fires when the run is aborted.
    pub cancel: CancellationToken,
    /// Where to report progress.
    pub updates: ToolUpdates,
    /// The model that made the call.
    pub model: Arc<Model>,
}

/// Reports progress of a running call. Reports after the call has settled are dropped.
#[doc(alias = "AgentToolUpdateCallback")]
#[derive(Clone)]
pub struct ToolUpdates(Option<Arc<dyn Fn(ToolOutput) + Send + Sync>>);

impl ToolUpdates {
    /// A reporter that hands every report to `receive`, which must not block.
    pub fn new(receive: impl Fn(ToolOutput) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(receive)))
    }

    /// A reporter and the queue that it fills.
    pub fn channel() -> (Self, mpsc::UnboundedReceiver<ToolOutput>) {
        let (sender, receiver) = mpsc::unbounded_channel();
        let updates = Self::new(move |output| {
            // A closed queue means that nobody waits for the call any more.
            let _ = sender.send(output);
        });
        (updates, receiver)
    }

    /// A reporter that nobody listens to.
    pub fn ignored() -> Self {
        Self(None)
    }

    /// Reports the result so far: cumulative, not a delta. Throttle calls; each one becomes an event.
    pub fn send(&self, output: ToolOutput) {
        if let Some(receive) = &self.0 {
            receive(output);
        }
    }
}

impl Debug for ToolUpdates {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("ToolUpdates").field(&self.0.is_some()).finish()
    }
}

/// What a call returned.
#[doc(alias = "AgentToolResult")]
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolOutput {
    /// What the model sees: text and images.
    pub content: Vec<ContentBlock>,
    /// What programs see: structured data of the tool's own shape.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<Value>,
    /// Asks the loop to stop after this batch; it does when every result of the batch asks.
    #[serde(default, skip_serializing_if = "is_false")]
    pub terminate: bool,
    /// What else the tool said. Listeners of the call's events see it; it is no part of the transcript.
    #[serde(flatten)]
    pub extra: Extra,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature serde calls")]
fn is_false(value: &bool) -> bool {
    !*value
}

impl ToolOutput {
    /// A result of one text block.
    pub fn text(text: impl Into<String>) -> Self {
        Self { content: vec![ContentBlock::text(text)], ..Self::default() }
    }

    /// Adds structured data.
    #[must_use]
    pub fn with_details(mut self, details: Value) -> Self {
        self.details = Some(details);
        self
    }
}

/// Why a call failed, in words for the model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ToolError {
    message: String,
}

impl ToolError {
    /// An error with this text.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into() }
    }

    /// What a tool answers when it was aborted.
    pub fn aborted() -> Self {
        Self::new("Operation aborted")
    }
}

impl From<&str> for ToolError {
    fn from(message: &str) -> Self {
        Self::new(message)
    }
}

impl From<String> for ToolError {
    fn from(message: String) -> Self {
        Self::new(message)
    }
}
