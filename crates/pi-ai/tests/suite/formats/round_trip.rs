//! Messages survive reading and writing: every one in `fixtures`, and any that can be made up.

use std::path::{Path, PathBuf};

use pi_ai::{Message, repair_json};
use proptest::prelude::*;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use crate::formats::fixtures;

fn round_trip(message: &Value) -> Value {
    serde_json::to_value(serde_json::from_value::<Message>(message.clone()).unwrap()).unwrap()
}

/// Every JSON and JSON Lines file below a folder.
fn json_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            json_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "json" || extension == "jsonl") {
            found.push(path);
        }
    }
}

/// Everything inside a value that looks like a message.
fn messages<'a>(value: &'a Value, found: &mut Vec<&'a Value>) {
    match value {
        Value::Object(object) => {
            if object.get("role").is_some_and(Value::is_string) {
                found.push(value);
            }
            object.values().for_each(|value| messages(value, found));
        }
        Value::Array(items) => items.iter().for_each(|value| messages(value, found)),
        _ => {}
    }
}

#[test]
fn every_message_in_the_fixtures_survives() {
    let mut paths = Vec::new();
    json_files(&fixtures(""), &mut paths);
    // Cassettes hold requests in providers' formats, which are no messages of ours.
    paths.retain(|path| !path.starts_with(fixtures("cassettes")));
    // Traces are normalised: what changes from run to run was taken out of the messages.
    let traces = ["extensions", "extension_examples", "conformance"].map(fixtures);
    paths.retain(|path| !traces.iter().any(|dir| path.starts_with(dir)));
    let mut count = 0;
    for path in paths {
        let text = std::fs::read_to_string(&path).unwrap();
        let whole = serde_json::from_str(&text).map(|value| vec![value]);
        let values: Vec<Value> =
            whole.unwrap_or_else(|_| text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect());
        let mut found = Vec::new();
        values.iter().for_each(|value| messages(value, &mut found));
        for message in found {
            assert_eq!(&round_trip(message), message, "{}", path.display());
            count += 1;
        }
    }
    assert!(count > 30, "only {count} messages");
}

/// Other programs write half a surrogate pair as an escape. `serde_json` rejects it in strings but not in raw values;
/// the repair makes such a line readable, the raw line stays what it was.
#[test]
fn half_a_surrogate_pair_needs_the_repair() {
    let line = r#"{"role":"user","content":"cut \ud83d","timestamp":1}"#;
    assert!(serde_json::from_str::<Value>(line).is_err());
    assert_eq!(serde_json::from_str::<Box<RawValue>>(line).unwrap().get(), line);
    let Message::User(message) = serde_json::from_str(&repair_json(line)).unwrap() else { panic!("a user message") };
    assert_eq!(message.content.to_text(), "cut \u{fffd}");
}

/// Some JSON that is none of our business.
fn anything() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec(("[a-z]{1,5}", inner), 0..4).prop_map(|m| Value::Object(m.into_iter().collect())),
        ]
    })
}

/// An object with these fields, of which the optional ones may be missing, and with fields of its own.
fn object(
    fixed: impl Strategy<Value = Value>,
    optional: Vec<(&'static str, BoxedStrategy<Value>)>,
) -> impl Strategy<Value = Value> {
    let optional: Vec<_> =
        optional.into_iter().map(|(key, value)| prop::option::of(value).prop_map(move |v| (key, v))).collect();
    // No name of a field that we know begins so.
    let unknown = prop::collection::vec(("x_[a-z]{1,4}", anything()), 0..3);
    (fixed, optional, unknown).prop_map(|(fixed, optional, unknown)| {
        let Value::Object(mut object) = fixed else { unreachable!("fixed parts are objects") };
        object.extend(optional.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))));
        object.extend(unknown);
        Value::Object(object)
    })
}

fn text() -> BoxedStrategy<Value> {
    any::<String>().prop_map(Value::from).boxed()
}

fn block() -> impl Strategy<Value = Value> {
    prop_oneof![
        object(any::<String>().prop_map(|t| json!({"type": "text", "text": t})), vec![("textSignature", text())]),
        object(
            any::<String>().prop_map(|t| json!({"type": "thinking", "thinking": t})),
            vec![("thinkingSignature", text()), ("redacted", any::<bool>().prop_map(Value::from).boxed())],
        ),
        object(any::<String>().prop_map(|t| json!({"type": "image", "data": t, "mimeType": "image/png"})), vec![]),
        object(
            (any::<String>(), anything())
                .prop_map(|(id, args)| json!({"type": "toolCall", "id": id, "name": "n", "arguments": args})),
            vec![("thoughtSignature", text())],
        ),
        object(Just(json!({"type": "hologram"})), vec![]),
        anything().prop_filter("not a block we know", |v| v.get("type").is_none()),
    ]
}

fn blocks() -> impl Strategy<Value = Value> {
    prop::collection::vec(block(), 0..5).prop_map(Value::from)
}

fn usage() -> impl Strategy<Value = Value> {
    let count = 0..1_000_000_000u64;
    object(
        (count.clone(), count.clone(), count.clone()).prop_map(|(a, b, c)| {
            let cost = json!({"input": 0.5, "output": 0, "cacheRead": 1e-9, "cacheWrite": 3, "total": 3.500000001});
            json!({"input": a, "output": b, "cacheRead": c, "cacheWrite": 0, "totalTokens": a + b + c, "cost": cost})
        }),
        vec![("cacheWrite1h", count.prop_map(Value::from).boxed())],
    )
}

fn message() -> impl Strategy<Value = Value> {
    let time = any::<i64>();
    let user = prop_oneof![text(), blocks().boxed()];
    let reason = prop::sample::select(vec!["stop", "length", "toolUse", "error", "aborted", "pending"]);
    prop_oneof![
        object((user, time).prop_map(|(c, t)| json!({"role": "user", "content": c, "timestamp": t})), vec![]),
        object(
            (blocks(), usage(), reason, time).prop_map(|(content, usage, reason, t)| {
                json!({
                    "role": "assistant", "content": content, "api": "a", "provider": "p", "model": "m", "usage": usage,
                    "stopReason": reason, "timestamp": t,
                })
            }),
            vec![
                ("responseId", text()),
                ("responseModel", text()),
                ("errorMessage", text()),
                ("diagnostics", prop::collection::vec(anything(), 0..2).prop_map(Value::from).boxed()),
            ],
        ),
        object(
            (blocks(), any::<bool>(), time).prop_map(|(content, error, t)| {
                json!({
                    "role": "toolResult", "toolCallId": "c", "toolName": "n", "content": content, "isError": error,
                    "timestamp": t,
                })
            }),
            vec![("details", anything().boxed())],
        ),
        ("[a-zA-Z]{3,12}", anything()).prop_map(|(role, rest)| {
            let mut object = Map::from_iter([("role".to_owned(), role.into())]);
            object.insert("rest".to_owned(), rest);
            Value::Object(object)
        }),
    ]
}

proptest! {
    #[test]
    fn any_message_survives(message in message()) {
        prop_assert_eq!(round_trip(&message), message);
    }
}
