//! Whether one request continues another.
//!
//! Requests are compared without cache markers (`cache_control` fields, `cachePoint` blocks): those move on to the end
//! of the prompt by design, and do not count as part of it. A format may write text as a list of one part in order to
//! mark it; that is the same prompt as the plain string. Everything else must be equal to the byte: all fields of the
//! body but the conversation, and each message of the earlier one. Where an api demands that roles alternate, a message
//! may be continued by further blocks.

use serde_json::{Map, Value};

/// Fields that hold the conversation.
const CONVERSATION: [&str; 3] = ["messages", "input", "contents"];

/// Says what of `before` has changed in `after`.
pub(super) fn check(before: &Value, after: &Value) -> Result<(), String> {
    let (before, after) = (without_markers(before), without_markers(after));
    let settings = |body: &Value| -> Map<String, Value> {
        let fields = body.as_object().unwrap().iter().filter(|(key, _)| !CONVERSATION.contains(&key.as_str()));
        fields.map(|(key, value)| (key.clone(), value.clone())).collect()
    };
    let (was, is) = (Value::from(settings(&before)).to_string(), Value::from(settings(&after)).to_string());
    if was != is {
        return Err(format!("settings were {was}, are {is}"));
    }
    let conversation = |body: &Value| {
        let key = CONVERSATION.into_iter().find(|key| body[*key].is_array()).expect("a conversation");
        body[key].as_array().unwrap().clone()
    };
    let (was, is) = (conversation(&before), conversation(&after));
    for (at, message) in was.iter().enumerate() {
        let now = is.get(at).unwrap_or(&Value::Null);
        let may_grow = at + 1 == was.len();
        // As text: values compare without the order of their keys.
        let texts = [message.to_string(), now.to_string()];
        if texts[0] != texts[1] && !(may_grow && continues(message, now)) {
            return Err(format!("message {at} was {message}, is {now}"));
        }
    }
    Ok(())
}

/// Whether the blocks of one message begin with those of another; only Bedrock's messages are joined.
fn continues(before: &Value, after: &Value) -> bool {
    let is_joined = |message: &Value| {
        let blocks = message["content"].as_array()?;
        blocks.iter().all(|block| block.get("type").is_none()).then(|| blocks.clone())
    };
    match (is_joined(before), is_joined(after)) {
        (Some(was), Some(is)) => before["role"] == after["role"] && is.starts_with(&was),
        _ => false,
    }
}

fn without_markers(value: &Value) -> Value {
    match value {
        Value::Object(object) => {
            let kept = object.iter().filter(|(key, _)| *key != "cache_control");
            kept.map(|(key, value)| (key.clone(), plain_text(without_markers(value)))).collect::<Map<_, _>>().into()
        }
        Value::Array(items) => {
            let kept = items.iter().filter(|item| item.get("cachePoint").is_none());
            kept.map(without_markers).collect()
        }
        other => other.clone(),
    }
}

/// A list of nothing but one text part as the text itself.
fn plain_text(value: Value) -> Value {
    match value.as_array().map(Vec::as_slice) {
        Some([part]) if part["type"] == "text" && part.as_object().is_some_and(|part| part.len() == 2) => {
            part["text"].clone()
        }
        _ => value,
    }
}

#[test]
fn what_counts_as_the_same_prompt() {
    use serde_json::json;
    let before = json!({"model": "m", "system": [{"type": "text", "text": "s", "cache_control": {"type": "ephemeral"}}],
        "messages": [{"role": "user", "content": [{"type": "text", "text": "q", "cache_control": {"type": "ephemeral"}}]}]});
    let mut after = json!({"model": "m", "system": [{"type": "text", "text": "s"}],
        "messages": [{"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}]});
    assert_eq!(check(&before, &after), Ok(()));
    after["messages"][0] = json!({"content": "q", "role": "user"});
    assert!(check(&before, &after).is_err(), "the order of keys counts");
    after["messages"][0] =
        json!({"role": "user", "content": [{"type": "text", "text": "q"}, {"type": "text", "text": "r"}]});
    assert!(check(&before, &after).is_err(), "these messages are never joined");
    after["messages"] = before["messages"].clone();
    after["system"] = "t".into();
    assert!(check(&before, &after).is_err());
    let joined = |texts: &[&str]| {
        let blocks: Vec<Value> = texts.iter().map(|text| json!({"text": text})).collect();
        json!({"messages": [{"role": "user", "content": blocks}]})
    };
    assert_eq!(check(&joined(&["q"]), &joined(&["q", "r"])), Ok(()));
    assert!(check(&joined(&["q"]), &joined(&["r", "q"])).is_err());
}
