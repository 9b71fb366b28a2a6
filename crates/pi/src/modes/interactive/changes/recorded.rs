//! The edits of a session: what `edit` and `write` were called with and what they reported. No file is read.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use pi_agent_core::NestedCallRecord;
use pi_ai::{Extra, Message, ToolCall, ToolResultMessage};
use pi_coding_agent::messages::{AppMessage, CustomMessage};
use pi_coding_agent::tools::{PatchHunk, patch_hunks, unified_patch};
use serde_json::{Value, json};

/// The type of messages that tell the model what was taken back.
pub(super) const TAKEN_BACK: &str = "edit-taken-back";

/// One place of a file that was changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Change {
    /// The call it is part of, and its number in that.
    pub(super) call: String,
    pub(super) hunk: usize,
    /// The file, as the call names it.
    pub(super) path: String,
    /// The line in which it begins, with the lines around it, as the call left the file.
    pub(super) line: usize,
    /// What was there before, with the lines around it; nothing where that is not recorded.
    pub(super) old: Option<String>,
    /// What was there afterwards.
    pub(super) new: String,
    /// Whether it takes another one back.
    pub(super) is_undo: bool,
    /// Whether it was taken back.
    pub(super) is_undone: bool,
}

impl Change {
    /// Lines that it added and removed.
    pub(super) fn counts(&self) -> (usize, usize) {
        if self.old.is_none() {
            return (self.new.lines().count(), 0);
        }
        self.patch().lines().fold((0, 0), |(added, removed), line| match line.as_bytes().first() {
            Some(b'+') => (added + 1, removed),
            Some(b'-') => (added, removed + 1),
            _ => (added, removed),
        })
    }

    /// The first line that it changed, as the call left the file.
    pub(super) fn first_line(&self) -> usize {
        let old = self.old.as_deref().unwrap_or_default();
        let alike = old.lines().zip(self.new.lines()).take_while(|(old, new)| old == new);
        self.line + alike.count()
    }

    /// The lines of its difference, as a patch has them.
    pub(super) fn patch(&self) -> String {
        let patch = unified_patch(&self.path, self.old.as_deref().unwrap_or_default(), &self.new);
        let lines = patch.split_inclusive('\n').skip_while(|line| !line.starts_with("@@")).skip(1);
        lines.collect()
    }

    /// What is stored about the change that takes it back. `patch` is that of the file.
    pub(super) fn undo_details(&self, patch: &str) -> Value {
        json!({ "path": self.path, "patch": patch, "call": self.call, "hunk": self.hunk })
    }
}

/// The changes of messages: by file, in the order in which files were changed first.
pub(super) fn changes(messages: &[Arc<Message>]) -> Vec<Change> {
    let results: HashMap<&str, &ToolResultMessage> = messages.iter().filter_map(|message| result(message)).collect();
    let mut changes = Vec::new();
    let mut undone: HashSet<(String, usize)> = HashSet::new();
    for message in messages {
        match &**message {
            Message::Assistant(answer) => {
                for call in answer.tool_calls() {
                    let Some(result) = results.get(call.id.as_str()) else { continue };
                    // A script that failed may have changed files before.
                    changes.extend(nested(result).flat_map(|(call, details)| of_call(&call, details.as_ref())));
                    if !result.is_error {
                        changes.extend(of_call(call, result.details.as_ref()));
                    }
                }
            }
            Message::Other(other) => {
                if let Some(AppMessage::Custom(custom)) = AppMessage::from_other(other)
                    && custom.custom_type == TAKEN_BACK
                {
                    changes.extend(of_undo(&custom, &mut undone));
                }
            }
            _ => {}
        }
    }
    for change in &mut changes {
        change.is_undone = undone.contains(&(change.call.clone(), change.hunk));
    }
    by_file(changes)
}

fn result(message: &Message) -> Option<(&str, &ToolResultMessage)> {
    let Message::ToolResult(result) = message else { return None };
    Some((&result.tool_call_id, result))
}

/// The calls that a call made, as far as they did not fail, and what they reported.
fn nested(result: &ToolResultMessage) -> impl Iterator<Item = (ToolCall, Option<Value>)> {
    let made = NestedCallRecord::from_details(result.details.as_ref()).filter(|made| !made.is_error);
    made.map(|NestedCallRecord { id, name, arguments, details, .. }| {
        (ToolCall { id, name, arguments, thought_signature: None, extra: Extra::new() }, details)
    })
}

fn of_call(call: &ToolCall, details: Option<&Value>) -> Vec<Change> {
    let text = |key: &str| call.arguments.get(key).and_then(Value::as_str);
    let Some(path) = text("path") else { return Vec::new() };
    match call.name.as_str() {
        "edit" => {
            let patch = details.and_then(|details| details["patch"].as_str()).unwrap_or_default();
            hunks(&call.id, path, patch, false)
        }
        "write" => vec![Change {
            call: call.id.clone(),
            hunk: 0,
            path: path.to_owned(),
            line: 1,
            old: None,
            new: text("content").unwrap_or_default().to_owned(),
            is_undo: false,
            is_undone: false,
        }],
        _ => Vec::new(),
    }
}

