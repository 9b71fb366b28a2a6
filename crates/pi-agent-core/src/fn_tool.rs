//! A tool made of a definition and a closure, for programs whose tools need no type of their own.

use std::fmt::{Debug, Formatter};
use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;
use pi_ai::{CoercionMode, ToolDefinition};
use serde_json::Value;

use crate::tool::{Tool, ToolError, ToolExecutionMode, ToolInvocation, ToolOutput};

type RunFn = dyn Fn(ToolInvocation) -> BoxFuture<'static, Result<ToolOutput, ToolError>> + Send + Sync;
type PrepareArgumentsFn = dyn Fn(Value) -> Result<Value, ToolError> + Send + Sync;

/// A tool that runs a closure. Arguments are validated against the definition's schema before it is called.
pub struct FnTool {
    definition: Arc<ToolDefinition>,
    label: Option<String>,
    mode: Option<ToolExecutionMode>,
    coercion: CoercionMode,
    prepare: Option<Box<PrepareArgumentsFn>>,
    run: Box<RunFn>,
}

impl FnTool {
    /// A tool that answers each call with the future that `run` returns; see [`Tool::execute`] for its duties.
    pub fn new<F>(definition: ToolDefinition, run: impl Fn(ToolInvocation) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Result<ToolOutput, ToolError>> + Send + 'static,
    {
        let run = Box::new(move |call| run(call).boxed());
        let definition = Arc::new(definition);
        Self { definition, label: None, mode: None, coercion: CoercionMode::Plain, prepare: None, run }
    }

    /// The same, never run beside other calls.
    #[must_use]
    pub fn sequential(mut self) -> Self {
        self.mode = Some(ToolExecutionMode::Sequential);
        self
    }

    /// The same with a name for people.
    #[must_use]
    pub fn with_label(mut self, label: impl Into<String>) -> Self {
        self.label = Some(label.into());
        self
    }

    /// The same with validation that is this forgiving. The default is [`CoercionMode::Plain`].
    #[must_use]
    pub fn with_coercion_mode(mut self, mode: CoercionMode) -> Self {
        self.coercion = mode;
        self
    }

    /// The same with arguments repaired before validation; see [`Tool::prepare_arguments`].
    #[must_use]
    pub fn with_prepare_arguments(
        mut self,
        prepare: impl Fn(Value) -> Result<Value, ToolError> + Send + Sync + 'static,
    ) -> Self {
        self.prepare = Some(Box::new(prepare));
        self
    }
}

#[cfg(feature = "schemars")]
impl FnTool {
    /// A tool whose arguments are a Rust type: the schema comes from it, and `run` gets a value of it.
    ///
    /// Doc comments of fields become descriptions for the model; [`ToolDefinition::from_type`] says what else counts.
    ///
    /// ```
    /// use pi_agent_core::{FnTool, ToolOutput};
    /// use pi_ai::schemars::{self, JsonSchema};
    /// use serde::Deserialize;
    ///
    /// #[derive(Deserialize, JsonSchema)]
    /// struct Add {
    ///     /// The first number.
    ///     a: f64,
    ///     /// The second number.
    ///     b: f64,
    /// }
    ///
    /// let tool = FnTool::typed("add", "Adds two numbers.", |add: Add, _call| async move {
    ///     Ok(ToolOutput::text((add.a + add.b).to_string()))
    /// })?;
    /// # Ok::<(), pi_ai::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`pi_ai::ValidationError::InvalidSchema`] when the type is not written as a JSON object, or contains itself.
    pub fn typed<A, F>(
        name: impl Into<String>,
        description: impl Into<String>,
        run: impl Fn(A, ToolInvocation) -> F + Send + Sync + 'static,
    ) -> Result<Self, pi_ai::Error>
    where
        A: serde::de::DeserializeOwned + pi_ai::schemars::JsonSchema,
        F: Future<Output = Result<ToolOutput, ToolError>> + Send + 'static,
    {
        let definition = ToolDefinition::from_type::<A>(name, description)?;
        let name = definition.name.clone();
        Ok(Self::new(definition, move |call| {
            // What a schema cannot express, for example a custom `Deserialize`, is still to be checked.
            let answer = serde_json::from_value(call.arguments.clone())
                .map(|arguments| run(arguments, call))
                .map_err(|error| ToolError::new(format!("Invalid arguments for tool \"{name}\": {error}")));
            async move { answer?.await }
        }))
    }
}

impl Tool for FnTool {
    fn definition(&self) -> &Arc<ToolDefinition> {
        &self.definition
    }

    fn label(&self) -> &str {
        self.label.as_deref().unwrap_or(&self.definition.name)
    }

    fn execution_mode(&self) -> Option<ToolExecutionMode> {
        self.mode
    }

    fn coercion_mode(&self) -> CoercionMode {
        self.coercion
    }

    fn prepare_arguments(&self, arguments: Value) -> Result<Value, ToolError> {
        match &self.prepare {
            Some(prepare) => prepare(arguments),
            None => Ok(arguments),
        }
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
