//! What a user sees of a call before it may run: the question, the arguments, and what would change.

use agent_client_protocol_schema::v1::{Content, Diff, ToolCallContent, ToolCallUpdate};
use serde_json::Value;

use super::present_files::Present;
use super::tool_calls::CallView;
use super::updates::Updates;
use crate::extension::PermissionRequest;

fn view(request: &PermissionRequest) -> CallView<'_> {
    CallView { id: &request.tool_call_id, tool: &request.tool_name, arguments: &request.input }
}

/// The call of a question.
pub(super) async fn call(updates: &Updates, request: &PermissionRequest) -> ToolCallUpdate {
    let call = view(request);
    let content = changes(updates, &call).await;
    let mut asked = updates.with_calls(|calls| calls.asked(&call, &request.title));
    asked.fields.content = (!content.is_empty()).then_some(content);
    asked
}

/// The question is settled.
pub(super) async fn settled(updates: &Updates, request: &PermissionRequest) {
    let titled = updates.with_calls(|calls| calls.answered(&view(request)));
    if let Some(titled) = titled {
        updates.send(titled).await;
    }
}

/// What the call would do, as far as its arguments say.
async fn changes(updates: &Updates, call: &CallView<'_>) -> Vec<ToolCallContent> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let file = updates.with_calls(|calls| calls.file(call));
    match (call.tool, file) {
        ("bash", _) => text(&call.arguments["command"]).map(|command| said(&fenced(&command))).into_iter().collect(),
        ("edit", Some(file)) => {
            let edits = call.arguments["edits"].as_array().map(Vec::as_slice).unwrap_or_default();
            let diff = |edit: &Value| {
                let (old, new) = (text(&edit["oldText"])?, text(&edit["newText"])?);
                Some(ToolCallContent::Diff(Diff::new(&file, new).old_text(old)))
            };
            edits.iter().filter_map(diff).collect()
        }
        ("write", Some(file)) => {
            let Some(new) = text(&call.arguments["content"]) else { return Vec::new() };
            let diff = Diff::new(&file, new);
            match updates.files().read(&file).await {
                Present::Nothing => vec![ToolCallContent::Diff(diff)],
                Present::Text(old) => vec![ToolCallContent::Diff(diff.old_text(old))],
                Present::Other => {
                    let what = format!("{} is there already: no text, or too long to show.", file.display());
                    vec![said(&what), ToolCallContent::Diff(diff)]
                }
            }
        }
        _ => Vec::new(),
    }
}

fn said(text: &str) -> ToolCallContent {
    ToolCallContent::Content(Content::new(text))
}

/// A block of code, in a fence that is longer than any in it.
fn fenced(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}sh\n{text}\n{fence}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_cannot_leave_its_fence() {
        assert_eq!(fenced("ls"), "```sh\nls\n```");
        assert_eq!(fenced("echo ````\nrm x"), "`````sh\necho ````\nrm x\n`````");
    }
}
