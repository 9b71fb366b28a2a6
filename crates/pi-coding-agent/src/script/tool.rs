//! Tools that scripts define.

use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use pi_agent_core::{Tool, ToolError, ToolExecutionMode, ToolInvocation, ToolOutput};
use pi_ai::{CoercionMode, Extra, ToolDefinition};
use pi_script::{Callback, Data};
use serde::Deserialize;
use serde_json::{Value, json};

use super::link::Link;
use super::ops::Updates;

/// How long a script may take to repair arguments. The agent waits for it.
const PREPARE_LIMIT: Duration = Duration::from_secs(5);

/// What a script says of a tool.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ToolDescription {
    name: String,
    #[serde(default)]
    label: Option<String>,
    #[serde(default)]
    description: String,
    #[serde(default)]
    parameters: Value,
    #[serde(default)]
    prompt_snippet: Option<String>,
    #[serde(default)]
    prompt_guidelines: Vec<String>,
    #[serde(default)]
    execution_mode: Option<ToolExecutionMode>,
    /// The schema was made by the builders of `js/typebox`.
    #[serde(default)]
    is_built: bool,
}

impl ToolDescription {
    /// What the system prompt says of the tool: a line, and rules.
    pub(super) fn for_prompt(&self) -> (Option<String>, Vec<String>) {
        (self.prompt_snippet.clone(), self.prompt_guidelines.clone())
    }
}

/// A tool of a script.
#[derive(Debug)]
pub(super) struct ScriptTool {
    definition: Arc<ToolDefinition>,
    label: Option<String>,
    mode: Option<ToolExecutionMode>,
    coercion: CoercionMode,
    link: Link,
    execute: Callback,
    prepare: Option<Callback>,
    updates: Arc<Updates>,
}

impl ScriptTool {
    pub(super) fn new(
        description: ToolDescription,
        link: Link,
        execute: Callback,
        prepare: Option<Callback>,
        updates: Arc<Updates>,
    ) -> Self {
        let ToolDescription { name, label, description, parameters, execution_mode: mode, is_built, .. } = description;
        let coercion = coercion_mode(is_built);
        let parameters = if parameters.is_null() { json!({"type": "object", "properties": {}}) } else { parameters };
        let definition = Arc::new(ToolDefinition { name, description, parameters });
        Self { definition, label, mode, coercion, link, execute, prepare, updates }
    }

    async fn run(&self, call: ToolInvocation) -> Result<ToolOutput, ToolError> {
        let ToolInvocation { id, arguments, cancel, updates, .. } = call;
        let reports = self.updates.open(updates);
        let args = vec![id.into(), arguments.into(), Data::Signal(cancel), json!(reports.number()).into()];
        let reply = self.link.invoke(self.execute, args).await.map_err(|error| tool_error(&error))?;
        output(reply.into_json())
    }
}

impl Tool for ScriptTool {
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
        let Some(prepare) = self.prepare else { return Ok(arguments) };
        let prepared = self
            .link
            .invoke_blocking(prepare, vec![arguments.into()], PREPARE_LIMIT)
            .map_err(|error| tool_error(&error))?;
        Ok(prepared.into_json().unwrap_or_default())
    }

    fn execute(&self, call: ToolInvocation) -> BoxFuture<'_, Result<ToolOutput, ToolError>> {
        Box::pin(self.run(call))
    }
}

/// How forgiving arguments are validated: schemas that the builders made are written with generous conversions in mind.
pub(super) fn coercion_mode(is_built: bool) -> CoercionMode {
    if is_built { CoercionMode::Lenient } else { CoercionMode::Plain }
}

fn tool_error(error: &pi_script::Error) -> ToolError {
    ToolError::new(error.to_string())
}

/// What a tool of a script returned, or reported so far.
pub(super) fn output(value: Option<Value>) -> Result<ToolOutput, ToolError> {
    let Some(Value::Object(mut fields)) = value else {
        return Err(ToolError::new("The tool returned no object; it must return { content: [...], details }"));
    };
    let content = fields.shift_remove("content").unwrap_or_default();
    let content = serde_json::from_value(content)
        .map_err(|error| ToolError::new(format!("The tool's result has no usable `content`: {error}")))?;
    let (details, terminate) = (fields.shift_remove("details"), fields.shift_remove("terminate"));
    Ok(ToolOutput { content, details, terminate: terminate == Some(Value::Bool(true)), extra: Extra::from(fields) })
}
