//! What single entries look like, as HTML; times and addresses are left out.

use insta::assert_snapshot;
use serde_json::json;

use crate::dom::check;
use crate::payloads::{PAYLOADS, hostile_entries, hostile_header};
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
fn what_an_extension_hides_is_not_shown() {
    let hidden = json!({"type": "custom_message", "customType": "todo", "content": "secret", "display": false});
    let page = page(&[user("x"), hidden]);
    let (shown, carried) = page.split_once("<script type=\"application/x-ndjson\"").unwrap();
    assert!(!shown.contains("secret") && carried.contains("secret"));
}

/// What a browser gives to the page's script out of its block of data.
fn carried(page: &str) -> (String, Vec<u8>) {
    let elements = check(page);
    let block = elements.iter().find(|element| element.get("id") == Some("session")).unwrap();
    // As `decodeURIComponent` does it.
    (block.get("data-name").unwrap().to_owned(), percent_decoded(&block.text))
}

fn percent_decoded(text: &str) -> Vec<u8> {
    let (mut out, mut bytes) = (Vec::new(), text.bytes());
    while let Some(byte) = bytes.next() {
        if byte != b'%' {
            out.push(byte);
            continue;
        }
        let digits = [bytes.next().unwrap(), bytes.next().unwrap()];
        out.push(u8::from_str_radix(std::str::from_utf8(&digits).unwrap(), 16).unwrap());
    }
    out
}

#[test]
fn the_page_carries_its_session_byte_for_byte() {
    let dir = tempfile::tempdir().unwrap();
    for payload in
        PAYLOADS.iter().copied().chain(["100 %", "%3C", "a\r\nb\rc", "\u{0}\u{feff}\u{2028}ä😀", "<!--<script"])
    {
        let mut header = hostile_header(payload);
        header["timestamp"] = json!("2026-11-21T20:14:22.840Z");
        let file = crate::support::session_file(dir.path(), &header, &hostile_entries(payload));
        let session = pi_coding_agent::export::SessionSnapshot::of_file(&file).unwrap();
        let (name, bytes) = carried(&crate::support::page_of(&session, &Default::default()));
        assert!(name.starts_with("pi-session") && name.ends_with(".jsonl"), "{name}");
        assert_eq!(String::from_utf8(bytes).unwrap(), std::fs::read_to_string(&file).unwrap());
    }
    let (name, bytes) = carried(&page(&[user("x")]));
    assert_eq!(name, "pi-session-s-1.jsonl");
    // It is a session like any other.
    let file = dir.path().join("downloaded.jsonl");
    std::fs::write(&file, bytes).unwrap();
    assert!(pi_coding_agent::export::SessionSnapshot::of_file(&file).is_ok());
}

#[test]
fn results_show_their_first_lines() {
    let long: String = (1..=20).map(|n| format!("line {n}\n")).collect();
    let lines = format!("\n\n  {}\nsecond\nthird\nfourth\n", "x".repeat(200));
    let diff: String = (1..=60).map(|n| format!("+ {n} new\n")).collect();
    let picture = message(&json!({"role": "toolResult", "toolCallId": "4", "toolName": "read", "isError": false,
        "content": [{"type": "text", "text": "Read image file [image/png]"}, {"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"}]}));
    let entries = [
        assistant(&json!([call("1", "bash", &json!({"command": "seq 20"}))])),
        result("1", "bash", &long, &json!(null)),
        assistant(&json!([call("2", "bash", &json!({"command": "x"}))])),
        result("2", "bash", &lines, &json!(null)),
        assistant(&json!([call("3", "edit", &json!({"path": "a.rs"}))])),
        result("3", "edit", "Done", &json!({"diff": diff})),
        assistant(&json!([call("4", "read", &json!({"path": "a.png"}))])),
        picture,
        message(
            &json!({"role": "bashExecution", "command": "seq 20", "output": long, "exitCode": 0, "cancelled": false,
            "truncated": false, "timestamp": 1}),
        ),
    ];
    assert_snapshot!(entries_html(&entries));
}

#[test]
fn pictures_of_results_are_not_folded() {
    let picture = message(&json!({"role": "toolResult", "toolCallId": "1", "toolName": "read", "isError": false,
        "content": [{"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"}]}));
    let html = entries_html(&[assistant(&json!([call("1", "read", &json!({"path": "a.png"}))])), picture]);
    let (before, _) = html.split_once("<img").unwrap();
    // The branch itself is an element that folds, and open.
    assert_eq!(before.matches("<details").count(), before.matches("</details>").count() + 1, "{html}");
}

#[test]
fn bare_addresses_are_links() {
    let said = "see https://a.b/c_d_e?f=1&g=2. or <https://x.y>, [z](https://z.z), `https://code.is/not`, [https://l.m](https://n.o)\n\
        [![https://p.q](https://r.s)](https://t.u) javascript://x";
    let failed = message(
        &json!({"role": "assistant", "content": [], "stopReason": "error", "errorMessage": "see https://e.f/g."}),
    );
    let entries = [
        user(said),
        assistant(&json!([call("1", "bash", &json!({"command": "x"}))])),
        result("1", "bash", "listening on http://127.0.0.1:80/\n", &json!(null)),
        failed,
    ];
    let elements = check(&page(&entries));
    let links: Vec<&str> =
        elements.iter().filter_map(|element| element.get("href")).filter(|href| href.starts_with("http")).collect();
    let expected = [
        "https://a.b/c_d_e?f=1&g=2",
        "https://x.y",
        "https://z.z",
        "https://n.o",
        "https://t.u",
        "http://127.0.0.1:80/",
        "https://e.f/g",
    ];
    assert_eq!(links, expected);
    let outward = elements.iter().filter(|element| element.get("href").is_some_and(|href| href.starts_with("http")));
    for link in outward {
        assert_eq!((link.get("rel"), link.get("target")), (Some("noopener noreferrer"), Some("_blank")));
    }
}

