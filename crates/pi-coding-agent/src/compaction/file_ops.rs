//! Which files a conversation read and changed: compaction forgets the calls, not the files.

use std::collections::HashSet;
use std::sync::Arc;

use pi_ai::{AssistantMessage, Message};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Paths by what was done to them, as the model spelled them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileOps {
    /// Files that were read.
    pub read: HashSet<String>,
    /// Files that were written whole.
    pub written: HashSet<String>,
    /// Files that were edited.
    pub edited: HashSet<String>,
}

/// What a compaction entry remembers in its `details`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct CompactionDetails {
    /// Files that were only read, sorted.
    pub read_files: Vec<String>,
    /// Files that were changed, sorted.
    pub modified_files: Vec<String>,
}

impl FileOps {
    /// Takes over what an earlier compaction remembered; details of another shape say nothing.
    pub(super) fn add_details(&mut self, details: &Value) {
        let paths = |key: &str| {
            let list = details.get(key).and_then(Value::as_array).into_iter().flatten();
            list.filter_map(Value::as_str).map(str::to_owned)
        };
        self.read.extend(paths("readFiles"));
        self.edited.extend(paths("modifiedFiles"));
    }

    /// Notes the calls of the built-in file tools.
    pub(super) fn add_calls<'a>(&mut self, messages: impl Iterator<Item = &'a Arc<Message>>) {
        let answers = messages.filter_map(|message| message.as_assistant());
        for call in answers.flat_map(AssistantMessage::tool_calls) {
            let Some(path) = call.arguments.get("path").and_then(Value::as_str) else { continue };
            match call.name.as_str() {
                "read" => self.read.insert(path.to_owned()),
                "write" => self.written.insert(path.to_owned()),
                "edit" => self.edited.insert(path.to_owned()),
                _ => continue,
            };
        }
    }

    /// The two lists of a compaction entry.
    pub fn details(&self) -> CompactionDetails {
        let modified: HashSet<&String> = self.edited.union(&self.written).collect();
        let read_files = sorted(self.read.iter().filter(|path| !modified.contains(path)));
        CompactionDetails { read_files, modified_files: sorted(modified.into_iter()) }
    }
}

/// Sorted as JavaScript sorts: by UTF-16 unit.
fn sorted<'a>(paths: impl Iterator<Item = &'a String>) -> Vec<String> {
    let mut paths: Vec<String> = paths.cloned().collect();
    paths.sort_by(|a, b| a.encode_utf16().cmp(b.encode_utf16()));
    paths
}
