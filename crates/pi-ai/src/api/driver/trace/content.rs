//! What was said, as the attributes of OpenTelemetry's conventions hold it: messages of typed parts, as JSON text.

use serde_json::{Value, json};
use tracing::Span;

use super::finish_reason;
use crate::context::Context;
use crate::message::{AssistantMessage, ContentBlock, Message, UserContent};

/// Notes instructions and transcript.
pub(super) fn record_prompt(span: &Span, context: &Context) {
    if let Some(prompt) = context.system_prompt.as_deref() {
        span.record("gen_ai.system_instructions", json!([text(prompt)]).to_string());
    }
    let messages: Value = context.messages.iter().filter_map(|entry| message(entry)).collect();
    span.record("gen_ai.input.messages", messages.to_string());
}

/// Notes the answer.
pub(super) fn record_answer(span: &Span, answer: &AssistantMessage) {
    let answer = json!([{
        "role": "assistant",
        "parts": parts(&answer.content),
        "finish_reason": finish_reason(answer),
    }]);
    span.record("gen_ai.output.messages", answer.to_string());
}

/// A message of the transcript; `None` for roles that no model sees.
fn message(message: &Message) -> Option<Value> {
    Some(match message {
        Message::User(user) => match &user.content {
            UserContent::Text(prompt) => json!({"role": "user", "parts": [text(prompt)]}),
            UserContent::Blocks(blocks) => json!({"role": "user", "parts": parts(blocks)}),
        },
        Message::Assistant(answer) => json!({"role": "assistant", "parts": parts(&answer.content)}),
        Message::ToolResult(result) => {
            let response = parts(&result.content);
            let part = json!({"type": "tool_call_response", "id": result.tool_call_id, "response": response});
            json!({"role": "tool", "parts": [part]})
        }
        Message::Other(_) => return None,
    })
}

fn parts(blocks: &[ContentBlock]) -> Vec<Value> {
    blocks.iter().filter_map(part).collect()
}

fn part(block: &ContentBlock) -> Option<Value> {
    Some(match block {
        ContentBlock::Text(block) => text(&block.text),
        ContentBlock::Thinking(block) => json!({"type": "reasoning", "content": block.thinking}),
        ContentBlock::Image(image) => {
            json!({"type": "blob", "modality": "image", "mime_type": image.mime_type, "content": image.data})
        }
        ContentBlock::ToolCall(call) => {
            json!({"type": "tool_call", "id": call.id, "name": call.name, "arguments": call.arguments})
        }
        ContentBlock::Other(_) => return None,
    })
}

fn text(text: &str) -> Value {
    json!({"type": "text", "content": text})
}
