//! How long a conversation will be as JSON text, so that its room is asked for once.
//!
//! A guess on the large side: memory that is asked for and not written to costs nothing. No wire format is known here.

use serde_json::Value;

use crate::context::Context;
use crate::message::{ContentBlock, Message, UserContent};

/// What formats put around a message or a block, in bytes.
const FRAME: usize = 96;

/// The expected length of all messages, in bytes.
pub(super) fn expected(context: &Context) -> usize {
    let prompt = context.system_prompt.as_deref().map_or(0, escaped);
    context.messages.iter().fold(FRAME + prompt, |sum, entry| sum + FRAME + message(entry))
}

fn message(message: &Message) -> usize {
    match message {
        Message::User(user) => match &user.content {
            UserContent::Text(text) => escaped(text),
            UserContent::Blocks(content) => blocks(content),
        },
        Message::Assistant(answer) => blocks(&answer.content),
        Message::ToolResult(result) => FRAME + blocks(&result.content),
        Message::Other(_) => 0,
    }
}

fn blocks(blocks: &[ContentBlock]) -> usize {
    blocks.iter().fold(0, |sum, entry| sum + FRAME + block(entry))
}

fn block(block: &ContentBlock) -> usize {
    let signature = |signature: &Option<String>| signature.as_ref().map_or(0, String::len);
    match block {
        ContentBlock::Text(text) => escaped(&text.text) + signature(&text.text_signature),
        ContentBlock::Thinking(block) => escaped(&block.thinking) + signature(&block.thinking_signature),
        ContentBlock::Image(image) => image.data.len(),
        ContentBlock::ToolCall(call) => value(&call.arguments) + signature(&call.thought_signature),
        ContentBlock::Other(_) => 0,
    }
}

/// Quotes and line ends take two bytes.
fn escaped(text: &str) -> usize {
    text.len() + text.len() / 8
}

fn value(json: &Value) -> usize {
    const PUNCTUATION: usize = 8;
    match json {
        Value::String(text) => PUNCTUATION + escaped(text),
        Value::Array(values) => values.iter().fold(PUNCTUATION, |sum, entry| sum + value(entry)),
        Value::Object(fields) => fields.iter().fold(PUNCTUATION, |sum, (key, entry)| sum + key.len() + value(entry)),
        Value::Null | Value::Bool(_) | Value::Number(_) => 3 * PUNCTUATION,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn room_is_enough_for_a_plain_conversation_and_not_absurd() {
        let answer = json!({"role": "assistant", "content": [
            {"type": "text", "text": "line\n".repeat(200)},
            {"type": "toolCall", "id": "call_1", "name": "edit", "arguments": {"path": "a.rs", "lines": [1, 2, {"a": null}]}},
        ]});
        let result = json!({"role": "toolResult", "toolCallId": "call_1", "toolName": "edit", "content": [
            {"type": "image", "data": "A".repeat(3000), "mimeType": "image/png"},
        ]});
        let messages = json!([{"role": "user", "content": "do it"}, answer, result]);
        let context: Context = serde_json::from_value(json!({"messages": messages})).unwrap();
        let written = messages.to_string().len();
        let expected = expected(&context);
        assert!((written..2 * written).contains(&expected), "{expected} for {written}");
    }
}
