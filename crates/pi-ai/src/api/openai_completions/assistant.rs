//! An answer of the transcript as a message of this format: text, reasoning, tool calls.

use serde_json::{Map, Value, json};

use crate::api::content::text_part;
use crate::message::{AssistantMessage, ContentBlock, ThinkingContent, ToolCall};
use crate::model::Model;
use crate::text::is_blank;

use super::compat::Compat;
use super::decode::{REASONING, REASONING_CONTENT, renames_reasoning};

/// The message; `None` when neither text nor tool calls are left.
pub(super) fn convert(message: &AssistantMessage, model: &Model, compat: &Compat<'_>) -> Option<Value> {
    let texts: Vec<&str> = message.content.iter().filter_map(ContentBlock::as_text).filter(|t| !is_blank(t)).collect();
    let thinking: Vec<&ThinkingContent> = message.content.iter().filter_map(readable_thinking).collect();
    let calls: Vec<&ToolCall> = message.tool_calls().collect();
    let content = content(&texts, &thinking, compat);
    let has_content = match &content {
        Value::String(text) => !text.is_empty(),
        other => other.is_array(),
    };
    if !has_content && calls.is_empty() {
        return None;
    }
    let mut converted = Map::new();
    converted.insert("role".into(), "assistant".into());
    converted.insert("content".into(), content);
    if !compat.requires_thinking_as_text
        && let Some((field, text)) = reasoning_field(&thinking, model)
    {
        // The field's name comes out of a session file: it must not replace one of ours.
        converted.entry(field).or_insert_with(|| text.into());
    }
    if !calls.is_empty() {
        converted.insert("tool_calls".into(), calls.iter().map(|call| tool_call(call)).collect());
        let details: Vec<Value> = calls.iter().filter_map(|call| reasoning_detail(call)).collect();
        if !details.is_empty() {
            converted.insert("reasoning_details".into(), details.into());
        }
    }
    if compat.requires_reasoning_content && model.reasoning {
        converted.entry(REASONING_CONTENT).or_insert_with(|| "".into());
    }
    Some(Value::Object(converted))
}

fn content(texts: &[&str], thinking: &[&ThinkingContent], compat: &Compat<'_>) -> Value {
    if compat.requires_thinking_as_text && !thinking.is_empty() {
        let thoughts: Vec<&str> = thinking.iter().map(|block| block.thinking.as_str()).collect();
        let thoughts = thoughts.join("\n\n");
        let parts = std::iter::once(thoughts.as_str()).chain(texts.iter().copied());
        return parts.map(text_part).collect();
    }
    let needs_text = compat.requires_assistant_after_tool_result || compat.requires_non_null_assistant_content;
    match (texts.is_empty(), needs_text) {
        (false, _) => texts.concat().into(),
        (true, true) => "".into(),
        (true, false) => Value::Null,
    }
}

fn readable_thinking(block: &ContentBlock) -> Option<&ThinkingContent> {
    match block {
        ContentBlock::Thinking(thinking) if !is_blank(&thinking.thinking) => Some(thinking),
        _ => None,
    }
}

/// The field in which the reasoning came, and all of it; the signature holds the field's name.
fn reasoning_field(thinking: &[&ThinkingContent], model: &Model) -> Option<(String, String)> {
    let field = thinking.first()?.thinking_signature.as_deref().filter(|field| !field.is_empty())?;
    let field = if field == REASONING && renames_reasoning(model) { REASONING_CONTENT } else { field };
    let thoughts: Vec<&str> = thinking.iter().map(|block| block.thinking.as_str()).collect();
    Some((field.to_owned(), thoughts.join("\n")))
}

fn tool_call(call: &ToolCall) -> Value {
    let function = json!({"name": call.name, "arguments": call.arguments.to_string()});
    json!({"id": call.id, "type": "function", "function": function})
}

/// Encrypted reasoning that belongs to a call.
fn reasoning_detail(call: &ToolCall) -> Option<Value> {
    serde_json::from_str(call.thought_signature.as_deref()?).ok()
}