/// An entry at a time of the evening, in seconds after 20:15.
fn at(seconds: u32, mut entry: serde_json::Value) -> serde_json::Value {
    entry["timestamp"] = json!(format!("2026-11-21T20:{:02}:{:02}.500Z", 15 + seconds / 60, seconds % 60));
    entry
}

fn answer_of(model: &str, input: u64, cost: f64, content: &serde_json::Value) -> serde_json::Value {
    let mut answer = assistant(content);
    answer["message"]["model"] = json!(model);
    answer["message"]["usage"] = json!({"input": input, "output": 100, "cacheRead": 1000, "cost": {"total": cost}});
    answer
}

/// The text of each line that ends a turn.
fn turns_of(entries: &[serde_json::Value]) -> Vec<String> {
    let page = page(entries);
    let lines = page.split("<p class=\"turn\">").skip(1).map(|rest| rest.split_once("</p>").unwrap().0.to_owned());
    lines
        .map(|line| line.replace("<span>", "| ").replace("</span>", "").replace("<b>", "").replace("</b>", ""))
        .collect()
}

#[test]
fn each_turn_says_model_cost_and_time() {
    let text = json!([{"type": "text", "text": "done"}]);
    let entries = [
        at(0, user("one")),
        at(2, answer_of("m", 5000, 0.25, &json!([call("1", "bash", &json!({"command": "x"}))]))),
        at(40, result("1", "bash", "ok", &json!(null))),
        at(75, answer_of("other", 7000, 0.5, &text)),
        at(90, json!({"type": "label", "targetId": "0", "label": "start"})),
        at(100, user("two")),
        at(101, answer_of("m", 200, 0.0001, &text)),
        at(200, user("nobody answers")),
    ];
    let expected = [
        "Turn 1 | m, other | 2 model calls | 1 tool result | ↓200 | context 8.1k | $0.750 | 1 min 15 s",
        "Turn 2 | m | 1 model call | ↓100 | context 1.3k | &lt;$0.001 | 1.0 s",
    ];
    assert_eq!(turns_of(&entries), expected);
    // Where a branch was left in the middle of a turn, each way counts what came before.
    let mut left = at(300, answer_of("m", 1, 1.0, &text));
    left["parentId"] = json!("1");
    let mut forked = entries[..4].to_vec();
    forked.push(left);
    let ends = turns_of(&forked);
    assert_eq!(ends.len(), 2);
    assert!(ends.iter().any(|end| end.contains("$0.750")) && ends.iter().any(|end| end.contains("$1.250")), "{ends:?}");
    // Without figures and times only what is known.
    let bare = message(&json!({"role": "assistant", "content": [{"type": "text", "text": "x"}], "stopReason": "stop"}));
    assert_eq!(turns_of(&[user("x"), bare]), ["Turn 1 | 1 model call"]);
    assert_eq!(turns_of(&[user("x")]), Vec::<String>::new());
}

#[test]
fn the_chart_shows_context_and_cost_over_the_turns() {
    let chart = |turns: usize, cost: f64| {
        let text = json!([{"type": "text", "text": "done"}]);
        let pair = |n: usize| [user("go"), answer_of("m", n as u64 * 1000, cost, &text)];
        let entries: Vec<_> = (0..turns).flat_map(pair).collect();
        let elements = check(&page(&entries));
        let of = |name: &str| elements.iter().filter(|element| element.name == name).count();
        let titles = elements.iter().filter(|element| element.name == "title").skip(1).map(|title| title.text.clone());
        (of("svg"), of("rect") / 2, titles.collect::<Vec<_>>())
    };
    assert_eq!(chart(1, 0.5).0, 0);
    let (rows, bars, titles) = chart(3, 0.5);
    assert_eq!((rows, bars), (2, 6));
    assert_eq!(
        titles,
        [
            "Turn 1: 1.1k tokens",
            "Turn 2: 2.1k tokens",
            "Turn 3: 3.1k tokens",
            "Turn 1: $0.500",
            "Turn 2: $0.500",
            "Turn 3: $0.500"
        ]
    );
    // A free model has no row of costs.
    assert_eq!(chart(3, 0.0).0, 1);
    let (rows, bars, titles) = chart(2000, 0.5);
    assert!(rows == 2 && (100..=240).contains(&bars), "{bars}");
    assert_eq!(titles[0], "Turn 1–17: 17.1k tokens");
    assert!(titles.last().unwrap().starts_with("Turn 1990–2000: $"), "{titles:?}");
    // Figures that no sum has.
    for wrong in [json!(1e308), json!(-5), json!("many"), json!(null)] {
        let mut answer = answer_of("m", 1, 1.0, &json!([]));
        answer["message"]["usage"]["cost"]["total"] = wrong;
        check(&page(&[user("x"), answer.clone(), user("y"), answer.clone(), user("z"), answer]));
    }
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
