//! Chat completions: OpenAI's, those of its stricter relatives, and Mistral's.

use serde_json::Value;

use super::{Calls, demand, some, string};

/// What every endpoint demands.
pub(in super::super) fn chat(body: &Value) -> Result<(), String> {
    conversation(body, |id| demand(!id.is_empty(), || "an id is empty".into()))
}

/// OpenAI limits the length of ids.
pub(in super::super) fn openai_chat(body: &Value) -> Result<(), String> {
    conversation(body, |id| demand((1..=40).contains(&id.chars().count()), || format!("the id {id:?} is too long")))
}

/// Some insist on an answer between a tool's result and the user.
pub(in super::super) fn bridged_chat(body: &Value) -> Result<(), String> {
    chat(body)?;
    let roles: Vec<&str> = some(&body["messages"], "messages")?.iter().filter_map(|m| m["role"].as_str()).collect();
    demand(!roles.windows(2).any(|pair| pair == ["tool", "user"]), || "a user speaks right after a tool".into())
}

/// Mistral's ids have nine letters and digits.
pub(in super::super) fn mistral(body: &Value) -> Result<(), String> {
    conversation(body, |id| {
        let legal = id.len() == 9 && id.chars().all(|letter| letter.is_ascii_alphanumeric());
        demand(legal, || format!("the id {id:?} is not legal"))
    })?;
    for message in some(&body["messages"], "messages")?.iter().filter(|message| message["role"] == "assistant") {
        demand(message["prefix"] == false, || "an answer is to be continued".into())?;
    }
    Ok(())
}

fn conversation(body: &Value, id_rule: impl Fn(&str) -> Result<(), String>) -> Result<(), String> {
    let mut calls = Calls::default();
    for message in some(&body["messages"], "messages")? {
        let role = string(&message["role"], "a role")?;
        if role == "tool" {
            let id = string(&message["tool_call_id"], "the id of a result")?;
            id_rule(id)?;
            calls.result(id)?;
            demand(!is_empty(&message["content"]), || "a result is empty".into())?;
            continue;
        }
        calls.settled(role)?;
        match role {
            "assistant" => answer(message, &id_rule, &mut calls)?,
            "user" | "system" | "developer" => match &message["content"] {
                Value::String(_) => {}
                content => some(content, "the content of a message").map(|_| ())?,
            },
            other => return Err(format!("{other} is no role")),
        }
    }
    calls.settled("the end")
}

fn answer(message: &Value, id_rule: impl Fn(&str) -> Result<(), String>, calls: &mut Calls) -> Result<(), String> {
    if message.get("tool_calls").is_none() {
        return demand(!is_empty(&message["content"]), || "an answer is empty".into());
    }
    for call in some(&message["tool_calls"], "the calls of an answer")? {
        demand(call["type"] == "function", || "a call of no function".into())?;
        let arguments = string(&call["function"]["arguments"], "arguments")?;
        demand(serde_json::from_str::<Value>(arguments).is_ok(), || "arguments are no JSON".into())?;
        let id = string(&call["id"], "the id of a call")?;
        id_rule(id)?;
        calls.call(id)?;
    }
    Ok(())
}

fn is_empty(content: &Value) -> bool {
    match content {
        Value::String(text) => text.is_empty(),
        Value::Array(parts) => parts.is_empty(),
        _ => true,
    }
}
