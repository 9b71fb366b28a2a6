//! Session files of our own making: a sound one with everything in it, and pieces of others.

use std::fs;
use std::path::{Path, PathBuf};

pub(crate) const HEADER: &str = r#"{"type":"session","version":3,"id":"01a1ffbe-e478-7596-a9ad-abb31f51cf1b","timestamp":"2026-11-21T20:14:22.840Z","cwd":"/srv/app"}"#;

/// A user's message.
pub(crate) fn user(id: &str, parent: Option<&str>, text: &str) -> String {
    let message = serde_json::json!({"role": "user", "content": [{"type": "text", "text": text}], "timestamp": 1_795_292_100_000_i64});
    message_line(id, parent, &message)
}

/// An answer.
pub(crate) fn answer(id: &str, parent: &str, text: &str) -> String {
    message_line(id, Some(parent), &assistant(&serde_json::json!([{"type": "text", "text": text}]), "stop"))
}

/// An answer that calls a tool.
pub(crate) fn call(id: &str, parent: &str, call: &str) -> String {
    let content = serde_json::json!([{"type": "toolCall", "id": call, "name": "read", "arguments": {"path": "a.txt"}}]);
    message_line(id, Some(parent), &assistant(&content, "toolUse"))
}

/// A tool's result.
pub(crate) fn result(id: &str, parent: &str, call: &str, text: &str) -> String {
    let message = serde_json::json!({"role": "toolResult", "toolCallId": call, "toolName": "read",
        "content": [{"type": "text", "text": text}], "isError": false, "timestamp": 1_795_292_100_000_i64});
    message_line(id, Some(parent), &message)
}

/// An entry of any type; `fields` are those behind the timestamp.
pub(crate) fn entry(kind: &str, id: &str, parent: &str, fields: &str) -> String {
    format!(
        r#"{{"type":"{kind}","id":"{id}","parentId":"{parent}","timestamp":"2026-11-21T20:15:00.000Z"{}{fields}}}"#,
        if fields.is_empty() { "" } else { "," }
    )
}

fn assistant(content: &serde_json::Value, stop: &str) -> serde_json::Value {
    serde_json::json!({"role": "assistant", "content": content, "api": "x", "provider": "p", "model": "m",
        "usage": {"input": 1, "output": 1, "cacheRead": 0, "cacheWrite": 0, "totalTokens": 2,
            "cost": {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "total": 0}},
        "stopReason": stop, "timestamp": 1_795_292_100_000_i64})
}

fn message_line(id: &str, parent: Option<&str>, message: &serde_json::Value) -> String {
    let parent = parent.map_or("null".to_owned(), |parent| format!("\"{parent}\""));
    format!(
        r#"{{"type":"message","id":"{id}","parentId":{parent},"timestamp":"2026-11-21T20:15:00.000Z","message":{message}}}"#
    )
}

/// A session with two branches, a tool call, a compaction, a label and a name.
pub(crate) fn sound() -> Vec<String> {
    vec![
        HEADER.to_owned(),
        r#"{"type":"model_change","id":"00000001","parentId":null,"timestamp":"2026-11-21T20:14:22.900Z","provider":"p","modelId":"m"}"#.to_owned(),
        user("00000002", Some("00000001"), "What is in a.txt?"),
        call("00000003", "00000002", "call_1"),
        result("00000004", "00000003", "call_1", "first line\nsecond line"),
        answer("00000005", "00000004", "Two lines."),
        user("00000006", Some("00000005"), "Translate them \"well\"."),
        answer("00000007", "00000006", "première ligne, 2\u{1f600}"),
        entry("label", "00000008", "00000007", r#""targetId":"00000006","label":"translation""#),
        user("00000009", Some("00000005"), "Count the words instead."),
        answer("0000000a", "00000009", "Four."),
        entry("compaction", "0000000b", "0000000a", r#""summary":"They looked at a.txt.","firstKeptEntryId":"00000009","tokensBefore":900"#),
        user("0000000c", Some("0000000b"), "Thanks."),
        entry("session_info", "0000000d", "0000000c", r#""name":"Lines of a.txt""#),
        answer("0000000e", "0000000d", "You are welcome."),
    ]
}

/// Writes lines, each with its newline.
pub(crate) fn write(dir: &Path, name: &str, lines: &[String]) -> PathBuf {
    let file = dir.join(name);
    fs::write(&file, lines.join("\n") + "\n").unwrap();
    file
}
