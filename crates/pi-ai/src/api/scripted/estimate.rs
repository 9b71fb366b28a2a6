//! Token counts without a tokenizer: one token per four UTF-16 units, caching by common prefix.

use crate::context::Context;
use crate::message::{AssistantMessage, ContentBlock, Message, UserContent};
use crate::usage::Usage;

/// Tokens of a text.
fn tokens(text: &str) -> u64 {
    text.encode_utf16().count().div_ceil(4) as u64
}

/// The prompt as one text: the parts that a provider would cache, in order.
pub(super) fn prompt_text(context: &Context) -> String {
    let system = context.system_prompt.iter().map(|prompt| format!("system:{prompt}"));
    let messages = context.messages.iter().map(|message| format!("{}:{}", message.role(), message_text(message)));
    let tools = (!context.tools.is_empty()).then(|| format!("tools:{}", json(&context.tools)));
    system.chain(messages).chain(tools).collect::<Vec<_>>().join("\n\n")
}

/// Usage of a prompt. `cached` is the previous prompt of the session; `None` means that nothing is cached.
pub(super) fn prompt_usage(prompt: &str, cached: Option<&str>) -> Usage {
    let all = tokens(prompt);
    let Some(cached) = cached else { return Usage { input: all, ..Usage::default() } };
    let (shared, rest) = prompt.split_at(common_prefix(prompt, cached));
    let cache_read = tokens(shared);
    Usage { input: all.saturating_sub(cache_read), cache_read, cache_write: tokens(rest), ..Usage::default() }
}

/// Adds the answer to a prompt's usage.
pub(super) fn with_answer(prompt: Usage, answer: &AssistantMessage) -> Usage {
    let usage = Usage { output: tokens(&blocks_text(&answer.content)), ..prompt };
    Usage { total_tokens: usage.sum(), ..usage }
}

/// Length in bytes of what two texts have in common at their start, on a character boundary.
fn common_prefix(a: &str, b: &str) -> usize {
    let same = a.char_indices().zip(b.chars()).take_while(|((_, x), y)| x == y);
    same.last().map_or(0, |((index, character), _)| index + character.len_utf8())
}

fn message_text(message: &Message) -> String {
    match message {
        Message::User(user) => match &user.content {
            UserContent::Text(text) => text.clone(),
            UserContent::Blocks(blocks) => blocks_text(blocks),
        },
        Message::Assistant(assistant) => blocks_text(&assistant.content),
        Message::ToolResult(result) => [result.tool_name.clone(), blocks_text(&result.content)].join("\n"),
        Message::Other(other) => json(other),
    }
}

fn blocks_text(blocks: &[ContentBlock]) -> String {
    blocks.iter().map(block_text).collect::<Vec<_>>().join("\n")
}

fn block_text(block: &ContentBlock) -> String {
    match block {
        ContentBlock::Text(text) => text.text.clone(),
        ContentBlock::Thinking(thinking) => thinking.thinking.clone(),
        ContentBlock::Image(image) => format!("[image:{}:{}]", image.mime_type, image.data.len()),
        ContentBlock::ToolCall(call) => format!("{}:{}", call.name, call.arguments),
        ContentBlock::Other(other) => other.to_string(),
    }
}

fn json(value: &impl serde::Serialize) -> String {
    // Values of our own types always serialise; an empty text only makes the estimate smaller.
    serde_json::to_string(value).unwrap_or_default()
}
