//! Incomplete and slightly broken JSON: what it says, and that neither the cutting nor the repair invents anything.

use pi_ai::{PartialJson, parse_streaming_json, repair_json};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

#[test]
fn what_incomplete_text_says() {
    for (text, expected) in [
        ("", json!({})),
        (" \n", json!({})),
        (r#"{"a":1"#, json!({"a": 1})),
        (r#"{"a":"he"#, json!({"a": "he"})),
        (r#"{"a":"#, json!({})),
        (r#"{"a"#, json!({})),
        ("{", json!({})),
        (r#"{"a":tr"#, json!({"a": true})),
        (r#"{"a":[1,2"#, json!({"a": [1, 2]})),
        (r#"{"a":1e"#, json!({"a": 1})),
        (r#"{"a":-"#, json!({})),
        (r#"{"a":"x\"#, json!({"a": "x"})),
        (r#"{"a":"\u12"#, json!({"a": ""})),
        (r#"{"a":1}garbage"#, json!({"a": 1})),
        (r#"{"a":1,}"#, json!({"a": 1})),
        ("[", json!([])),
        (r#""str"#, json!("str")),
        (r#"{"p":"C:\dir\x"}"#, json!({"p": r"C:\dir\x"})),
        ("null", json!({})),
        ("nu", json!({})),
        ("12", json!(12)),
        ("[1,2,]", json!([1, 2])),
        (r#"{"a":null,"b":fal"#, json!({"a": null, "b": false})),
        (r#"{"a":{"b":[{"c":"#, json!({"a": {"b": [{}]}})),
        (r#"{"a":"1","a":"2"}"#, json!({"a": "2"})),
    ] {
        assert_eq!(parse_streaming_json(text), expected, "{text}");
    }
}

#[test]
fn what_broken_text_says() {
    for (text, expected) in [
        ("garbage", json!({})),
        ("{'a':1}", json!({})),
        // Raw control characters and escapes that are none.
        ("{\"a\":\"line\n\ttab\u{1}\"}", json!({"a": "line\n\ttab\u{1}"})),
        (r#"{"p":"C:\users\new"}"#, json!({"p": "C:\\users\new"})),
        (r#"{"p":"\u12zz"}"#, json!({"p": "\\u12zz"})),
        // Halves of surrogate pairs; whole pairs are characters.
        (r#"{"a":"x\ud83dy"}"#, json!({"a": "x\u{fffd}y"})),
        (r#"{"a":"\ude00\ud83d"}"#, json!({"a": "\u{fffd}\u{fffd}"})),
        (r#"{"a":"\ud83d\ude00"}"#, json!({"a": "😀"})),
        // Half a number would be a wrong number.
        (r#"{"a":1,"b":012,"c":3}"#, json!({"a": 1})),
        (r#"{"a":1,"b":1x"#, json!({"a": 1})),
        (r#"{"a":1,"b":trueish}"#, json!({"a": 1, "b": true})),
        (r#"{"a":1,"b":trash}"#, json!({"a": 1})),
        (r#"{"a":1.,"b":2e}"#, json!({"a": 1, "b": 2})),
        (r#"{"a":1e999}"#, json!({"a": null})),
        // A missing comma, and text that ends a string too early.
        (r#"{"a":"x" "b":["y" "z"]}"#, json!({"a": "x", "b": ["y", "z"]})),
        (r#"{"value":"Spark{"value":"Sparkle"}"#, json!({"value": "Spark{"})),
        (r#"{"a":[1}"#, json!({"a": [1]})),
        (r#"{"a":1]"#, json!({"a": 1})),
    ] {
        assert_eq!(parse_streaming_json(text), expected, "{text}");
    }
}

#[test]
fn repairs_only_the_inside_of_strings() {
    for (text, expected) in [
        ("{\"a\":\n1}", "{\"a\":\n1}"),
        ("{\"a\":\"\u{8}\u{c}\n\r\t\u{1}\"}", r#"{"a":"\b\f\n\r\t\u0001"}"#),
        (r#"{"a":"\"\\\/\b\f\n\r\t\u00e9"}"#, r#"{"a":"\"\\\/\b\f\n\r\t\u00e9"}"#),
        (r#"{"a":"\x\'"}"#, r#"{"a":"\\x\\'"}"#),
        (r#""cut\"#, r#""cut\\"#),
        (r#""\ud83d\ude00\ud83d!""#, r#""\ud83d\ude00\ufffd!""#),
    ] {
        assert_eq!(repair_json(text), expected, "{text}");
    }
}

#[test]
fn nesting_has_a_limit() {
    let text = "[".repeat(10_000);
    let value = parse_streaming_json(&text);
    let depth = std::iter::successors(Some(&value), |value| value.get(0)).count();
    assert_eq!(depth, 100);
}

#[test]
fn a_blank_text_is_told_from_an_empty_object() {
    let mut json = PartialJson::default();
    json.push(" \n");
    assert!(json.is_blank());
    json.push("{");
    assert!(!json.is_blank());
}

fn read(pieces: impl IntoIterator<Item = impl AsRef<str>>) -> PartialJson {
    let mut json = PartialJson::default();
    pieces.into_iter().for_each(|piece| json.push(piece.as_ref()));
    json
}

/// Any JSON document. Numbers are such that reading and writing them is the identity.
fn document() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-1e15..1e15f64).prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        "[a-z\\\\\"\u{1f600}\n]{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((any::<String>(), inner), 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

/// Text that is nearly JSON.
fn nearly_json() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        "[{}\\[\\],: \"\\\\a1eu.-]{1,4}",
        Just("null".to_owned()),
        Just("tru".to_owned()),
        Just("\\ud83d".to_owned()),
        Just("é\n".to_owned()),
        Just("\"k\":".to_owned()),
        document().prop_map(|value| value.to_string()),
    ];
    prop::collection::vec(part, 0..12).prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn a_whole_document_is_read_as_it_is(value in document(), pretty in any::<bool>()) {
        let text = if pretty { serde_json::to_string_pretty(&value).unwrap() } else { value.to_string() };
        let expected = if value.is_null() { json!({}) } else { value };
        let json = read([&text]);
        prop_assert_eq!(json.value(), expected.clone());
        // Canonical: what serde_json would write.
        prop_assert_eq!(json.text(), expected.to_string());
    }

    #[test]
    fn escapes_mean_what_they_mean(text in any::<String>()) {
        let units = text.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect::<String>();
        prop_assert_eq!(parse_streaming_json(&format!("\"{units}\"")), Value::from(text));
    }

    #[test]
    fn the_cutting_does_not_matter(text in prop_oneof![nearly_json(), document().prop_map(|v| v.to_string())], size in 1..7usize) {
        let characters: Vec<char> = text.chars().collect();
        let pieces = characters.chunks(size).map(|piece| piece.iter().collect::<String>());
        let (whole, pieces) = (read([&text]), read(pieces));
        prop_assert_eq!(whole.text(), pieces.text());
        prop_assert_eq!(whole.is_blank(), pieces.is_blank());
    }

    #[test]
    fn every_prefix_is_valid_json(text in prop_oneof![nearly_json(), document().prop_map(|v| v.to_string())]) {
        let mut json = PartialJson::default();
        for character in text.chars() {
            json.push(character.encode_utf8(&mut [0; 4]));
            let completed = json.text();
            let parsed: Result<Value, _> = serde_json::from_str(&completed);
            prop_assert!(parsed.is_ok(), "{completed} from {text}");
        }
    }

    #[test]
    fn a_prefix_says_nothing_that_the_whole_does_not(members in prop::collection::vec(("[a-z]{1,3}", "[a-z]{0,9}"), 1..5)) {
        let object: Map<String, Value> = members.into_iter().map(|(key, text)| (key, text.into())).collect();
        let text = Value::Object(object.clone()).to_string();
        for end in 0..text.len() {
            let Value::Object(seen) = parse_streaming_json(&text[..end]) else { unreachable!() };
            for (key, value) in seen {
                prop_assert!(object[&key].as_str().unwrap().starts_with(value.as_str().unwrap()));
            }
        }
    }

    #[test]
    fn repaired_strings_are_valid(inside in any::<String>()) {
        let text = format!("\"{}\"", inside.replace('"', ""));
        prop_assume!(!text.ends_with("\\\""));
        let repaired = repair_json(&text);
        prop_assert!(serde_json::from_str::<Value>(&repaired).is_ok(), "{repaired}");
    }
}
