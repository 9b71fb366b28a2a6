//! Damaged lines cost only themselves, and nothing that is in a file is changed by opening it.

use std::fs;

use pi_coding_agent::session::SessionEntry;
use proptest::prelude::*;

use crate::support::{HEADER, custom_line, open, raw_entries, user};

/// Opens a file of this content, appends an entry, and returns the ids before it, the problems, the new content.
fn reopen(content: &[u8]) -> (Vec<String>, Vec<String>, Vec<u8>) {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("s.jsonl");
    fs::write(&file, content).unwrap();
    let mut session = open(dir.path(), &file);
    let ids = session.entries().iter().map(Result::unwrap).map(|entry| entry.id().to_owned()).collect();
    let problems = session.load_report().problems.into_iter();
    let problems = problems.map(|problem| format!("{}: {}", problem.line, problem.reason)).collect();
    let appended = session.append_message(user("next")).unwrap();
    let all = raw_entries(&session);
    drop(session);
    let again = open(dir.path(), &file);
    assert_eq!(raw_entries(&again), all, "what was in the session is in the file");
    assert_eq!(again.leaf_id(), Some(appended.as_str()));
    (ids, problems, fs::read(&file).unwrap())
}

#[test]
fn damaged_lines_do_not_touch_their_neighbours() {
    let (a, b) = (custom_line("aaaaaaaa", None), custom_line("bbbbbbbb", Some("aaaaaaaa")));
    let torn = &b[..40];
    let cases = [
        ("clean", format!("{HEADER}\n{a}\n{b}\n")),
        ("CRLF", format!("{HEADER}\r\n{a}\r\n{b}\r\n")),
        ("byte order mark", format!("\u{feff}{HEADER}\n{a}\n{b}\n")),
        ("no final newline", format!("{HEADER}\n{a}\n{b}")),
        ("malformed middle lines", format!("{HEADER}\n{a}\nnot json\n\n{torn}\n[1]\nnull\n{b}\n")),
        ("two objects on a line", format!("{HEADER}\n{a}{b}\n")),
        ("an entry glued to a torn one", format!("{HEADER}\n{a}\n{torn}{b}\n")),
        ("NUL block in front", format!("{HEADER}\n{a}\n\0\0\0\0{b}\n")),
        ("NUL block as a line", format!("{HEADER}\n\0\0\0\0\n{a}\n{b}\n")),
        ("a second header", format!("{HEADER}\n{a}\n{HEADER}\n{b}\n")),
        ("without id", format!("{HEADER}\n{a}\n{{\"type\":\"custom\"}}\n{b}\n")),
        ("before the header", format!("garbage\n{HEADER}\n{a}\n{b}\n")),
    ];
    let mut report = String::new();
    for (name, content) in cases {
        let (ids, problems, after) = reopen(content.as_bytes());
        assert_eq!(ids, ["aaaaaaaa", "bbbbbbbb"], "{name}");
        assert!(after.starts_with(content.as_bytes()), "{name}: bytes of the file were changed");
        report.push_str(&format!("{name}: {problems:?}\n"));
    }
    insta::assert_snapshot!(report);
}

