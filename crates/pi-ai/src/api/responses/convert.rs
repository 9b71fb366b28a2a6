//! A transcript as the body's `input`.

use serde_json::Value;

use crate::api::content::{SEE_IMAGE, images, joined_text, message, object};
use crate::api::payload::MessageList;
use crate::api::quirks::flag;
use crate::context::Context;
use crate::handoff;
use crate::message::{AssistantMessage, ContentBlock, ImageContent, Message, ToolResultMessage, UserContent};
use crate::model::Model;

use super::{assistant, ids};

/// The field of the body.
pub(crate) const INPUT: &str = "input";

/// The instructions as the first input item, if there are any.
pub(crate) fn instructions(context: &Context, model: &Model) -> Option<Value> {
    let prompt = context.system_prompt.as_deref().filter(|prompt| !prompt.is_empty())?;
    let knows_developer = flag(model, "supportsDeveloperRole").unwrap_or(true);
    Some(message(if model.reasoning && knows_developer { "developer" } else { "system" }, prompt.into()))
}

/// Appends the items of the transcript, prepared for `model`. `two_part` lists the providers that know two-part tool call ids,
/// `now` is the time that made-up tool results carry.
pub(crate) fn input(context: &Context, model: &Model, two_part: &[&str], now: i64, items: &mut MessageList) {
    let normalise = |id: &str, source: &AssistantMessage| ids::normalise(id, source, model, two_part);
    let transcript = handoff::transform(&context.messages, model, normalise, now);
    // Messages that leave no trace do not count.
    let mut index = 0;
    for entry in &transcript {
        let of_entry = match &**entry {
            Message::User(user) => user_message(&user.content).into_iter().collect(),
            Message::Assistant(answer) => assistant::items(answer, model, index),
            Message::ToolResult(result) => vec![output(result, model)],
            Message::Other(_) => Vec::new(),
        };
        index += usize::from(!of_entry.is_empty());
        items.extend(of_entry);
    }
}

/// A user message; `None` when there is nothing to send.
fn user_message(content: &UserContent) -> Option<Value> {
    let parts = match content {
        UserContent::Text(text) => vec![input_text(text)],
        UserContent::Blocks(blocks) => blocks.iter().filter_map(part).collect(),
    };
    (!parts.is_empty()).then(|| message("user", parts.into()))
}

fn part(block: &ContentBlock) -> Option<Value> {
    match block {
        ContentBlock::Text(text) => Some(input_text(&text.text)),
        ContentBlock::Image(image) => Some(input_image(image)),
        _ => None,
    }
}

fn output(result: &ToolResultMessage, model: &Model) -> Value {
    let (call_id, _) = ids::split(&result.tool_call_id);
    object([
        ("type", "function_call_output".into()),
        ("call_id", call_id.into()),
        ("output", output_content(&result.content, model)),
    ])
}

/// Text, or text and images where the model can see them.
fn output_content(blocks: &[ContentBlock], model: &Model) -> Value {
    let text = joined_text(blocks);
    let mut pictures = images(blocks).filter(|_| model.accepts_images()).peekable();
    if pictures.peek().is_none() {
        return if text.is_empty() { SEE_IMAGE.into() } else { text.into() };
    }
    let text = (!text.is_empty()).then(|| input_text(&text));
    text.into_iter().chain(pictures.map(input_image)).collect()
}

fn input_text(text: &str) -> Value {
    object([("type", "input_text".into()), ("text", text.into())])
}

fn input_image(image: &ImageContent) -> Value {
    let url = format!("data:{};base64,{}", image.mime_type, image.data);
    object([("type", "input_image".into()), ("detail", "auto".into()), ("image_url", url.into())])
}
