//! Messages of the transcript as messages of this format.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::api::content::{arguments_object, message, object};
use crate::api::payload::MessageList;
use crate::error::{Error, RequestError};
use crate::message::{
    AssistantMessage, ContentBlock, ImageContent, Message, ThinkingContent, ToolCall, ToolResultMessage, UserContent,
};
use crate::text::is_blank;

/// The provider refuses messages without text.
const EMPTY: &str = "<empty>";

/// The body's `messages`. The provider refuses two of one role in a row, so those become one.
///
/// # Errors
/// [`RequestError::UnknownImageType`] for an image that the provider does not take.
pub(super) fn convert(messages: &[Arc<Message>], is_claude: bool, converted: &mut MessageList) -> Result<(), Error> {
    // Results of one answer go into one user message.
    let mut results: Vec<Value> = Vec::new();
    for message in messages {
        if let Message::ToolResult(result) = &**message {
            results.push(tool_result(result)?);
            continue;
        }
        flush(&mut results, converted);
        match &**message {
            Message::User(message) => push(converted, user(&message.content)?),
            Message::Assistant(message) => {
                if let Some(answer) = assistant(message, is_claude) {
                    push(converted, answer);
                }
            }
            Message::ToolResult(_) | Message::Other(_) => {}
        }
    }
    flush(&mut results, converted);
    Ok(())
}

fn flush(results: &mut Vec<Value>, converted: &mut MessageList) {
    if !results.is_empty() {
        push(converted, message("user", std::mem::take(results).into()));
    }
}

/// Appends a message, or its blocks to the message before it.
fn push(converted: &mut MessageList, mut message: Value) {
    if let Some(last) = converted.last_mut().filter(|last| last["role"] == message["role"])
        && let (Value::Array(blocks), Value::Array(more)) = (&mut last["content"], &mut message["content"])
    {
        blocks.append(more);
    } else {
        converted.push(message);
    }
}

/// Ends the prompt with a cache point, if the user or a tool has the last word.
pub(super) fn mark_last(messages: &mut MessageList, cache_point: &Value) {
    let last = messages.last_mut().filter(|last| last["role"] == "user");
    if let Some(content) = last.and_then(|last| last["content"].as_array_mut()) {
        content.push(cache_point.clone());
    }
}

fn user(content: &UserContent) -> Result<Value, Error> {
    let blocks = match content {
        UserContent::Text(text) => some_text(text).into_iter().collect(),
        UserContent::Blocks(blocks) => texts_and_images(blocks)?,
    };
    Ok(message("user", not_empty(blocks)))
}

fn assistant(answer: &AssistantMessage, is_claude: bool) -> Option<Value> {
    let blocks = answer.content.iter().filter_map(|block| match block {
        ContentBlock::Text(text) => some_text(&text.text),
        ContentBlock::Thinking(block) => thinking(block, is_claude),
        ContentBlock::ToolCall(call) => Some(tool_use(call)),
        ContentBlock::Image(_) | ContentBlock::Other(_) => None,
    });
    let blocks: Vec<Value> = blocks.collect();
    (!blocks.is_empty()).then(|| message("assistant", blocks.into()))
}

fn text_block(text: &str) -> Value {
    object([("text", text.into())])
}

fn some_text(text: &str) -> Option<Value> {
    (!is_blank(text)).then(|| text_block(text))
}

fn not_empty(blocks: Vec<Value>) -> Value {
    if blocks.is_empty() { vec![text_block(EMPTY)].into() } else { blocks.into() }
}

fn texts_and_images(blocks: &[ContentBlock]) -> Result<Vec<Value>, Error> {
    let converted = blocks.iter().filter_map(|block| match block {
        ContentBlock::Text(text) => some_text(&text.text).map(Ok),
        ContentBlock::Image(image) => Some(image_block(image)),
        _ => None,
    });
    converted.collect()
}

fn image_block(image: &ImageContent) -> Result<Value, Error> {
    let format = match image.mime_type.as_str() {
        "image/jpeg" | "image/jpg" => "jpeg",
        "image/png" => "png",
        "image/gif" => "gif",
        "image/webp" => "webp",
        other => return Err(Error::Request(RequestError::UnknownImageType { mime_type: other.to_owned() })),
    };
    let source = object([("bytes", image.data.as_str().into())]);
    Ok(object([("image", object([("format", format.into()), ("source", source)]))]))
}

/// Anthropic's thinking goes back signed or not at all; what is unsigned can only be quoted as text.
fn thinking(block: &ThinkingContent, is_claude: bool) -> Option<Value> {
    let signature = block.thinking_signature.as_deref().filter(|signature| !is_blank(signature));
    if block.redacted == Some(true) {
        return signature.map(|data| json!({"reasoningContent": {"redactedContent": data}}));
    }
    if is_blank(&block.thinking) {
        return None;
    }
    let reasoning = match (is_claude, signature) {
        (true, None) => return Some(text_block(&block.thinking)),
        (true, Some(signature)) => json!({"text": block.thinking, "signature": signature}),
        (false, _) => json!({"text": block.thinking}),
    };
    Some(json!({"reasoningContent": {"reasoningText": reasoning}}))
}

fn tool_use(call: &ToolCall) -> Value {
    let input = arguments_object(&call.arguments);
    let entries = [("toolUseId", call.id.as_str().into()), ("name", call.name.as_str().into()), ("input", input)];
    object([("toolUse", object(entries))])
}

fn tool_result(result: &ToolResultMessage) -> Result<Value, Error> {
    let status = if result.is_error { "error" } else { "success" };
    let entries = [
        ("toolUseId", result.tool_call_id.as_str().into()),
        ("content", not_empty(texts_and_images(&result.content)?)),
        ("status", status.into()),
    ];
    Ok(object([("toolResult", object(entries))]))
}
