//! Gemini's contents.

use serde_json::Value;

use super::{demand, some, string};

pub(in super::super) fn google(body: &Value) -> Result<(), String> {
    let contents = some(&body["contents"], "contents")?;
    demand(contents[0]["role"] == "user", || "the first turn is not the user's".into())?;
    // Names of calls that wait for their responses.
    let mut open: Vec<String> = Vec::new();
    for turn in contents {
        let role = string(&turn["role"], "a role")?;
        demand(matches!(role, "user" | "model"), || format!("{role} is no role"))?;
        demand(role == "user" || open.is_empty(), || format!("{open:?} have no responses before {turn}"))?;
        for part in some(&turn["parts"], "the parts of a turn")? {
            if let Some(response) = part.get("functionResponse") {
                let at = open.iter().position(|name| response["name"] == name.as_str());
                let at = at.ok_or_else(|| format!("a response without a call: {response}"))?;
                open.remove(at);
                demand(response["response"].is_object(), || format!("a response is no object: {response}"))?;
                continue;
            }
            // Images of a response may stand in a turn of their own between responses.
            demand(role == "model" || open.is_empty() || is_image_turn(turn), || {
                format!("{open:?} have no responses before {part}")
            })?;
            if let Some(call) = part.get("functionCall") {
                demand(role == "model", || "a user calls".into())?;
                demand(call.get("args").is_none_or(Value::is_object), || format!("args are no object: {call}"))?;
                open.push(string(&call["name"], "the name of a call")?.to_owned());
            }
            if let Some(signature) = part["thoughtSignature"].as_str() {
                demand(signature.len() % 4 == 0 && signature.is_ascii(), || format!("no base64: {signature}"))?;
            }
        }
    }
    demand(open.is_empty(), || format!("{open:?} have no responses at the end"))
}

fn is_image_turn(turn: &Value) -> bool {
    turn["parts"].as_array().is_some_and(|parts| parts.iter().any(|part| part.get("inlineData").is_some()))
}
