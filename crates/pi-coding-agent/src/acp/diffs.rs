//! What a call changed, as old and new text. It comes from what the tools say of their work; no file is read afterwards, for
//! it may have changed since.

use std::path::Path;

use agent_client_protocol_schema::v1::{Diff, ToolCallContent};
use serde_json::Value;

use crate::tools::patch_hunks;

/// The changes of a call that went well; `replaced` is the text that was there before, where it is known.
pub(super) fn of_call(
    tool: &str,
    path: &Path,
    arguments: &Value,
    details: Option<&Value>,
    replaced: Option<String>,
) -> Vec<ToolCallContent> {
    match tool {
        "write" => {
            let content = arguments["content"].as_str();
            content.map(|text| ToolCallContent::Diff(Diff::new(path, text).old_text(replaced))).into_iter().collect()
        }
        "edit" => {
            let patch = details.and_then(|details| details["patch"].as_str()).unwrap_or_default();
            let hunks = patch_hunks(patch).into_iter();
            hunks.map(|hunk| ToolCallContent::Diff(Diff::new(path, hunk.new).old_text(hunk.old))).collect()
        }
        _ => Vec::new(),
    }
}
