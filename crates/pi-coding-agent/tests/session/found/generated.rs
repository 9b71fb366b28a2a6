//! Sessions that no single program would write: any order of keys, any formatting, any damage.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// Half of a pair, as JavaScript writes it when a text was cut in the wrong place, and what is read instead.
pub(crate) const LONE_SURROGATE: &str = r"\ud83d!";
pub(crate) const REPLACED_SURROGATE: &str = r"\ufffd!";

const TEXTS: [&str; 12] = [
    "",
    "plain words here",
    "Straße ΣΊΣΥΦΟΣ naïve → 日本語 😀",
    "a \"quoted\" back\\slash /slash/ \t tab\nnew line",
    r#"{"type":"message","id":"fake","parentId":null,"timestamp":"t","message":{"role":"user"}}"#,
    r#"","parentId":"x","timestamp":1}}"#,
    "LONE!",
    "ends in backslash \\",
    "ctrl \u{1b}[0m \u{0} \u{7f}",
    "\u{2028}\u{85} separators \r here",
    "(no messages)",
    "  ",
];

/// The bytes of a file.
pub(crate) fn session_file() -> impl Strategy<Value = Vec<u8>> {
    let header = prop_oneof![
        12 => Just(HEADER.to_owned()),
        1 => Just(format!("\u{feff}{HEADER}")),
        1 => Just(format!("garbage\n\n{HEADER}")),
        1 => Just(format!("{HEADER}{}", user_line("glued"))),
        1 => Just(user_line("first")),
    ];
    (header, prop::collection::vec((line(), end_of_line()), 0..14)).prop_map(|(header, lines)| {
        let mut bytes = header.into_bytes();
        bytes.push(b'\n');
        for (line, end) in lines {
            bytes.extend(line);
            bytes.extend(end.as_bytes());
        }
        bytes
    })
}

const HEADER: &str =
    r#"{"type":"session","version":3,"id":"s-1","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/message"}"#;

fn user_line(text: &str) -> String {
    let message = json!({"role": "user", "content": text, "timestamp": 5});
    json!({"type": "message", "id": "u", "parentId": null, "timestamp": "2026-01-01T00:00:01Z", "message": message})
        .to_string()
}

fn end_of_line() -> impl Strategy<Value = &'static str> {
    // Nothing at all glues two lines together.
    prop_oneof![20 => Just("\n"), 3 => Just("\r\n"), 2 => Just("\r"), 2 => Just("\n \n\n"), 2 => Just("")]
}

fn line() -> impl Strategy<Value = Vec<u8>> {
    let written = (entry(), 0..6_u8).prop_map(|(entry, format)| written(&entry, format));
    (written, 0..14_u8, 0.0..1.0_f64).prop_map(|(line, damage, place)| {
        let mut bytes = line.into_bytes();
        let at = (bytes.len() as f64 * place) as usize;
        match damage {
            0 => bytes.truncate(at),
            1 => bytes[at..].fill(0),
            2 => drop(bytes.drain(..at)),
            3 => bytes = b"null".to_vec(),
            _ => {}
        }
        bytes
    })
}

