//! A conversation as text, for a model that shall describe it and not take part in it.

use std::sync::Arc;

use pi_ai::{AssistantMessage, ContentBlock, Message, ToolCall};
use serde_json::Value;

use super::tokens::units;

/// Longer tool results are cut, in characters.
const MAX_TOOL_RESULT: u64 = 2000;

/// Writes messages, after [`crate::messages::convert_to_llm`], as labelled paragraphs. What people and models said is
/// never cut, tool results are; images vanish.
pub fn serialize_conversation(messages: &[Arc<Message>]) -> String {
    serialize(messages, shortened)
}

/// The same without any cut.
pub(super) fn serialize_whole(messages: &[Arc<Message>]) -> String {
    serialize(messages, |result| result)
}

fn serialize(messages: &[Arc<Message>], result_text: fn(String) -> String) -> String {
    let mut parts = Vec::new();
    for message in messages {
        match message.as_ref() {
            Message::User(user) => push(&mut parts, "User", &user.content.to_text()),
            Message::Assistant(assistant) => push_assistant(&mut parts, assistant),
            Message::ToolResult(result) => push(&mut parts, "Tool result", &result_text(texts(&result.content, ""))),
            Message::Other(_) => {}
        }
    }
    parts.join("\n\n")
}

fn push(parts: &mut Vec<String>, label: &str, text: &str) {
    if !text.is_empty() {
        parts.push(format!("[{label}]: {text}"));
    }
}

fn push_assistant(parts: &mut Vec<String>, message: &AssistantMessage) {
    let thinking: Vec<&str> = message.content.iter().filter_map(thinking_of).collect();
    let calls: Vec<String> = message.tool_calls().map(call_text).collect();
    push(parts, "Assistant thinking", &thinking.join("\n"));
    push(parts, "Assistant", &texts(&message.content, "\n"));
    push(parts, "Assistant tool calls", &calls.join("; "));
}

fn thinking_of(block: &ContentBlock) -> Option<&str> {
    match block {
        ContentBlock::Thinking(thinking) => Some(&thinking.thinking),
        _ => None,
    }
}

fn texts(blocks: &[ContentBlock], separator: &str) -> String {
    blocks.iter().filter_map(ContentBlock::as_text).collect::<Vec<_>>().join(separator)
}

/// `name(key=json, key=json)`
fn call_text(call: &ToolCall) -> String {
    let arguments = call.arguments.as_object().into_iter().flatten();
    let arguments: Vec<String> = arguments.map(|(key, value): (&String, &Value)| format!("{key}={value}")).collect();
    format!("{}({})", call.name, arguments.join(", "))
}

fn shortened(mut text: String) -> String {
    let total = units(&text);
    if total <= MAX_TOOL_RESULT {
        return text;
    }
    let mut kept = 0;
    let end = text.char_indices().find(|(_, c)| {
        kept += c.len_utf16() as u64;
        kept > MAX_TOOL_RESULT
    });
    text.truncate(end.map_or(text.len(), |(at, _)| at));
    let left_out = total - units(&text);
    text.push_str(&format!("\n\n[... {left_out} more characters truncated]"));
    text
}
