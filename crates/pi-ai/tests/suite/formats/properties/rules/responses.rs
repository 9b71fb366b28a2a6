//! OpenAI's Responses and its hosts.

use serde_json::Value;

use super::{Calls, demand, plain_id, some, string};

pub(in super::super) fn responses(body: &Value) -> Result<(), String> {
    let mut calls = Calls::default();
    let mut reasoning_waits = false;
    for item in some(&body["input"], "input")? {
        let kind = item["type"].as_str().unwrap_or("message");
        match kind {
            "reasoning" => string(&item["id"], "the id of reasoning").map(|_| ())?,
            "function_call" => {
                calls.call(plain_id(&item["call_id"], 64)?)?;
                string(&item["arguments"], "arguments")?;
                if let Some(id) = item.get("id") {
                    demand(plain_id(id, 64)?.starts_with("fc_"), || format!("the item id {id} is not legal"))?;
                }
            }
            "function_call_output" => {
                calls.result(plain_id(&item["call_id"], 64)?)?;
                demand(item["output"].is_string() || !some(&item["output"], "an output")?.is_empty(), String::new)?;
            }
            "message" => message(item)?,
            other => return Err(format!("an item of type {other}")),
        }
        let is_output = kind == "function_call" || item["role"] == "assistant";
        demand(!reasoning_waits || is_output || kind == "reasoning", || {
            "reasoning is not followed by its item".into()
        })?;
        reasoning_waits = kind == "reasoning";
    }
    demand(!reasoning_waits, || "reasoning is not followed by its item".into())?;
    calls.settled("the end")
}

fn message(item: &Value) -> Result<(), String> {
    match string(&item["role"], "a role")? {
        "assistant" => {
            demand(plain_id(&item["id"], 64)?.starts_with("msg_"), || format!("the id {} is not legal", item["id"]))?;
            some(&item["content"], "the content of an answer").map(|_| ())
        }
        "user" => some(&item["content"], "the content of a user message").map(|_| ()),
        "system" | "developer" => string(&item["content"], "instructions").map(|_| ()),
        other => Err(format!("{other} is no role")),
    }
}