/// The same JSON in another form.
fn written(entry: &Value, format: u8) -> String {
    let text = match format {
        0 => serde_json::to_string(&reversed(entry)).unwrap(),
        1 => entry.to_string().replacen(r#","timestamp":"#, r#" , "timestamp" : "#, 1),
        2 => format!("  {entry}  "),
        3 => escaped(&entry.to_string()),
        _ => entry.to_string(),
    };
    text.replace("LONE!", LONE_SURROGATE)
}

/// Everything that is not ASCII as `\uXXXX`, and one letter that did not need it.
fn escaped(json: &str) -> String {
    let mut text = String::new();
    let mut units = [0; 2];
    for character in json.replacen("words", r"\u0077ords", 1).chars() {
        match character {
            '\0'..='\x7f' => text.push(character),
            _ => text.extend(character.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04X}"))),
        }
    }
    text
}

fn reversed(value: &Value) -> Value {
    match value {
        Value::Object(object) => {
            Value::Object(object.iter().rev().map(|(key, value)| (key.clone(), reversed(value))).collect())
        }
        other => other.clone(),
    }
}

fn entry() -> impl Strategy<Value = Value> {
    let id = "[0-9a-f]{8}";
    prop_oneof![
        8 => (id, message(), extra()).prop_map(|(id, message, extra)| {
            let mut entry = json!({"type": "message", "id": id, "parentId": "p", "timestamp": "2026-01-01T00:00:01.250Z",
                "message": message});
            entry.as_object_mut().unwrap().extend(extra);
            entry
        }),
        2 => (id, prop::sample::select(TEXTS.as_slice())).prop_map(|(id, name)| {
            json!({"type": "session_info", "id": id, "parentId": null, "timestamp": "2026-01-01T00:00:02Z", "name": name})
        }),
        1 => id.prop_map(|id| json!({"type": "custom", "customType": "t", "data": {"type": "message", "parentId": 1,
            "message": {"role": "user", "content": "no"}}, "id": id, "parentId": null, "timestamp": "t"})),
        1 => id.prop_map(|id| json!({"type": "label", "id": id, "parentId": null, "timestamp": "t", "targetId": "x"})),
        1 => Just(json!({"type": "message", "message": 5})),
        1 => Just(json!({"type": "message"})),
    ]
}

/// Fields of an entry that this version does not know.
fn extra() -> impl Strategy<Value = Map<String, Value>> {
    prop_oneof![
        8 => Just(json!({})),
        1 => Just(json!({"later": {"a": [1], "timestamp": 9_999_999_999_999_i64}})),
        1 => Just(json!({"later": true})),
    ]
    .prop_map(|extra| extra.as_object().unwrap().clone())
}

fn message() -> impl Strategy<Value = Value> {
    let role =
        prop::sample::select(vec!["user", "user", "assistant", "assistant", "toolResult", "custom", "bashExecution"]);
    (role, content(), timestamp(), 0..6_u8).prop_map(|(role, content, timestamp, kind)| {
        let mut message = json!({"role": role, "content": content});
        let fields = message.as_object_mut().unwrap();
        match role {
            "assistant" => {
                fields.extend(fields_of(json!({"api": "a", "usage": {"timestamp": 3}, "stopReason": "stop"})));
            }
            "toolResult" => fields.extend(fields_of(json!({"isError": false}))),
            _ => {}
        }
        fields.extend(timestamp.map(|timestamp| ("timestamp".to_owned(), timestamp)));
        match kind {
            0 => fields.extend(fields_of(json!({"responseId": "r-1"}))),
            1 => fields.extend(fields_of(json!({"responseId": "r", "responseModel": "m"}))),
            2 => fields
                .extend(fields_of(json!({"errorMessage": "no, \"timestamp\":1}}", "diagnostics": [{"timestamp": 7}]}))),
            3 => drop(fields.shift_remove("content")),
            _ => {}
        }
        message
    })
}

fn fields_of(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(object) => object,
        _ => Map::new(),
    }
}

fn content() -> impl Strategy<Value = Value> {
    let text = || prop::sample::select(TEXTS.as_slice());
    let block = prop_oneof![
        4 => text().prop_map(|text| json!({"type": "text", "text": text})),
        1 => Just(json!({"type": "image", "data": "AAAA", "mimeType": "image/png"})),
        1 => text().prop_map(|text| json!({"type": "thinking", "thinking": text})),
        1 => text().prop_map(|text| json!({"type": "toolCall", "id": "c", "name": "n",
            "arguments": {"text": text, "timestamp": 8_888_888_888_888_i64}})),
    ];
    prop_oneof![text().prop_map(Value::from), prop::collection::vec(block, 0..4).prop_map(Value::from)]
}

fn timestamp() -> impl Strategy<Value = Option<Value>> {
    prop_oneof![
        10 => (1_767_225_600_000..1_800_000_000_000_i64).prop_map(|ms| Some(json!(ms))),
        1 => Just(Some(json!(1_780_000_000_000.75))),
        1 => Just(Some(json!("2026-01-01"))),
        1 => Just(Some(json!(-5))),
        1 => Just(None),
    ]
}
