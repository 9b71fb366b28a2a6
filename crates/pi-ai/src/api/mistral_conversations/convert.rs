//! Messages of the transcript as messages of Mistral's SDK.

use std::cell::RefCell;

use serde_json::{Map, Value, json};

use crate::api::content::{SEE_IMAGE, images, joined_text, message, object, text_part};
use crate::context::Context;
use crate::handoff;
use crate::message::{AssistantMessage, ContentBlock, ImageContent, Message, ToolCall, ToolResultMessage, UserContent};
use crate::model::Model;
use crate::options::StreamOptions;
use crate::text::{is_blank, trim};

use super::ids::Ids;

/// Stands before the text of a failed tool call; the format has no other mark for it.
const FAILED: &str = "[tool error] ";
/// Stands for the text of a tool result that is empty.
const NO_OUTPUT: &str = "(no tool output)";

/// The payload's `messages`: instructions first, then the transcript.
pub(super) fn messages(model: &Model, context: &Context, options: &StreamOptions) -> Vec<Value> {
    let ids = RefCell::new(Ids::default());
    let now = options.clock.now_ms();
    let transcript = handoff::transform(&context.messages, model, |id, _| ids.borrow_mut().legal(id), now);
    let system = context.system_prompt.as_deref().filter(|prompt| !prompt.is_empty());
    let system = system.map(|prompt| message("system", prompt.into()));
    let converted = transcript.iter().filter_map(|entry| match &**entry {
        Message::User(user) => user_content(&user.content).map(|content| message("user", content)),
        Message::Assistant(answer) => assistant(answer),
        Message::ToolResult(result) => Some(tool_result(result)),
        Message::Other(_) => None,
    });
    system.into_iter().chain(converted).collect()
}

/// Content of a user message; `None` when there is nothing to send. Images that the model cannot see are already gone.
fn user_content(content: &UserContent) -> Option<Value> {
    match content {
        UserContent::Text(text) => Some(text.as_str().into()),
        UserContent::Blocks(blocks) => {
            let parts: Vec<Value> = blocks.iter().filter_map(user_part).collect();
            (!parts.is_empty()).then_some(parts.into())
        }
    }
}

fn user_part(block: &ContentBlock) -> Option<Value> {
    match block {
        ContentBlock::Text(text) => Some(text_part(&text.text)),
        ContentBlock::Image(image) => Some(image_part(image)),
        _ => None,
    }
}

fn image_part(image: &ImageContent) -> Value {
    let url = format!("data:{};base64,{}", image.mime_type, image.data);
    object([("type", "image_url".into()), ("imageUrl", url.into())])
}

/// The message; `None` when neither content nor tool calls are left.
fn assistant(answer: &AssistantMessage) -> Option<Value> {
    let parts: Vec<Value> = answer.content.iter().filter_map(assistant_part).collect();
    let calls: Vec<Value> = answer.tool_calls().map(tool_call).collect();
    if parts.is_empty() && calls.is_empty() {
        return None;
    }
    let mut converted = Map::new();
    converted.insert("role".into(), "assistant".into());
    for (key, values) in [("content", parts), ("toolCalls", calls)] {
        if !values.is_empty() {
            converted.insert(key.into(), values.into());
        }
    }
    Some(converted.into())
}

fn assistant_part(block: &ContentBlock) -> Option<Value> {
    match block {
        ContentBlock::Text(text) if !is_blank(&text.text) => Some(text_part(&text.text)),
        ContentBlock::Thinking(block) if !is_blank(&block.thinking) => {
            let thoughts = vec![text_part(&block.thinking)];
            Some(object([("type", "thinking".into()), ("thinking", thoughts.into())]))
        }
        _ => None,
    }
}

fn tool_call(call: &ToolCall) -> Value {
    let arguments = if call.arguments.is_null() { "{}".to_owned() } else { call.arguments.to_string() };
    json!({"id": call.id, "type": "function", "function": {"name": call.name, "arguments": arguments}})
}

fn tool_result(result: &ToolResultMessage) -> Value {
    let mut parts = vec![text_part(&result_text(result))];
    parts.extend(images(&result.content).map(image_part));
    object([
        ("role", "tool".into()),
        ("toolCallId", result.tool_call_id.as_str().into()),
        ("name", result.tool_name.as_str().into()),
        ("content", parts.into()),
    ])
}

/// The text of a result, which is never empty.
fn result_text(result: &ToolResultMessage) -> String {
    let text = joined_text(&result.content);
    let text = match trim(&text) {
        "" if images(&result.content).next().is_some() => SEE_IMAGE,
        "" => NO_OUTPUT,
        text => text,
    };
    format!("{}{text}", if result.is_error { FAILED } else { "" })
}
