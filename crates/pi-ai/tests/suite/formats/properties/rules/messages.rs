//! Anthropic's Messages.

use serde_json::Value;

use super::{Calls, demand, plain_id, some, string};

pub(in super::super) fn anthropic(body: &Value) -> Result<(), String> {
    let mut calls = Calls::default();
    let messages = some(&body["messages"], "messages")?;
    demand(messages[0]["role"] == "user", || "the first message is not the user's".into())?;
    for message in messages {
        match (string(&message["role"], "a role")?, &message["content"]) {
            ("user", Value::String(text)) => {
                calls.settled("a user message")?;
                has_text(text)?;
            }
            ("user", content) => user(some(content, "the content of a user message")?, &mut calls)?,
            ("assistant", content) => {
                calls.settled("an answer")?;
                let blocks = some(content, "the content of an answer")?;
                blocks.iter().try_for_each(|block| answer_block(block, &mut calls))?;
            }
            (role, _) => return Err(format!("{role} is no role")),
        }
    }
    calls.settled("the end")
}

/// Results come first, and all of them in the message that follows the calls.
fn user(blocks: &[Value], calls: &mut Calls) -> Result<(), String> {
    for block in blocks {
        if block["type"] == "tool_result" {
            calls.result(plain_id(&block["tool_use_id"], 64)?)?;
            if let Some(parts) = block["content"].as_array() {
                demand(!parts.is_empty(), || "a result is an empty list".into())?;
                parts.iter().try_for_each(visible)?;
            }
        } else {
            calls.settled("a user's block")?;
            visible(block)?;
        }
    }
    calls.settled("the end of a user message")
}

fn answer_block(block: &Value, calls: &mut Calls) -> Result<(), String> {
    match string(&block["type"], "a type")? {
        "text" => has_text(string(&block["text"], "a text")?),
        "thinking" => {
            has_text(string(&block["thinking"], "thinking")?)?;
            demand(block["signature"].as_str().is_some_and(|s| !s.is_empty()), || "unsigned thinking".into())
        }
        "redacted_thinking" => demand(block["data"].as_str().is_some_and(|s| !s.is_empty()), || "no data".into()),
        "tool_use" => {
            demand(block["input"].is_object(), || format!("the input is no object: {block}"))?;
            calls.call(plain_id(&block["id"], 64)?)
        }
        other => Err(format!("an answer with a block of type {other}")),
    }
}

fn visible(block: &Value) -> Result<(), String> {
    match string(&block["type"], "a type")? {
        "text" => has_text(string(&block["text"], "a text")?),
        "image" => Ok(()),
        other => Err(format!("a block of type {other} where text and images belong")),
    }
}

fn has_text(text: &str) -> Result<(), String> {
    demand(!text.trim().is_empty(), || "a text is blank".into())
}
