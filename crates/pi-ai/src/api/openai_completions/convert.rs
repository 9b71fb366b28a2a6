//! Messages of the transcript as messages of this format.

use std::sync::Arc;

use serde_json::{Map, Value};

use crate::api::content::{SEE_IMAGE, images, joined_text, message, object, text_part};
use crate::api::payload::MessageList;
use crate::context::Context;
use crate::message::{ContentBlock, ImageContent, Message, ToolResultMessage, UserContent};
use crate::model::Model;

use super::assistant;
use super::compat::Compat;

/// Stands between a tool result and a user message where endpoints insist on an answer in between.
const BRIDGE: &str = "I have processed the tool results.";
/// Stands for the text of a tool result that is empty.
const NO_OUTPUT: &str = "(no output)";
/// Introduces the images of tool results, which only user messages can hold.
const IMAGES_FOLLOW: &str = "Attached image(s) from tool result:";

/// The body's `messages`, appended to `converted`: instructions first, then the transcript.
pub(super) fn convert(
    context: &Context,
    transcript: &[Arc<Message>],
    model: &Model,
    compat: &Compat<'_>,
    converted: MessageList,
) -> MessageList {
    let mut converter = Converter { model, compat, converted, images: Vec::new(), after_result: false };
    if let Some(prompt) = context.system_prompt.as_deref().filter(|prompt| !prompt.is_empty()) {
        let role = if model.reasoning && compat.supports_developer_role { "developer" } else { "system" };
        converter.converted.push(message(role, prompt.into()));
    }
    for entry in transcript {
        converter.add(entry);
    }
    converter.flush_images();
    converter.converted
}

struct Converter<'a> {
    model: &'a Model,
    compat: &'a Compat<'a>,
    converted: MessageList,
    /// Images of the run of tool results that is being converted.
    images: Vec<Value>,
    /// The last message is a tool result.
    after_result: bool,
}

impl Converter<'_> {
    fn add(&mut self, entry: &Message) {
        if !matches!(entry, Message::ToolResult(_)) {
            self.flush_images();
        }
        match entry {
            Message::User(user) => {
                if let Some(content) = user_content(&user.content) {
                    self.push_user(content);
                }
            }
            Message::Assistant(answer) => {
                if let Some(answer) = assistant::convert(answer, self.model, self.compat) {
                    self.converted.push(answer);
                    self.after_result = false;
                }
            }
            Message::ToolResult(result) => self.push_result(result),
            Message::Other(_) => {}
        }
    }

    fn push_user(&mut self, content: Value) {
        if self.compat.requires_assistant_after_tool_result && self.after_result {
            self.converted.push(message("assistant", BRIDGE.into()));
        }
        self.converted.push(message("user", content));
        self.after_result = false;
    }

    fn push_result(&mut self, result: &ToolResultMessage) {
        let text = joined_text(&result.content);
        let mut converted = Map::new();
        converted.insert("role".into(), "tool".into());
        converted.insert("content".into(), if text.is_empty() { without_text(result).into() } else { text.into() });
        converted.insert("tool_call_id".into(), result.tool_call_id.as_str().into());
        if self.compat.requires_tool_result_name && !result.tool_name.is_empty() {
            converted.insert("name".into(), result.tool_name.as_str().into());
        }
        self.converted.push(Value::Object(converted));
        self.after_result = true;
        if self.model.accepts_images() {
            self.images.extend(images(&result.content).map(image_part));
        }
    }

    /// Sends the images of a run of tool results after the run.
    fn flush_images(&mut self) {
        if self.images.is_empty() {
            return;
        }
        let mut parts = vec![text_part(IMAGES_FOLLOW)];
        parts.append(&mut self.images);
        self.push_user(parts.into());
    }
}

/// Stands for the text that a tool result must have here.
fn without_text(result: &ToolResultMessage) -> &'static str {
    if images(&result.content).next().is_some() { SEE_IMAGE } else { NO_OUTPUT }
}

/// Content of a user message; `None` when there is nothing to send.
fn user_content(content: &UserContent) -> Option<Value> {
    match content {
        UserContent::Text(text) => Some(text.as_str().into()),
        UserContent::Blocks(blocks) => {
            let parts: Vec<Value> = blocks.iter().filter_map(part).collect();
            (!parts.is_empty()).then_some(parts.into())
        }
    }
}

fn part(block: &ContentBlock) -> Option<Value> {
    match block {
        ContentBlock::Text(text) => Some(text_part(&text.text)),
        ContentBlock::Image(image) => Some(image_part(image)),
        _ => None,
    }
}

fn image_part(image: &ImageContent) -> Value {
    let url = format!("data:{};base64,{}", image.mime_type, image.data);
    object([("type", "image_url".into()), ("image_url", object([("url", url.into())]))])
}
