//! The entries of a session as the tree shows them: one line of text each, and what the filters ask of them.

use std::collections::{HashMap, HashSet};

use pi_ai::{AssistantMessage, ContentBlock, Message, StopReason, ToolCall};
use pi_coding_agent::messages::AppMessage;
use pi_coding_agent::session::{self, CustomEntry, SessionEntry, SessionManager, SessionTree, StoredEntry, TreeLabel};
use serde_json::Value;

use super::super::super::numbers;
use crate::common::excerpt::Excerpt;
use crate::common::one_line::cut_line;

/// So many characters of an entry are kept for its row and for the search. Sessions have up to a million entries.
const KEPT: usize = 300;
/// So many characters of a command stand in the row of its result.
const COMMAND: usize = 50;

/// What an entry is to the filters and to the colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NodeKind {
    User,
    Assistant,
    /// An answer that holds nothing but tool calls: its results stand for it.
    Calls,
    Tool,
    /// A summary, or a message of an extension.
    Message,
    /// Changes of model, thinking level, name and labels, and data of extensions.
    Bookkeeping,
}

/// An entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Node {
    pub(super) id: String,
    pub(super) kind: NodeKind,
    /// The role, with a colon or in brackets.
    pub(super) role: String,
    /// What follows it.
    pub(super) text: String,
    pub(super) label: Option<TreeLabel>,
}

/// All entries.
#[derive(Debug, Default)]
pub(super) struct Nodes {
    /// In file order.
    pub(super) all: Vec<Node>,
    pub(super) tree: SessionTree,
    /// Where the session is.
    pub(super) leaf: Option<usize>,
    /// From the root to there.
    pub(super) active: HashSet<usize>,
}

impl Nodes {
    /// Reads them. Takes a pass over the file: not for the task that draws.
    pub(super) fn read(manager: &SessionManager) -> Result<Self, session::Error> {
        let entries = manager.entries();
        let tree = entries.tree()?;
        let mut calls = HashMap::new();
        let mut all = Vec::with_capacity(tree.len());
        for (place, entry) in entries.iter().enumerate() {
            let mut node = node(&entry?, &mut calls);
            node.label = tree.label(place).cloned();
            all.push(node);
        }
        let leaf = manager.leaf_id().and_then(|leaf| all.iter().rposition(|node| node.id == leaf));
        let active = leaf.map(|leaf| tree.path(leaf).into_iter().collect()).unwrap_or_default();
        Ok(Self { all, tree, leaf, active })
    }
}

/// The whole text of an entry, for the preview; of data of an extension the data.
pub(super) fn whole_text(entry: &StoredEntry) -> String {
    match entry.parse() {
        SessionEntry::Custom(CustomEntry { data: Some(data), .. }) => format!("{data:#}"),
        _ => Excerpt::of(entry).text,
    }
}

/// `calls` are the labels of the tool calls so far: a result shows what was called.
fn node(entry: &StoredEntry, calls: &mut HashMap<String, String>) -> Node {
    let (kind, role, text) = parts(&entry.parse(), calls);
    Node { id: entry.id().to_owned(), kind, role, text: cut_line(&text, KEPT), label: None }
}

/// What an entry is, its role and its text.
type Parts = (NodeKind, String, String);

fn parts(entry: &SessionEntry, calls: &mut HashMap<String, String>) -> Parts {
    use NodeKind::{Bookkeeping, Message};
    let noted = |name: &str, text: &str| (Bookkeeping, format!("[{name}: {text}]"), String::new());
    match entry {
        SessionEntry::Message(entry) => message_row(&entry.message, calls),
        SessionEntry::Compaction(entry) => {
            (Message, format!("[compaction: {} tokens]", numbers::short(entry.tokens_before)), String::new())
        }
        SessionEntry::BranchSummary(entry) => (Message, "[branch summary]:".to_owned(), entry.summary.clone()),
        SessionEntry::CustomMessage(entry) => (Message, format!("[{}]:", entry.custom_type), entry.content.to_text()),
        SessionEntry::ModelChange(entry) => noted("model", &entry.model_id),
        SessionEntry::ThinkingLevelChange(entry) => noted("thinking", &entry.thinking_level),
        SessionEntry::SessionInfo(entry) => noted("title", &entry.name),
        SessionEntry::Label(entry) => noted("label", entry.label.as_deref().unwrap_or("removed")),
        SessionEntry::Custom(entry) => (Bookkeeping, format!("[{}]", entry.custom_type), String::new()),
        SessionEntry::Other(fields) => {
            let kind = fields.get("type").and_then(Value::as_str).unwrap_or("unknown");
            (Bookkeeping, format!("[{kind}]"), String::new())
        }
    }
}

fn message_row(message: &Message, calls: &mut HashMap<String, String>) -> Parts {
    match message {
        Message::User(message) => (NodeKind::User, "user:".to_owned(), message.content.to_text()),
        Message::Assistant(message) => assistant_row(message, calls),
        Message::ToolResult(result) => {
            let label = calls.remove(&result.tool_call_id).unwrap_or_else(|| format!("[{}]", result.tool_name));
            let failed = if result.is_error { "failed" } else { "" };
            (NodeKind::Tool, label, failed.to_owned())
        }
        Message::Other(other) => match AppMessage::from_other(other) {
            Some(AppMessage::BashExecution(shell)) => (NodeKind::Tool, "[bash]:".to_owned(), shell.command),
            _ => (NodeKind::Message, format!("[{}]:", other.role()), String::new()),
        },
    }
}

