//! The tool `prompt`: has pi do a task, in a session that is kept and can be gone on with.

use std::sync::Arc;

use pi_coding_agent::host::plain;
use rmcp::model::{CallToolResult, ContentBlock, JsonObject, Tool, ToolAnnotations};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::Progress;
use super::session_run::{Outcome, SessionProgram};
use super::tools::failure;

pub(super) const NAME: &str = "prompt";
const DESCRIPTION: &str = "Have pi, a coding agent with tools of its own, do a task in the working directory, and return its \
                           last answer. The session is kept: pass the sessionId of the result to go on with it.";

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct PromptArguments {
    /// The task.
    pub(super) message: String,
    /// Another model than pi would choose.
    pub(super) model: Option<String>,
    /// How hard it thinks.
    pub(super) thinking: Option<String>,
    /// A session to go on with.
    pub(super) session_id: Option<String>,
}

/// What the client is told of it.
pub(super) fn definition() -> Tool {
    let text = |description: &str| json!({"type": "string", "description": description});
    let schema = object(json!({
        "type": "object",
        "properties": {
            "message": text("The task, in words"),
            "model": text("A model, as provider/id or a part of its name; absent: the one that pi is set to"),
            "thinking": text("How hard the model thinks: off, minimal, low, medium, high, xhigh"),
            "sessionId": text("The session to go on with; absent: a new one"),
        },
        "required": ["message"],
        "additionalProperties": false,
    }));
    let answer = object(json!({
        "type": "object",
        "properties": {"sessionId": text("For the next call"), "answer": text("The last answer"), "error": text("What went wrong")},
    }));
    Tool::new(NAME, DESCRIPTION, schema)
        .with_raw_output_schema(Arc::new(answer))
        .with_annotations(ToolAnnotations::new().read_only(false).destructive(true).open_world(true))
}

fn object(value: Value) -> JsonObject {
    match value {
        Value::Object(object) => object,
        _ => JsonObject::new(),
    }
}

/// Does the task.
pub(super) async fn call(
    sessions: &SessionProgram,
    arguments: JsonObject,
    progress: &Progress,
    cancel: &CancellationToken,
) -> CallToolResult {
    let arguments: PromptArguments = match serde_json::from_value(Value::Object(arguments)) {
        Ok(arguments) => arguments,
        Err(error) => return failure(format!("Arguments of prompt: {error}")),
    };
    if arguments.message.trim().is_empty() {
        return failure("Arguments of prompt: message is empty");
    }
    match sessions.run(&arguments, progress, cancel).await {
        Ok(outcome) => result(&outcome),
        Err(error) => failure(plain(&error)),
    }
}

fn result(outcome: &Outcome) -> CallToolResult {
    let text = match (&outcome.error, &outcome.answer) {
        (Some(error), _) => error.clone(),
        (None, Some(answer)) => answer.clone(),
        (None, None) => "pi gave no answer".to_owned(),
    };
    let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
    result.is_error = Some(outcome.error.is_some() || outcome.answer.is_none());
    result.structured_content =
        Some(json!({"sessionId": outcome.session, "answer": outcome.answer, "error": outcome.error}));
    result
}
