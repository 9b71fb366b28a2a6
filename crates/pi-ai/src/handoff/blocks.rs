//! Blocks of an assistant message: opaque provider data goes back only to the model that made it.

use crate::message::{AssistantMessage, ContentBlock, TextContent, ThinkingContent, ToolCall};
use crate::text::is_blank;

/// The message as `model` may see it, its calls under these ids; `None` when it stays as it is.
pub(super) fn adapt(message: &AssistantMessage, is_own: bool, ids: &[String]) -> Option<AssistantMessage> {
    let content = if is_own { own(&message.content)? } else { foreign(message, ids)? };
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
fn foreign(message: &AssistantMessage, ids: &[String]) -> Option<Vec<ContentBlock>> {
    let is_plain = |block: &ContentBlock| match block {
        ContentBlock::Text(text) => text.text_signature.is_none(),
        ContentBlock::ToolCall(call) => call.thought_signature.is_none(),
        _ => false,
    };
    let renamed = message.tool_calls().zip(ids).any(|(call, id)| call.id != *id);
    if !renamed && message.content.iter().all(is_plain) {
        return None;
    }
    let mut ids = ids.iter();
    Some(message.content.iter().filter_map(|block| convert(block, &mut ids)).collect())
}

/// One block; a call takes the next id.
fn convert<'a>(block: &ContentBlock, ids: &mut impl Iterator<Item = &'a String>) -> Option<ContentBlock> {
    match block {
        ContentBlock::Thinking(thinking) => {
            let readable = !is_redacted(thinking) && !is_blank(&thinking.thinking);
            readable.then(|| ContentBlock::text(&thinking.thinking))
        }
        ContentBlock::Text(TextContent { text, .. }) => Some(ContentBlock::text(text)),
        ContentBlock::ToolCall(call) => Some(ContentBlock::from(ToolCall {
            id: ids.next().unwrap_or(&call.id).clone(),
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
