//! Tools that scripts define.

use std::sync::Arc;
use std::time::Duration;

use pi_agent_core::{FnTool, ToolError, ToolExecutionMode, ToolInvocation, ToolOutput};
use pi_ai::{CoercionMode, Extra, ToolDefinition};
use pi_script::{Callback, Data};
use serde::Deserialize;
use serde_json::{Value, json};

use super::link::Link;
use super::state::Updates;
use pi_coding_agent::host::json_depth::shallow;

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
    #[serde(default)]
    render_shell: Option<String>,
    /// The schema was made by the builders of `js/typebox`.
    #[serde(default)]
    is_built: bool,
}

impl ToolDescription {
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// What the system prompt says of the tool: a line, and rules.
    pub(super) fn for_prompt(&self) -> (Option<String>, Vec<String>) {
        (self.prompt_snippet.clone(), self.prompt_guidelines.clone())
    }

    /// Whether the program draws a box around what its renderers draw.
    pub(super) fn is_boxed(&self) -> bool {
        self.render_shell.as_deref() != Some("self")
    }
}

/// When a call of a tool is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CallEnd {
    /// When everything has been said that the script said meanwhile.
    AllSaid,
    /// When it has answered: in a session that the script runs itself, what it says may have to wait for that.
    Answered,
}

/// A tool that calls functions of a script: `execute` with id, arguments, signal and the number of its updates, and
/// `prepare` with the arguments as the model wrote them.
pub(super) fn script_tool(
    description: ToolDescription,
    link: Link,
    execute: Callback,
    prepare: Option<Callback>,
    updates: Arc<Updates>,
    end: CallEnd,
) -> FnTool {
    let ToolDescription { name, label, description, parameters, execution_mode, is_built, .. } = description;
    let parameters = if parameters.is_null() { json!({"type": "object", "properties": {}}) } else { parameters };
    let run = link.clone();
    let tool = FnTool::new(ToolDefinition { name, description, parameters }, move |call| {
        run_tool(run.clone(), execute, Arc::clone(&updates), call, end)
    });
    let mut tool = tool.with_coercion_mode(coercion_mode(is_built));
    if let Some(label) = label {
        tool = tool.with_label(label);
    }
    if execution_mode == Some(ToolExecutionMode::Sequential) {
        tool = tool.sequential();
    }
    match prepare {
        Some(prepare) => tool.with_prepare_arguments(move |arguments| {
            let prepared = link.invoke_blocking(prepare, vec![arguments.into()], PREPARE_LIMIT);
            Ok(prepared.map_err(|error| tool_error(&error))?.into_json().unwrap_or_default())
        }),
        None => tool,
    }
}

async fn run_tool(
    link: Link,
    execute: Callback,
    updates: Arc<Updates>,
    call: ToolInvocation,
    end: CallEnd,
) -> Result<ToolOutput, ToolError> {
    let ToolInvocation { id, arguments, cancel, updates: receiver, .. } = call;
    let reports = updates.open(receiver);
    let args = vec![id.into(), arguments.into(), Data::Signal(cancel), json!(reports.number()).into()];
    let reply = match end {
        CallEnd::AllSaid => link.invoke(execute, args).await,
        CallEnd::Answered => link.ask(execute, args).await,
    };
    let reply = reply.map_err(|error| tool_error(&error))?;
    output(reply.into_json())
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
    let details = details.map(shallow);
    Ok(ToolOutput { content, details, terminate: terminate == Some(Value::Bool(true)), extra: Extra::from(fields) })
}
