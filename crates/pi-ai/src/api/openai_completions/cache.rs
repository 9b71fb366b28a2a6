//! Anthropic's cache markers inside chat completions, for routers that pass them on.

use serde_json::Value;

use crate::api::cache_control::mark;
use crate::api::content::text_part;

/// Marks the instructions, the last tool and the last message with text.
pub(super) fn mark_all(messages: &mut [Value], tools: &mut [Value], marker: &Value) {
    let is = |message: &Value, roles: [&str; 2]| message["role"].as_str().is_some_and(|role| roles.contains(&role));
    if let Some(system) = messages.iter_mut().find(|message| is(message, ["system", "developer"])) {
        mark_text(system, marker);
    }
    if let Some(tool) = tools.last_mut() {
        mark(tool, marker);
    }
    for message in messages.iter_mut().rev().filter(|message| is(message, ["user", "assistant"])) {
        if mark_text(message, marker) {
            break;
        }
    }
}

/// Marks the last text of a message; false when it has none.
fn mark_text(message: &mut Value, marker: &Value) -> bool {
    match &mut message["content"] {
        Value::String(text) if !text.is_empty() => {
            let mut part = text_part(text);
            mark(&mut part, marker);
            message["content"] = vec![part].into();
            true
        }
        Value::Array(parts) => match parts.iter_mut().rev().find(|part| part["type"] == "text") {
            Some(part) => {
                mark(part, marker);
                true
            }
            None => false,
        },
        _ => false,
    }
}
