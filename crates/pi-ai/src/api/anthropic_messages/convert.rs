//! Messages of the transcript as messages of this format.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::api::cache_control::mark;
use crate::api::content::{SEE_IMAGE, arguments_object, images, joined_text, message, object, text_part};
use crate::api::payload::MessageList;
use crate::message::{
    AssistantMessage, ContentBlock, ImageContent, Message, ThinkingContent, ToolCall, ToolResultMessage, UserContent,
};
use crate::text::is_blank;

use super::compat::Compat;
use super::oauth;

/// The body's `messages`.
pub(super) fn convert(messages: &[Arc<Message>], compat: Compat, oauth: bool, converted: &mut MessageList) {
    // Results of one answer go into one user message.
    let mut results: Vec<Value> = Vec::new();
    for message in messages {
        if let Message::ToolResult(result) = &**message {
            results.push(tool_result(result));
            continue;
        }
        flush(&mut results, converted);
        converted.extend(match &**message {
            Message::User(message) => user(&message.content),
            Message::Assistant(message) => assistant(message, compat, oauth),
            Message::ToolResult(_) | Message::Other(_) => None,
        });
    }
    flush(&mut results, converted);
}

fn flush(results: &mut Vec<Value>, converted: &mut MessageList) {
    if !results.is_empty() {
        converted.push(message("user", std::mem::take(results).into()));
    }
}

/// Marks the end of the prompt, if it is the user's or a tool's.
pub(super) fn mark_last(messages: &mut MessageList, marker: &Value) {
    let Some(last) = messages.last_mut().filter(|last| last["role"] == "user") else { return };
    let content = &mut last["content"];
    if let Value::String(text) = content {
        *content = vec![text_part(text)].into();
    }
    let last_block = content.as_array_mut().and_then(|blocks| blocks.last_mut());
    if let Some(block) = last_block
        && matches!(block["type"].as_str(), Some("text" | "image" | "tool_result"))
    {
        mark(block, marker);
    }
}

fn user(content: &UserContent) -> Option<Value> {
    let content = match content {
        UserContent::Text(text) => (!is_blank(text)).then(|| text.as_str().into()),
        UserContent::Blocks(blocks) => some_blocks(blocks.iter().filter_map(text_or_image).collect()),
    };
    content.map(|content| message("user", content))
}

fn assistant(answer: &AssistantMessage, compat: Compat, oauth: bool) -> Option<Value> {
    let blocks = answer.content.iter().filter_map(|block| match block {
        ContentBlock::Text(text) => (!is_blank(&text.text)).then(|| text_part(&text.text)),
        ContentBlock::Thinking(block) => thinking(block, compat),
        ContentBlock::ToolCall(call) => Some(tool_use(call, oauth)),
        ContentBlock::Image(_) | ContentBlock::Other(_) => None,
    });
    some_blocks(blocks.collect()).map(|content| message("assistant", content))
}

fn some_blocks(mut blocks: Vec<Value>) -> Option<Value> {
    // There are as many of these as there are messages, and most hold one block.
    blocks.shrink_to_fit();
    (!blocks.is_empty()).then_some(Value::Array(blocks))
}

fn text_or_image(block: &ContentBlock) -> Option<Value> {
    match block {
        ContentBlock::Text(text) => (!is_blank(&text.text)).then(|| text_part(&text.text)),
        ContentBlock::Image(image) => Some(image_block(image)),
        _ => None,
    }
}

fn image_block(image: &ImageContent) -> Value {
    let media_type = image.mime_type.as_str().into();
    let source = [("type", "base64".into()), ("media_type", media_type), ("data", image.data.as_str().into())];
    object([("type", "image".into()), ("source", object(source))])
}

/// Thinking goes back signed or not at all; what is unsigned can only be quoted as text.
fn thinking(block: &ThinkingContent, compat: Compat) -> Option<Value> {
    let signature = block.thinking_signature.as_deref().unwrap_or("");
    if block.redacted == Some(true) {
        return Some(json!({"type": "redacted_thinking", "data": signature}));
    }
    if is_blank(&block.thinking) {
        return None;
    }
    Some(if !is_blank(signature) {
        json!({"type": "thinking", "thinking": block.thinking, "signature": signature})
    } else if compat.empty_signature {
        json!({"type": "thinking", "thinking": block.thinking, "signature": ""})
    } else {
        text_part(&block.thinking)
    })
}

fn tool_use(call: &ToolCall, oauth: bool) -> Value {
    let name = if oauth { oauth::outgoing(&call.name) } else { &call.name };
    object([
        ("type", "tool_use".into()),
        ("id", call.id.as_str().into()),
        ("name", name.into()),
        ("input", arguments_object(&call.arguments)),
    ])
}

fn tool_result(result: &ToolResultMessage) -> Value {
    object([
        ("type", "tool_result".into()),
        ("tool_use_id", result.tool_call_id.as_str().into()),
        ("content", result_content(&result.content)),
        ("is_error", result.is_error.into()),
    ])
}

/// Plain text, or blocks when there are images; those are never without a text.
fn result_content(blocks: &[ContentBlock]) -> Value {
    if images(blocks).next().is_none() {
        return joined_text(blocks).into();
    }
    let mut converted: Vec<Value> = Vec::with_capacity(blocks.len() + 1);
    if !blocks.iter().any(|block| block.as_text().is_some_and(|text| !is_blank(text))) {
        converted.push(text_part(SEE_IMAGE));
    }
    converted.extend(blocks.iter().filter_map(text_or_image));
    converted.into()
}