fn of_undo(message: &CustomMessage, undone: &mut HashSet<(String, usize)>) -> Vec<Change> {
    let Some(details) = &message.details else { return Vec::new() };
    let text = |key: &str| details[key].as_str().unwrap_or_default();
    let number = details["hunk"].as_u64().and_then(|hunk| usize::try_from(hunk).ok()).unwrap_or_default();
    undone.insert((text("call").to_owned(), number));
    hunks(&format!("undo-{}", message.timestamp), text("path"), text("patch"), true)
}

fn hunks(call: &str, path: &str, patch: &str, is_undo: bool) -> Vec<Change> {
    let change = |(hunk, PatchHunk { line, old, new })| Change {
        call: call.to_owned(),
        hunk,
        path: path.to_owned(),
        line,
        old: Some(old),
        new,
        is_undo,
        is_undone: false,
    };
    patch_hunks(patch).into_iter().enumerate().map(change).collect()
}

fn by_file(mut changes: Vec<Change>) -> Vec<Change> {
    let mut places: HashMap<String, usize> = HashMap::new();
    for change in &changes {
        let next = places.len();
        places.entry(change.path.clone()).or_insert(next);
    }
    changes.sort_by_key(|change| places[&change.path]);
    changes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(value: Value) -> Arc<Message> {
        Arc::new(serde_json::from_value(value).unwrap())
    }

    fn call(id: &str, name: &str, arguments: &Value) -> Arc<Message> {
        message(json!({
            "role": "assistant", "api": "a", "provider": "p", "model": "m", "stopReason": "toolUse", "timestamp": 1,
            "usage": {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "totalTokens": 0,
                "cost": {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "total": 0}},
            "content": [{"type": "toolCall", "id": id, "name": name, "arguments": arguments}],
        }))
    }

    fn reported(id: &str, is_error: bool, patch: &str) -> Arc<Message> {
        message(json!({
            "role": "toolResult", "toolCallId": id, "toolName": "edit", "isError": is_error, "timestamp": 1,
            "content": [{"type": "text", "text": "done"}], "details": {"patch": patch},
        }))
    }

    #[test]
    fn edits_of_scripts_are_listed_also_where_the_script_failed() {
        let made = |id: &str, name: &str, arguments: Value, details: Value, is_error: bool| json!({"id": id, "name": name, "arguments": arguments, "details": details, "isError": is_error});
        let patch = json!({"patch": unified_patch("a.txt", "x\n", "y\n")});
        let calls = [
            made("1:1", "edit", json!({"path": "a.txt"}), patch.clone(), false),
            made("1:2", "edit", json!({"path": "b.txt"}), patch, true),
            made("1:3", "write", json!({"path": "c.txt", "content": "one\n"}), Value::Null, false),
        ];
        let result = message(json!({
            "role": "toolResult", "toolCallId": "1", "toolName": "codemode", "isError": true, "timestamp": 1,
            "content": [{"type": "text", "text": "no"}], "details": {"calls": calls},
        }));
        let found = changes(&[call("1", "codemode", &json!({"script": ""})), result]);
        let shown: Vec<String> = found.iter().map(|change| format!("{} {}", change.call, change.path)).collect();
        assert_eq!(shown, ["1:1 a.txt", "1:3 c.txt"]);
    }

    #[test]
    fn edits_are_listed_by_file_and_place() {
        let old: String = (1..=40).map(|number| format!("line {number}\n")).collect();
        let new = old.replace("line 3\n", "three\n").replace("line 30\n", "");
        let path = |path: &str| json!({ "path": path });
        let messages = [
            call("1", "edit", &path("a.txt")),
            reported("1", false, &unified_patch("a.txt", &old, &new)),
            call("2", "write", &json!({ "path": "b.txt", "content": "one\ntwo\n" })),
            reported("2", false, ""),
            call("3", "edit", &path("a.txt")),
            reported("3", true, &unified_patch("a.txt", "x", "y")),
            call("4", "edit", &path("a.txt")),
            reported("4", false, &unified_patch("a.txt", "x\n", "y\n")),
            call("5", "read", &path("a.txt")),
            call("6", "edit", &path("not/over.txt")),
            message(json!({
                "role": "custom", "customType": TAKEN_BACK, "content": "", "display": true, "timestamp": 7,
                "details": {"path": "a.txt", "patch": unified_patch("a.txt", "y\n", "x\n"), "call": "4", "hunk": 0},
            })),
        ];
        let found = changes(&messages);
        let shown = found.iter().map(|change| {
            let Change { path, is_undo, is_undone, .. } = change;
            let (line, (added, removed)) = (change.first_line(), change.counts());
            format!("{path}:{line} +{added} -{removed} {is_undo} {is_undone}")
        });
        let expected = [
            "a.txt:3 +1 -1 false false",
            "a.txt:30 +0 -1 false false",
            "a.txt:1 +1 -1 false true",
            "a.txt:1 +1 -1 true false",
            "b.txt:1 +2 -0 false false",
        ];
        assert_eq!(shown.collect::<Vec<_>>(), expected);
        assert_eq!(found[2].patch(), "-x\n+y\n");
    }
}
