//! `pi` whose model can hand a task to another `pi`: a process of its own with a conversation of its own, of which only the
//! answer comes back.
//!
//! `cargo run -p pi --example subagent -- --mode rpc`
//!
//! Several calls in one answer run at the same time. What the other one does is reported while it works; when the run is
//! aborted, or the program ends, it ends too. A sub-agent has no sub-agents.
#![allow(clippy::disallowed_methods, reason = "a program makes clock, ids and environment")]

mod child;
mod progress;

use std::process::ExitCode;
use std::sync::Arc;

use pi::cli;
use pi_agent_core::{FnTool, ToolError, ToolInvocation, ToolOutput};
use pi_ai::ToolDefinition;
use pi_coding_agent::extension::{Extension, ExtensionApi, ToolRegistration, extension_fn};
use serde::Deserialize;
use serde_json::json;

use crate::child::Task;

/// Set in sub-agents.
const MARK: &str = "PI_SUBAGENT";

fn main() -> ExitCode {
    ExitCode::from(cli::run_with(std::env::args().skip(1), vec![subagent()]))
}

fn subagent() -> Arc<dyn Extension> {
    extension_fn("subagent", |pi: ExtensionApi| async move {
        if std::env::var_os(MARK).is_some() {
            return Ok(());
        }
        let api = pi.clone();
        pi.register_tool(
            ToolRegistration::new(FnTool::new(definition(), move |call| delegate(api.clone(), call)))
                .prompt_snippet("Hand a task to another agent that starts from nothing and reports back")
                .prompt_guideline(
                    "Use subagent for work whose details you do not need, such as searching a big code base",
                ),
        );
        Ok(())
    })
}

/// What the model says.
#[derive(Debug, Deserialize)]
struct Arguments {
    task: String,
    #[serde(default)]
    tools: Vec<String>,
}

fn definition() -> ToolDefinition {
    ToolDefinition {
        name: "subagent".to_owned(),
        description: "Hands a task to another agent, which works in the same directory, knows nothing of this \
            conversation, and can ask nobody. Returns its last answer. Say in the task all that it has to know and what \
            it shall report."
            .to_owned(),
        parameters: json!({
            "type": "object",
            "properties": {
                "task": {"type": "string", "description": "What is to be done"},
                "tools": {
                    "type": "array",
                    "items": {"type": "string"},
                    "description": "Names of the tools that it gets, such as read, grep, find, ls; by default the usual ones",
                },
            },
            "required": ["task"],
        }),
    }
}

async fn delegate(pi: ExtensionApi, call: ToolInvocation) -> Result<ToolOutput, ToolError> {
    let arguments = Arguments::deserialize(&call.arguments).map_err(|error| ToolError::new(error.to_string()))?;
    if arguments.task.trim().is_empty() {
        return Err("The task is empty. Say what the sub-agent shall do.".into());
    }
    let cwd = pi.context().cwd().map_err(|error| ToolError::new(error.to_string()))?;
    let model = format!("{}/{}", call.model.provider, call.model.id);
    Task { text: arguments.task, tools: arguments.tools, model, cwd }.run(&call).await
}
