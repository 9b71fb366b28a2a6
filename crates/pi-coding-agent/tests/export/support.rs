//! Session files out of JSON, and the pages that become of them.

use std::fs;
use std::path::{Path, PathBuf};

use pi_coding_agent::export::{HtmlOptions, SessionSnapshot, write_html};
use serde_json::{Value, json};
use tempfile::TempDir;

pub(crate) fn header() -> Value {
    json!({"type": "session", "version": 3, "id": "s-1", "timestamp": "2026-11-21T20:14:22.840Z", "cwd": "/srv/app"})
}

/// Gives an entry what all entries have, unless it says so itself: id `0`, `1`, …, each below the one before.
fn complete(entry: &Value, index: usize) -> Value {
    let mut full = json!({"id": index.to_string(), "timestamp": "2026-11-21T20:15:00.000Z",
        "parentId": index.checked_sub(1).map(|parent| parent.to_string())});
    full.as_object_mut().unwrap().extend(entry.as_object().unwrap().clone());
    full
}

/// A session file of these entries.
pub(crate) fn session_file(dir: &Path, header: &Value, entries: &[Value]) -> PathBuf {
    let mut lines = vec![header.to_string()];
    lines.extend(entries.iter().enumerate().map(|(index, entry)| complete(entry, index).to_string()));
    let file = dir.join("s.jsonl");
    fs::write(&file, lines.join("\n") + "\n").unwrap();
    file
}

/// The session of these entries.
pub(crate) fn session(entries: &[Value]) -> SessionSnapshot {
    let dir = TempDir::new().unwrap();
    SessionSnapshot::of_file(&session_file(dir.path(), &header(), entries)).unwrap()
}

/// The page of a session.
pub(crate) fn page_of(session: &SessionSnapshot, options: &HtmlOptions) -> String {
    let mut page = Vec::new();
    write_html(session, options, &mut page).unwrap();
    String::from_utf8(page).unwrap()
}

/// The page of these entries.
pub(crate) fn page(entries: &[Value]) -> String {
    page_of(&session(entries), &HtmlOptions::default())
}

/// What is between the page's head and its end: the entries, without times and addresses.
pub(crate) fn entries_html(entries: &[Value]) -> String {
    let page = page(entries);
    let (_, body) = page.split_once("</header>\n").unwrap();
    let (body, _) = body.split_once("</main>").unwrap();
    let by = body.split("<p class=\"by\">");
    let mut text = String::new();
    for (index, piece) in by.enumerate() {
        text.push_str(if index == 0 { piece } else { piece.split_once("</p>").unwrap().1 });
    }
    text.replace(" id=\"e", "\n  id=\"e")
}

pub(crate) fn message(message: &Value) -> Value {
    json!({"type": "message", "message": message})
}

pub(crate) fn user(text: &str) -> Value {
    message(&json!({"role": "user", "content": [{"type": "text", "text": text}], "timestamp": 1}))
}

pub(crate) fn assistant(content: &Value) -> Value {
    message(&json!({"role": "assistant", "content": content, "api": "a", "provider": "p", "model": "m",
        "usage": {"input": 1200, "output": 30, "cost": {"total": 0.5}}, "stopReason": "stop", "timestamp": 1}))
}

pub(crate) fn call(id: &str, name: &str, arguments: &Value) -> Value {
    json!({"type": "toolCall", "id": id, "name": name, "arguments": arguments})
}

pub(crate) fn result(id: &str, name: &str, text: &str, details: &Value) -> Value {
    message(&json!({"role": "toolResult", "toolCallId": id, "toolName": name, "details": details,
        "content": [{"type": "text", "text": text}], "isError": false, "timestamp": 1}))
}
