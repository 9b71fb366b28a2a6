//! What a run shows to the outside, without what programs may do differently.

use std::collections::HashSet;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::extension_examples::mask::Mask;
use pi_test_kit::World;

/// A run of an example.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Trace {
    /// Tools and commands of the session.
    pub(crate) session: Value,
    /// What the client was told, step by step.
    pub(crate) steps: Vec<Vec<Value>>,
    /// What the model was asked.
    pub(crate) requests: Vec<Value>,
    /// Entries of the session that extensions write.
    pub(crate) entries: Vec<Value>,
    /// Files of the project afterwards.
    pub(crate) files: Vec<String>,
    /// Standard error.
    pub(crate) complaints: Vec<String>,
    /// Exit code.
    pub(crate) code: i32,
}

/// The part of a line that is compared; `None` for lines that say nothing about extensions.
pub(crate) fn line(line: &Value) -> Option<Value> {
    let fields: &[&str] = match line["type"].as_str().unwrap_or_default() {
        "response" => &["type", "command", "success", "error"],
        // How many pictures of an animation fit into a run depends on the clock.
        "extension_ui_request" if is_animated(line["title"].as_str()) => return None,
        "extension_ui_request" => {
            let mut line = line.clone();
            line.as_object_mut().unwrap().remove("id");
            return Some(line);
        }
        "extension_error" => &["type", "extensionPath", "event", "error"],
        "message_end" => return Some(message(&line["message"])),
        "tool_execution_end" => &["type", "toolName", "isError", "result"],
        "agent_start" | "agent_end" | "compaction_start" => &["type", "reason"],
        "compaction_end" => &["type", "reason", "aborted", "errorMessage"],
        "queue_update" => &["type", "steering", "followUp"],
        "session_info_changed" => &["type", "name"],
        "thinking_level_changed" => &["type", "level"],
        "nothing came" => &["type"],
        _ => return None,
    };
    Some(pick(line, fields))
}

/// Begins with a pattern of Braille dots, as spinners do.
fn is_animated(title: Option<&str>) -> bool {
    title.is_some_and(|title| title.starts_with(|first| ('\u{2800}'..='\u{28ff}').contains(&first)))
}

fn pick(value: &Value, fields: &[&str]) -> Value {
    let picked = fields.iter().filter_map(|&field| Some((field.to_owned(), value.get(field)?.clone())));
    Value::Object(picked.collect())
}

fn message(message: &Value) -> Value {
    let fields = ["role", "content", "customType", "display", "details", "stopReason", "errorMessage"];
    let mut said = pick(message, &fields);
    // They are in the line about the tool's end.
    if message["role"] == "toolResult" {
        said = pick(message, &["role", "toolName", "isError"]);
    }
    json!({"type": "message_end", "message": said})
}

/// What was asked of the model; of the system prompt only what is not in a run without extensions.
pub(crate) fn request(body: &Value, usual: &HashSet<String>) -> Value {
    let system = text_of(&body["system"]);
    let is_usual = |line: &&str| line.trim().is_empty() || usual.contains(*line);
    if !system.is_empty() && !system.lines().any(|line| !line.trim().is_empty() && usual.contains(line)) {
        // One of the program's own requests, in its own words.
        return json!({"own": true});
    }
    let added: Vec<&str> = system.lines().filter(|line| !is_usual(line)).collect();
    let tools = body["tools"].as_array().into_iter().flatten();
    let mut tools: Vec<&str> = tools.filter_map(|tool| tool["name"].as_str()).collect();
    tools.sort_unstable();
    let messages = body["messages"].as_array().into_iter().flatten();
    // There the system prompt is a message.
    let messages = messages.filter(|message| message["role"] != "system");
    let messages: Vec<Value> = messages.map(|message| json!([message["role"], text_of(&message["content"])])).collect();
    json!({"system": added, "tools": tools, "messages": messages})
}

/// The text of content in Anthropic's format, with that of tool results.
pub(crate) fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(blocks) => blocks.iter().map(block).collect(),
        _ => String::new(),
    }
}

fn block(block: &Value) -> String {
    match block["type"].as_str() {
        Some("tool_result") => format!("[result] {}", text_of(&block["content"])),
        Some("tool_use") => format!("[call {}]", block["name"].as_str().unwrap_or_default()),
        _ => block["text"].as_str().unwrap_or_default().to_owned(),
    }
}

/// The entries of the last session that extensions write.
pub(crate) fn entries(world: &World) -> Vec<Value> {
    let Some(file) = world.session_files().pop() else { return Vec::new() };
    let kinds = ["custom", "custom_message", "label", "session_info"];
    let entries = pi_test_kit::read_entries(&file).into_iter();
    let entries = entries.filter(|entry| kinds.contains(&entry["type"].as_str().unwrap_or_default()));
    entries
        .map(|entry| pick(&entry, &["type", "customType", "content", "display", "details", "data", "label", "name"]))
        .collect()
}

/// Paths of all files in the directory, without those of Git.
pub(crate) fn files(dir: &Path, mask: &Mask<'_>) -> Vec<String> {
    let mut found = Vec::new();
    collect(dir, dir, &mut found);
    found.sort();
    found.iter().map(|path| mask.text(path)).collect()
}

fn collect(root: &Path, dir: &Path, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap()) {
        let path = entry.path();
        if entry.file_type().unwrap().is_dir() {
            if entry.file_name() != ".git" {
                collect(root, &path, found);
            }
        } else {
            found.push(path.strip_prefix(root).unwrap().to_str().unwrap().to_owned());
        }
    }
}
