//! An answer of the transcript as input items: reasoning, messages, function calls.

use serde_json::{Map, Value};

use crate::api::content::object;
use crate::message::{AssistantMessage, ContentBlock, TextContent, ThinkingContent, ToolCall};
use crate::model::Model;
use crate::provider::is_same_provider;

use super::{ids, signature};

/// The items of an answer. `index` is its place in the transcript; messages that have no id of their own are named
/// after it.
pub(crate) fn items(message: &AssistantMessage, model: &Model, index: usize) -> Vec<Value> {
    let mut texts = 0;
    let item = |block: &ContentBlock| match block {
        ContentBlock::Thinking(thinking) => reasoning(thinking),
        ContentBlock::Text(text) => {
            texts += 1;
            Some(output_message(text, index, texts - 1))
        }
        ContentBlock::ToolCall(call) => Some(function_call(call, message, model)),
        ContentBlock::Image(_) | ContentBlock::Other(_) => None,
    };
    let mut items: Vec<Value> = message.content.iter().filter_map(item).collect();
    // An answer that was cut while the model was thinking: the server refuses reasoning that nothing follows.
    let paired = items.iter().rposition(|item| item["type"] != "reasoning").map_or(0, |last| last + 1);
    items.truncate(paired);
    items
}

/// The reasoning item as the server sent it. Thinking without one cannot be sent back, nor can one that was damaged.
fn reasoning(thinking: &ThinkingContent) -> Option<Value> {
    let item: Value = serde_json::from_str(thinking.thinking_signature.as_deref()?).ok()?;
    item.is_object().then_some(item)
}

fn output_message(text: &TextContent, index: usize, nth: usize) -> Value {
    let (id, phase) = signature::read(text.text_signature.as_deref());
    let id = id.unwrap_or_else(|| match nth {
        0 => format!("msg_pi_{index}"),
        _ => format!("msg_pi_{index}_{nth}"),
    });
    let part = object([
        ("type", "output_text".into()),
        ("text", text.text.as_str().into()),
        ("annotations", Value::Array(Vec::new())),
    ]);
    let mut item = Map::new();
    item.insert("type".into(), "message".into());
    item.insert("role".into(), "assistant".into());
    item.insert("content".into(), vec![part].into());
    item.insert("status".into(), "completed".into());
    item.insert("id".into(), id.into());
    if let Some(phase) = phase {
        item.insert("phase".into(), phase.into());
    }
    Value::Object(item)
}

fn function_call(call: &ToolCall, message: &AssistantMessage, model: &Model) -> Value {
    let (call_id, item_id) = ids::split(&call.id);
    let mut item = Map::new();
    item.insert("type".into(), "function_call".into());
    if let Some(id) = item_id.filter(|id| !is_bound_to_reasoning(id, message, model)) {
        item.insert("id".into(), id.into());
    }
    item.insert("call_id".into(), call_id.into());
    item.insert("name".into(), call.name.as_str().into());
    item.insert("arguments".into(), call.arguments.to_string().into());
    Value::Object(item)
}

/// The server pairs such an item with the reasoning before it, which another model of the same server does not get.
fn is_bound_to_reasoning(item_id: &str, message: &AssistantMessage, model: &Model) -> bool {
    let same_server = is_same_provider(&message.provider, &model.provider) && message.api == model.api;
    same_server && message.model != model.id && ids::is_call_item(item_id)
}
