//! Bedrock's Converse.

use serde_json::Value;

use super::{Calls, demand, plain_id, some, string};

pub(in super::super) fn bedrock(body: &Value) -> Result<(), String> {
    let mut calls = Calls::default();
    let mut last = "assistant";
    for message in some(&body["messages"], "messages")? {
        let role = string(&message["role"], "a role")?;
        demand(matches!(role, "user" | "assistant"), || format!("{role} is no role"))?;
        demand(role != last, || format!("two messages of the {role} in a row, or an answer comes first"))?;
        last = role;
        if role == "assistant" {
            calls.settled("an answer")?;
        }
        for block in some(&message["content"], "the content of a message")? {
            if let Some(result) = block.get("toolResult") {
                calls.result(plain_id(&result["toolUseId"], 64)?)?;
                some(&result["content"], "a result")?.iter().try_for_each(has_text)?;
            } else if let Some(call) = block.get("toolUse") {
                demand(call["input"].is_object(), || format!("the input is no object: {call}"))?;
                calls.call(plain_id(&call["toolUseId"], 64)?)?;
            } else {
                has_text(block)?;
            }
        }
        if role == "user" {
            calls.settled("the end of a user message")?;
        }
    }
    calls.settled("the end")
}

fn has_text(block: &Value) -> Result<(), String> {
    let text = block.get("text").or_else(|| block.pointer("/reasoningContent/reasoningText/text"));
    demand(text.is_none_or(|text| text.as_str().is_some_and(|text| !text.trim().is_empty())), || "a blank text".into())
}
