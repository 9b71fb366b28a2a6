//! Sessions that want to be more than text. Checked with a browser's parser; `browser.rs` does it with a browser.

use std::sync::Arc;

use pi_ai::ToolDefinition;
use pi_coding_agent::export::{HtmlOptions, SessionSnapshot};
use proptest::prelude::*;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::dom::{check, parse};
use crate::payloads::{PAYLOADS, hostile_entries, hostile_header};
use crate::support::{page, page_of, session_file, user};

pub(crate) fn hostile_page(payload: &str) -> String {
    let dir = TempDir::new().unwrap();
    let file = session_file(dir.path(), &hostile_header(payload), &hostile_entries(payload));
    let session = SessionSnapshot::of_file(&file).unwrap();
    let tool = ToolDefinition {
        name: payload.into(),
        description: payload.into(),
        parameters: json!({payload: [payload], "description": payload}),
    };
    page_of(&session, &HtmlOptions { system_prompt: payload.into(), tools: vec![Arc::new(tool)] })
}

#[test]
fn no_payload_in_any_field_becomes_markup() {
    assert!(PAYLOADS.len() >= 50);
    for payload in PAYLOADS {
        let elements = check(&hostile_page(payload));
        let title = &elements.iter().find(|element| element.name == "title").unwrap().text;
        assert!(!title.is_empty());
    }
}

#[test]
fn the_check_sees_what_is_not_ours() {
    let sound = page(&[user("x")]);
    for (place, markup) in [
        ("</main>", PAYLOADS[0]),
        ("</main>", PAYLOADS[11]),
        ("</main>", "<b onclick=x>y</b>"),
        ("</main>", "<a href=\"javascript:x\">y</a>"),
        ("</main>", "<img alt=\"x\" src=\"data:image/svg+xml;base64,AA\">"),
        ("</main>", "<p style=\"color:red\">y</p>"),
        ("</main>", "<!-- y -->"),
        ("</nav>", "<b id=\"theme\" class=\"A&quot;\">y</b>"),
    ] {
        let broken = sound.replacen(place, &format!("{markup}{place}"), 1);
        assert!(std::panic::catch_unwind(|| check(&broken)).is_err(), "{markup}");
    }
}

#[test]
fn what_was_said_stays_readable() {
    let text = "<script>alert(\"1\" + '2')</script> & more";
    let entries = [json!({"type": "session_info", "name": text}), user(&format!("```\n{text}\n```"))];
    let elements = check(&page(&entries));
    let holds = |name: &str| elements.iter().any(|element| element.name == name && element.text == text);
    assert!(holds("title") && holds("h1") && holds("code"));
}

#[test]
fn only_our_own_script_and_style_may_run() {
    use base64::Engine;
    use sha2::Digest;
    let (elements, _) = parse(&page(&[user("x")]));
    let policy = elements.iter().find(|element| element.get("http-equiv") == Some("Content-Security-Policy")).unwrap();
    let policy = policy.get("content").unwrap();
    // The session in the page is data: no rule lets it run.
    for name in ["script", "style"] {
        let text = &elements.iter().find(|element| element.name == name).unwrap().text;
        let hash = base64::engine::general_purpose::STANDARD.encode(sha2::Sha256::digest(text.as_bytes()));
        assert!(policy.contains(&format!("{name}-src 'sha256-{hash}'")), "{policy}");
    }
    let rules: Vec<&str> = policy.split("; ").map(|rule| rule.split(" 'sha").next().unwrap()).collect();
    let expected =
        ["default-src 'none'", "img-src data:", "base-uri 'none'", "form-action 'none'", "script-src", "style-src"];
    assert_eq!(rules, expected);
}

#[test]
fn deep_nesting_stays_shallow() {
    let deep = format!("{} x\n\n{}", "> ".repeat(3000), "- ".repeat(3000));
    check(&page(&[user(&deep), user(&"[".repeat(20_000)), user(&"*a _b ".repeat(5_000))]));
}

/// Any JSON; strings are often what means something in a page or in a session.
fn any_json() -> impl Strategy<Value = Value> {
    let text = prop_oneof![
        proptest::sample::select(vec![
            "text",
            "image",
            "toolCall",
            "thinking",
            "user",
            "assistant",
            "toolResult",
            "bashExecution",
            "custom",
            "bash",
            "edit",
            "read",
            "<b onclick=x>",
            "\"'&<",
            "image/png",
            "```\n<i>",
            "[a](b)",
            "\u{0}",
            "\\ud800",
            "0",
            "1",
        ])
        .prop_map(ToOwned::to_owned),
        any::<String>(),
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        text.prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::hash_map(field(), inner, 0..6).prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

fn field() -> impl Strategy<Value = String> {
    prop_oneof![
        9 => proptest::sample::select(vec![
            "role", "content", "type", "text", "data", "mimeType", "id", "name", "arguments", "toolCallId", "toolName",
            "details", "diff", "summary", "command", "output", "usage", "thinking", "isError", "display", "customType",
            "stopReason", "errorMessage", "path", "timestamp",
        ])
        .prop_map(ToOwned::to_owned),
        1 => any::<String>(),
    ]
}

fn any_entry() -> impl Strategy<Value = Value> {
    let kinds = vec![
        "message",
        "message",
        "message",
        "custom_message",
        "custom",
        "compaction",
        "branch_summary",
        "model_change",
        "thinking_level_change",
        "label",
        "session_info",
        "unheard-of",
    ];
    let fields = prop_oneof![
        Just("message"),
        Just("content"),
        Just("summary"),
        Just("data"),
        Just("label"),
        Just("targetId"),
        Just("name"),
        Just("provider"),
        Just("modelId"),
        Just("customType"),
        Just("display"),
        Just("parentId"),
    ];
    let fields = prop::collection::vec((fields, any_json()), 0..5);
    (proptest::sample::select(kinds), fields).prop_map(|(kind, fields)| {
        let mut entry: serde_json::Map<String, Value> = fields.into_iter().map(|(k, v)| (k.to_owned(), v)).collect();
        entry.insert("type".into(), kind.into());
        Value::Object(entry)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn any_entry_becomes_a_sound_page(entries in prop::collection::vec(any_entry(), 1..8)) {
        check(&page(&entries));
    }

    #[test]
    fn any_markdown_becomes_a_sound_page(text in r#"([a-z<>"'&#*_~`|\[\]()!:\\/ \n\t=-]|https://|```|\| |- ){0,120}"#) {
        check(&page(&[user(&text)]));
    }
}
