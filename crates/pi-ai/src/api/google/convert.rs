//! Messages of the transcript as `contents`.

use serde_json::{Map, Value};

use crate::api::content::{SEE_IMAGE, arguments_object, images, joined_text, object, plain_id};
use crate::context::Context;
use crate::handoff;
use crate::message::{AssistantMessage, ContentBlock, ImageContent, Message, ToolCall, ToolResultMessage, UserContent};
use crate::model::Model;
use crate::text::is_blank;

/// Introduces the images of a tool result for models that take them in a turn of their own.
const IMAGES_FOLLOW: &str = "Tool result image:";
/// Tool call ids may be this long, where they are sent at all.
const MAX_ID: usize = 64;
/// From this generation on Gemini takes images inside of function responses.
const NESTED_IMAGES_SINCE: u32 = 3;

/// The payload's `contents`. `now` is the time of synthetic tool results.
pub(super) fn contents(context: &Context, model: &Model, now: i64) -> Vec<Value> {
    let normalise = |id: &str, _: &AssistantMessage| {
        if takes_ids(model) { plain_id(id, MAX_ID) } else { id.to_owned() }
    };
    let transcript = handoff::transform(&context.messages, model, normalise, now);
    let mut turns = Vec::new();
    for message in transcript.iter().map(AsRef::as_ref) {
        match message {
            Message::User(user) => turns.extend(user_turn(&user.content)),
            Message::Assistant(answer) => turns.extend(model_turn(answer, model)),
            Message::ToolResult(result) => push_result(result, model, &mut turns),
            Message::Other(_) => {}
        }
    }
    turns
}

/// Other vendors' models behind this API tell calls apart by id; Gemini itself does so by order.
fn takes_ids(model: &Model) -> bool {
    ["claude-", "gpt-oss-"].iter().any(|family| model.id.starts_with(family))
}

fn turn(role: &str, parts: Vec<Value>) -> Value {
    object([("role", role.into()), ("parts", parts.into())])
}

fn text_part(text: &str) -> Value {
    object([("text", text.into())])
}

fn image_part(image: &ImageContent) -> Value {
    let data = object([("mimeType", image.mime_type.as_str().into()), ("data", image.data.as_str().into())]);
    object([("inlineData", data)])
}

/// A user's turn; `None` when there is nothing to send.
fn user_turn(content: &UserContent) -> Option<Value> {
    let parts: Vec<Value> = match content {
        UserContent::Text(text) => vec![text_part(text)],
        UserContent::Blocks(blocks) => blocks.iter().filter_map(user_part).collect(),
    };
    (!parts.is_empty()).then(|| turn("user", parts))
}

fn user_part(block: &ContentBlock) -> Option<Value> {
    match block {
        ContentBlock::Text(text) => Some(text_part(&text.text)),
        ContentBlock::Image(image) => Some(image_part(image)),
        _ => None,
    }
}

/// The model's turn; `None` when there is nothing to send.
fn model_turn(answer: &AssistantMessage, model: &Model) -> Option<Value> {
    let is_own = answer.provider == model.provider && answer.model == model.id;
    let parts: Vec<Value> = answer.content.iter().filter_map(|block| model_part(block, is_own, model)).collect();
    (!parts.is_empty()).then(|| turn("model", parts))
}

fn model_part(block: &ContentBlock, is_own: bool, model: &Model) -> Option<Value> {
    let (mut part, signature) = match block {
        ContentBlock::Text(text) if !is_blank(&text.text) => (text_part(&text.text), &text.text_signature),
        ContentBlock::Thinking(thinking) if !is_blank(&thinking.thinking) => {
            let text = thinking.thinking.as_str().into();
            let part =
                if is_own { object([("thought", true.into()), ("text", text)]) } else { object([("text", text)]) };
            (part, &thinking.thinking_signature)
        }
        ContentBlock::ToolCall(call) => (call_part(call, model), &call.thought_signature),
        _ => return None,
    };
    if let Some(signature) = signature.as_deref().filter(|signature| is_own && is_base64(signature)) {
        part["thoughtSignature"] = signature.into();
    }
    Some(part)
}

fn call_part(call: &ToolCall, model: &Model) -> Value {
    let mut function = object([("name", call.name.as_str().into()), ("args", arguments_object(&call.arguments))]);
    if takes_ids(model) {
        function["id"] = call.id.as_str().into();
    }
    object([("functionCall", function)])
}

/// What the provider itself would accept as a signature: the bytes of somebody else's would be rejected.
fn is_base64(text: &str) -> bool {
    let digits = text.trim_end_matches('=');
    text.len() - digits.len() <= 2
        && !digits.is_empty()
        && text.len().is_multiple_of(4)
        && digits.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/'))
}

/// Adds a tool result: to the turn before if that holds results, too.
fn push_result(result: &ToolResultMessage, model: &Model, turns: &mut Vec<Value>) {
    let images: Vec<Value> = images(&result.content).map(image_part).collect();
    let text = joined_text(&result.content);
    let text = if text.is_empty() && !images.is_empty() { SEE_IMAGE.to_owned() } else { text };
    let outcome = if result.is_error { "error" } else { "output" };
    let mut response = Map::new();
    response.insert("name".into(), result.tool_name.as_str().into());
    response.insert("response".into(), object([(outcome, text.into())]));
    let (nested, following) = if nests_images(&model.id) { (images, Vec::new()) } else { (Vec::new(), images) };
    if !nested.is_empty() {
        response.insert("parts".into(), nested.into());
    }
    if takes_ids(model) {
        response.insert("id".into(), result.tool_call_id.as_str().into());
    }
    let part = object([("functionResponse", response.into())]);
    match turns.last_mut().filter(|last| holds_results(last)).and_then(|last| last["parts"].as_array_mut()) {
        Some(parts) => parts.push(part),
        None => turns.push(turn("user", vec![part])),
    }
    if !following.is_empty() {
        let parts = std::iter::once(text_part(IMAGES_FOLLOW)).chain(following).collect();
        turns.push(turn("user", parts));
    }
}

fn holds_results(turn: &Value) -> bool {
    let parts = turn["parts"].as_array();
    // Results are only ever added to a turn that began with one.
    turn["role"] == "user" && parts.and_then(|parts| parts.first()?.get("functionResponse")).is_some()
}

/// Whether images may stand inside of function responses: since Gemini 3, and everywhere else.
fn nests_images(id: &str) -> bool {
    let id = id.to_lowercase();
    let Some(rest) = id.strip_prefix("gemini-") else { return true };
    let rest = rest.strip_prefix("live-").unwrap_or(rest);
    let digits = &rest[..rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())];
    digits.parse::<u32>().map_or(true, |major| major >= NESTED_IMAGES_SINCE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_are_base64() {
        for text in ["QUJD", "QUI=", "QQ==", "a+/9"] {
            assert!(is_base64(text), "{text}");
        }
        for text in ["", "====", "QUJ", "QQ=", "Q===", "QU=D", "QU-_", "reasoning_content", "é==="] {
            assert!(!is_base64(text), "{text}");
        }
    }

    #[test]
    fn generations() {
        for id in ["gemini-3-pro-preview", "gemini-live-3.1", "Gemini-10", "claude-opus", "gemini-flash-latest", "goo"]
        {
            assert!(nests_images(id), "{id}");
        }
        for id in ["gemini-2.5-flash", "gemini-live-2.5-flash", "gemini-1.5-pro"] {
            assert!(!nests_images(id), "{id}");
        }
    }
}