fn assistant_row(message: &AssistantMessage, calls: &mut HashMap<String, String>) -> Parts {
    for block in &message.content {
        if let ContentBlock::ToolCall(call) = block {
            calls.insert(call.id.clone(), call_label(call));
        }
    }
    let text = texts(&message.content);
    let ended = match message.stop_reason {
        StopReason::Aborted => "(aborted)",
        StopReason::Error => message.error_message.as_deref().unwrap_or("(failed)"),
        _ => "",
    };
    let (kind, text) = match (text.trim().is_empty(), ended.is_empty()) {
        (true, true) => (NodeKind::Calls, "(tool calls)".to_owned()),
        (true, false) => (NodeKind::Assistant, ended.to_owned()),
        (false, _) => (NodeKind::Assistant, text),
    };
    (kind, "assistant:".to_owned(), text)
}

/// A call in brackets: `[read: src/main.rs:1-20]`.
fn call_label(call: &ToolCall) -> String {
    let text = |key: &str| call.arguments.get(key).and_then(Value::as_str);
    let number = |key: &str| call.arguments.get(key).and_then(Value::as_u64);
    let shown = match call.name.as_str() {
        "read" => text("path").map(|path| format!("{path}{}", lines_read(number("offset"), number("limit")))),
        "bash" => text("command").map(|command| cut_line(command, COMMAND)),
        "grep" | "find" => text("pattern").map(ToOwned::to_owned),
        _ => text("path").map(ToOwned::to_owned),
    };
    match shown {
        Some(shown) => format!("[{}: {}]", call.name, cut_line(&shown, KEPT)),
        None => format!("[{}]", call.name),
    }
}

/// Which lines a call reads: `:1-20`.
fn lines_read(offset: Option<u64>, limit: Option<u64>) -> String {
    let from = offset.unwrap_or(1);
    match (offset, limit) {
        (None, None) => String::new(),
        (_, Some(limit)) => format!(":{from}-{}", from.saturating_add(limit).saturating_sub(1)),
        (_, None) => format!(":{from}"),
    }
}

/// The texts of a message, and marks for its images.
fn texts(blocks: &[ContentBlock]) -> String {
    let texts = blocks.iter().filter_map(|block| match block {
        ContentBlock::Text(text) => Some(text.text.as_str()),
        ContentBlock::Image(_) => Some("[image]"),
        _ => None,
    });
    texts.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn row(entry: Value) -> (NodeKind, String) {
        let entry = serde_json::from_value(entry).expect("an entry");
        let (kind, role, text) = parts(&entry, &mut HashMap::new());
        (kind, cut_line(&format!("{role} {text}"), KEPT))
    }

    fn entry(kind: &str, fields: &Value) -> Value {
        let mut entry = json!({"type": kind, "id": "a", "parentId": null, "timestamp": "2026-01-01T00:00:00Z"});
        entry.as_object_mut().expect("an object").extend(fields.as_object().expect("an object").clone());
        entry
    }

    #[test]
    fn entries_are_named_by_what_they_are() {
        let user = json!({"message": {"role": "user", "content": "two\n lines", "timestamp": 1}});
        assert_eq!(row(entry("message", &user)), (NodeKind::User, "user: two lines".into()));
        let failed =
            json!({"message": {"role": "assistant", "content": [], "stopReason": "error", "errorMessage": "no"}});
        assert_eq!(row(entry("message", &failed)), (NodeKind::Assistant, "assistant: no".into()));
        let shell = json!({"message": {"role": "bashExecution", "command": "ls", "output": "", "cancelled": false,
            "truncated": false, "timestamp": 1}});
        assert_eq!(row(entry("message", &shell)).0, NodeKind::Tool);
        let summary = json!({"fromId": "root", "summary": "what was tried"});
        assert_eq!(row(entry("branch_summary", &summary)).1, "[branch summary]: what was tried");
        let compaction = json!({"summary": "s", "firstKeptEntryId": "b", "tokensBefore": 12_345});
        assert_eq!(row(entry("compaction", &compaction)).1, "[compaction: 12k tokens]");
        let name = json!({"name": "mine"});
        assert_eq!(row(entry("session_info", &name)), (NodeKind::Bookkeeping, "[title: mine]".into()));
        assert_eq!(row(entry("from_tomorrow", &json!({}))), (NodeKind::Bookkeeping, "[from_tomorrow]".into()));
    }

    #[test]
    fn a_result_shows_the_call_that_it_answers() {
        let call = |name: &str, arguments: &Value| {
            json!({"message": {"role": "assistant", "stopReason": "toolUse",
                "content": [{"type": "toolCall", "id": "t", "name": name, "arguments": arguments}]}})
        };
        let result = json!({"message": {"role": "toolResult", "toolCallId": "t", "toolName": "x", "content": [], "timestamp": 1}});
        let cases = [
            (call("read", &json!({"path": "a.rs", "offset": 1, "limit": 20})), "[read: a.rs:1-20]"),
            (call("read", &json!({"path": "a.rs", "offset": 7})), "[read: a.rs:7]"),
            (call("bash", &json!({"command": "echo\nhi"})), "[bash: echo hi]"),
            (call("mine", &json!({"any": 1})), "[mine]"),
        ];
        for (call, expected) in cases {
            let mut calls = HashMap::new();
            let message = serde_json::from_value(entry("message", &call)).expect("an entry");
            assert_eq!(parts(&message, &mut calls).0, NodeKind::Calls);
            let message = serde_json::from_value(entry("message", &result)).expect("an entry");
            assert_eq!(parts(&message, &mut calls).1, expected);
        }
    }
}
