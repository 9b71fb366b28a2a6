//! Tools of pi as tools of MCP: how they are declared, called and answer.

use std::sync::Arc;

use pi_agent_core::{NestedCalls, Tool, ToolError, ToolInvocation, ToolOutput, ToolSet, ToolUpdates};
use pi_ai::{ContentBlock, InputKind, Model};
use rmcp::model::{CallToolResult, ContentBlock as Block, JsonObject, Tool as McpTool, ToolAnnotations};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::Progress;

/// Tools that change nothing.
const ONLY_READ: [&str; 4] = ["read", "grep", "find", "ls"];
/// Bytes of the last line of output that go into a step.
const MOST_STEP: usize = 200;

/// The tool as the client sees it.
pub(super) fn declared(tool: &Arc<dyn Tool>) -> McpTool {
    let definition = tool.definition();
    let schema = match &definition.parameters {
        Value::Object(schema) => schema.clone(),
        _ => JsonObject::new(),
    };
    let only_reads = ONLY_READ.contains(&definition.name.as_str());
    let annotations = ToolAnnotations::new().read_only(only_reads).open_world(definition.name == "bash");
    let annotations = if only_reads { annotations } else { annotations.destructive(true) };
    McpTool::new(definition.name.clone(), definition.description.clone(), schema).with_annotations(annotations)
}

/// Runs a call. What goes wrong is a result, for the model that made it.
pub(super) async fn call(
    tools: &ToolSet,
    tool: &Arc<dyn Tool>,
    arguments: JsonObject,
    progress: &Progress,
    cancel: CancellationToken,
) -> CallToolResult {
    let checked = tools.check(&tool.definition().name, &Value::Object(arguments));
    let (tool, arguments) = match checked {
        Ok(checked) => checked,
        Err(problem) => return failure(problem),
    };
    let progress = progress.clone();
    let updates = ToolUpdates::new(move |output| progress.step(last_line(&output)));
    let invocation = ToolInvocation {
        id: "mcp".to_owned(),
        arguments,
        cancel,
        updates,
        model: Arc::new(sees_images()),
        calls: NestedCalls::none(),
    };
    result(tool.execute(invocation).await)
}

/// A result that says why the call failed.
pub(super) fn failure(text: impl Into<String>) -> CallToolResult {
    CallToolResult::error(vec![Block::text(text)])
}

fn result(output: Result<ToolOutput, ToolError>) -> CallToolResult {
    match output {
        Ok(output) => CallToolResult::success(output.content.iter().filter_map(block).collect()),
        Err(error) => failure(error.to_string()),
    }
}

fn block(block: &ContentBlock) -> Option<Block> {
    match block {
        ContentBlock::Image(image) => Some(Block::image(image.data.as_str(), image.mime_type.as_str())),
        other => other.as_text().map(Block::text),
    }
}

/// The client's model is not known: what it cannot see is for the client to leave out.
fn sees_images() -> Model {
    Model { input: vec![InputKind::Text, InputKind::Image], ..Model::default() }
}

fn last_line(output: &ToolOutput) -> String {
    let text = output.content.iter().rev().find_map(ContentBlock::as_text).unwrap_or_default();
    let line = text.trim_end().rsplit('\n').next().unwrap_or_default();
    line[..line.floor_char_boundary(MOST_STEP)].to_owned()
}
