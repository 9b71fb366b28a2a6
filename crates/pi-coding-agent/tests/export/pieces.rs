//! What single entries look like, as HTML; times and addresses are left out.

use insta::assert_snapshot;
use serde_json::json;

use crate::dom::check;
use crate::support::{assistant, call, entries_html, message, page, result, user};

#[test]
fn a_prompt_with_an_image_and_an_answer() {
    let prompt = message(&json!({"role": "user", "content": [{"type": "text", "text": "one\n**two** <b>"},
        {"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"},
        {"type": "image", "data": "PHN2Zz4=", "mimeType": "image/svg+xml"}]}));
    let answer = assistant(
        &json!([{"type": "thinking", "thinking": "why\n\nnot"}, {"type": "text", "text": "# Yes\n1. a\n2. `b`"}]),
    );
    assert_snapshot!(entries_html(&[prompt, answer]));
}

#[test]
fn calls_and_results_are_one() {
    let calls = assistant(&json!([
        call("1", "bash", &json!({"command": "ls -l | wc", "timeout": 5})),
        call("2", "read", &json!({"path": "a.rs", "offset": 5, "limit": 2})),
        call("3", "weather", &json!({"city": "Ulm"})),
        call("4", "bash", &json!({"command": "sleep 9"})),
    ]));
    let results =
        [("2", "read", "fn a() {}"), ("1", "bash", "1 2 3\n<end>"), ("3", "weather", "rain"), ("9", "old", "late")];
    let mut entries = vec![calls];
    entries.extend(results.map(|(id, name, text)| result(id, name, text, &json!(null))));
    assert_snapshot!(entries_html(&entries));
}

#[test]
fn edits_show_what_changed() {
    let edit =
        assistant(&json!([call("1", "edit", &json!({"path": "a.rs", "edits": [{"oldText": "a", "newText": "b"}]}))]));
    let diff = json!({"diff": "  1 x\n- 2 a\n+ 2 b", "firstChangedLine": 2});
    let write = assistant(&json!([call("2", "write", &json!({"path": "x/a.py", "content": "def f(): # 1"}))]));
    let failed = message(&json!({"role": "toolResult", "toolCallId": "2", "toolName": "write", "isError": true,
        "content": [{"type": "text", "text": "no such place"}]}));
    assert_snapshot!(entries_html(&[edit, result("1", "edit", "Done", &diff), write, failed]));
}

#[test]
fn everything_else() {
    assert_snapshot!(entries_html(&[
        json!({"type": "model_change", "provider": "p", "modelId": "m"}),
        json!({"type": "thinking_level_change", "thinkingLevel": "high"}),
        message(&json!({"role": "bashExecution", "command": "false", "output": "x", "exitCode": 1, "cancelled": false,
            "truncated": true, "fullOutputPath": "/tmp/all", "timestamp": 1, "excludeFromContext": true})),
        json!({"type": "label", "targetId": "0", "label": "start"}),
        json!({"type": "label", "targetId": "gone"}),
        json!({"type": "custom_message", "customType": "todo", "content": "*do*", "display": true}),
        json!({"type": "custom_message", "customType": "todo", "content": "secret", "display": false}),
        json!({"type": "custom", "customType": "state", "data": [1]}),
        json!({"type": "compaction", "summary": "all **good**", "firstKeptEntryId": "0", "tokensBefore": 12345}),
        json!({"type": "branch_summary", "fromId": "0", "summary": "left"}),
        json!({"type": "session_info", "name": "n"}),
        json!({"type": "hologram", "depth": 3}),
        message(&json!({"role": "oracle", "says": "42"})),
        message(&json!({"role": "assistant", "content": [], "stopReason": "error", "errorMessage": "overloaded"})),
    ]));
}

#[test]
fn what_an_extension_hides_is_not_in_the_page() {
    let hidden = json!({"type": "custom_message", "customType": "todo", "content": "secret", "display": false});
    assert!(!page(&[user("x"), hidden]).contains("secret"));
}

#[test]
fn the_head_says_what_the_session_is() {
    let call = call("1", "ls", &json!({}));
    let entries =
        [user("first words"), assistant(&json!([call])), result("1", "ls", "a", &json!(null)), assistant(&json!([]))];
    let elements = check(&page(&entries));
    let texts: Vec<&str> = elements.iter().map(|element| element.text.trim()).collect();
    for text in
        ["first words", "/srv/app", "s-1", "p/m", "1 prompt", "2 answers", "1 tool call", "↑2.4k", "↓60", "$1.000"]
    {
        assert!(texts.contains(&text), "{text}");
    }
    assert!(!page(&entries).contains("System prompt"));
}

#[test]
fn halves_of_characters_and_repeated_keys_cost_nothing_else() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("s.jsonl");
    let half = r#"{"type":"message","id":"1","parentId":null,"timestamp":"","message":{"role":"user","content":"half \ud83d here"}}"#;
    let twice = r#"{"type":"label","id":"2","parentId":"1","timestamp":"","targetId":"x","label":"a","label":"b"}"#;
    std::fs::write(&file, format!("{}\n{half}\n{twice}\n", crate::support::header())).unwrap();
    let session = pi_coding_agent::export::SessionSnapshot::of_file(&file).unwrap();
    let page = crate::support::page_of(&session, &Default::default());
    check(&page);
    assert!(page.contains("<p>half \u{fffd} here</p>"));
}
