//! Blocks of an assistant message: opaque provider data goes back only to the model that made it.

use std::collections::HashMap;

use crate::message::{AssistantMessage, ContentBlock, TextContent, ThinkingContent, ToolCall};
use crate::model::Model;
use crate::text::is_blank;

use super::is_own;

/// The message as `model` may see it; `None` when it stays as it is. Ids that change are noted in `new_ids`.
pub(super) fn adapt(
    message: &AssistantMessage,
    model: &Model,
    normalise_id: &impl Fn(&str, &AssistantMessage) -> String,
    new_ids: &mut HashMap<String, String>,
) -> Option<AssistantMessage> {
    let content = if is_own(message, model) {
        own(&message.content)?
    } else {
        for call in message.tool_calls() {
            let new = normalise_id(&call.id, message);
            if new != call.id {
                new_ids.insert(call.id.clone(), new);
            }
        }
        foreign(&message.content, new_ids)?
    };
    Some(with_content(message, content))
}

/// A copy of everything but the content.
fn with_content(message: &AssistantMessage, content: Vec<ContentBlock>) -> AssistantMessage {
    AssistantMessage {
        content,
        api: message.api.clone(),
        provider: message.provider.clone(),
        model: message.model.clone(),
        usage: message.usage.clone(),
        stop_reason: message.stop_reason.clone(),
        timestamp: message.timestamp,
        ..AssistantMessage::default()
    }
}

/// The model's own blocks without empty thinking; `None` when there is none.
fn own(blocks: &[ContentBlock]) -> Option<Vec<ContentBlock>> {
    let is_empty = |block: &ContentBlock| match block {
        ContentBlock::Thinking(thinking) => {
            !is_redacted(thinking) && !is_signed(thinking) && is_blank(&thinking.thinking)
        }
        _ => false,
    };
    blocks.iter().any(is_empty).then(|| blocks.iter().filter(|block| !is_empty(block)).cloned().collect())
}

/// Blocks of another model: thinking becomes text, opaque data goes. `None` when there is nothing to change.
fn foreign(blocks: &[ContentBlock], new_ids: &HashMap<String, String>) -> Option<Vec<ContentBlock>> {
    let is_plain = |block: &ContentBlock| match block {
        ContentBlock::Text(text) => text.text_signature.is_none(),
        ContentBlock::ToolCall(call) => call.thought_signature.is_none() && !new_ids.contains_key(&call.id),
        _ => false,
    };
    (!blocks.iter().all(is_plain)).then(|| blocks.iter().filter_map(|block| convert(block, new_ids)).collect())
}

fn convert(block: &ContentBlock, new_ids: &HashMap<String, String>) -> Option<ContentBlock> {
    match block {
        ContentBlock::Thinking(thinking) => {
            let readable = !is_redacted(thinking) && !is_blank(&thinking.thinking);
            readable.then(|| ContentBlock::text(&thinking.thinking))
        }
        ContentBlock::Text(TextContent { text, .. }) => Some(ContentBlock::text(text)),
        ContentBlock::ToolCall(call) => Some(ContentBlock::ToolCall(ToolCall {
            id: new_ids.get(&call.id).unwrap_or(&call.id).clone(),
            name: call.name.clone(),
            arguments: call.arguments.clone(),
            thought_signature: None,
            extra: call.extra.clone(),
        })),
        ContentBlock::Image(_) | ContentBlock::Other(_) => None,
    }
}

fn is_redacted(thinking: &ThinkingContent) -> bool {
    thinking.redacted == Some(true)
}

fn is_signed(thinking: &ThinkingContent) -> bool {
    thinking.thinking_signature.as_deref().is_some_and(|signature| !signature.is_empty())
}