#[test]
fn a_torn_tail_is_set_aside() {
    let a = custom_line("aaaaaaaa", None);
    let torn_tails: [(&str, &[u8]); 3] =
        [("half", br#"{"type":"custom","id":"bb"#), ("zeros", &[0; 64]), ("garbage", b"\xff\xfe{")];
    for (name, tail) in torn_tails {
        for glue in ["\n", ""] {
            let dir = tempfile::tempdir().unwrap();
            let file = dir.path().join("s.jsonl");
            let whole = format!("{HEADER}\n{a}{glue}");
            fs::write(&file, [whole.as_bytes(), tail].concat()).unwrap();
            fs::write(dir.path().join("s.jsonl.torn-1"), "from an earlier crash").unwrap();
            let mut session = open(dir.path(), &file);
            let aside = dir.path().join("s.jsonl.torn-2");
            assert_eq!(session.load_report().torn_tail.as_ref(), Some(&aside), "{name}");
            assert_eq!(session.load_report().problems.len(), 1, "{name}");
            assert_eq!(fs::read(&aside).unwrap(), tail, "{name}");
            assert_eq!(fs::read_to_string(&file).unwrap(), whole, "{name}");
            session.append_message(user("next")).unwrap();
            let text = fs::read_to_string(&file).unwrap();
            assert_eq!(text.lines().count(), 3, "{name}: {text}");
            drop(session);
            assert_eq!(open(dir.path(), &file).load_report(), Default::default(), "{name}");
        }
    }
}

#[test]
fn unknown_entries_and_fields_stay_as_they_are() {
    let lines = [
        r#"{"type":"future","id":"00000001","parentId":null, "timestamp":"t","payload":{"z":1.50,"a":[1e3]}}"#,
        r#"{"type":"message","id":"00000002","parentId":"00000001","timestamp":"t","message":{"role":"user","content":"x","timestamp":1,"mood":"good"},"flag":true}"#,
        r#"{"type":"message","id":"00000003","parentId":"00000002","timestamp":"t","message":{"role":"robot","beep":1}}"#,
        r#"{"type":"compaction","id":"00000004","parentId":"00000003","timestamp":"t","summary":7}"#,
        r#"{"type":"custom","customType":"t","data":null,"id":"00000005","parentId":"00000004","timestamp":"t"}"#,
        r#"{"type":"message","id":"00000006","parentId":"00000005","timestamp":"t","message":{"role":"user","content":"half \ud83d","timestamp":1}}"#,
    ];
    let content = format!("{HEADER}\n{}\n", lines.join("\n"));
    let (ids, problems, after) = reopen(content.as_bytes());
    assert_eq!((ids.len(), problems), (lines.len(), vec![]));
    assert!(after.starts_with(content.as_bytes()));
}

#[test]
fn parsed_entries_serialise_to_the_same_json() {
    for raw in [
        r#"{"type":"future","id":"1","parentId":null,"timestamp":"t","payload":{"z":1.5,"a":[1000]}}"#,
        r#"{"type":"message","id":"2","parentId":"1","timestamp":"t","message":{"role":"user","content":"x","timestamp":1,"mood":"good"},"flag":true}"#,
        r#"{"type":"compaction","id":"4","parentId":"3","timestamp":"t","summary":7}"#,
        r#"{"type":"custom","customType":"t","data":null,"id":"5","parentId":"4","timestamp":"t"}"#,
        r#"{"type":"label","id":"6","parentId":"5","timestamp":"t","targetId":"1","more":[]}"#,
    ] {
        let entry: SessionEntry = serde_json::from_str(raw).unwrap();
        assert_eq!(serde_json::to_string(&entry).unwrap(), raw);
    }
}

#[test]
fn half_a_surrogate_pair_does_not_hide_a_message() {
    let raw = r#"{"type":"message","id":"00000001","parentId":null,"timestamp":"t","message":{"role":"user","content":"half \ud83d","timestamp":1}}"#;
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("s.jsonl");
    fs::write(&file, format!("{HEADER}\n{raw}\n")).unwrap();
    let session = open(dir.path(), &file);
    let context = session.build_session_context().unwrap();
    let text = serde_json::to_string(&context.messages[0]).unwrap();
    assert_eq!(text, "{\"role\":\"user\",\"content\":\"half \u{fffd}\",\"timestamp\":1}");
}

proptest! {
    /// Whatever is between whole lines, the whole lines are found and the file only grows.
    #[test]
    fn garbage_never_costs_a_whole_line(garbage in prop::collection::vec("[^\n]{0,40}|\\{\"type\":\"[a-z{\"]{0,20}", 0..6)) {
        let mut content = format!("{HEADER}\n");
        let mut expected = vec![];
        for (number, garbage) in garbage.iter().enumerate() {
            let id = format!("{number:08x}");
            content.push_str(&format!("{garbage}\n{}\n", custom_line(&id, None)));
            expected.push(id);
        }
        let (ids, _, after) = reopen(content.as_bytes());
        let found: Vec<_> = ids.into_iter().filter(|id| expected.contains(id)).collect();
        prop_assert_eq!(found, expected);
        prop_assert!(after.starts_with(content.as_bytes()));
    }
}
