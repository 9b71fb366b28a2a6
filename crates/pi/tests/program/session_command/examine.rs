//! What the doctor finds in files that are damaged in one known way, and that its repair removes every error.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use pi_coding_agent::ids::SequentialIds;
use pi_coding_agent::session::doctor::{Diagnosis, examine, repair};
use pi_coding_agent::session::{Error, load_session};

use crate::session_command::samples::{HEADER, answer, call, entry, result, sound, user, write};

fn look(path: &Path) -> Diagnosis {
    examine(path, &SequentialIds::default()).unwrap()
}

/// The findings, one per line.
fn findings(diagnosis: &Diagnosis) -> String {
    let mut text = String::new();
    for finding in &diagnosis.findings {
        let place = finding
            .place
            .map_or("file".to_owned(), |place| format!("line {} bytes {}-{}", place.line, place.start, place.end));
        writeln!(text, "  {} {place}: {}", finding.kind.code(), finding.detail).unwrap();
    }
    text
}

#[test]
fn a_sound_session_has_no_findings() {
    let dir = tempfile::tempdir().unwrap();
    let diagnosis = look(&write(dir.path(), "s.jsonl", &sound()));
    assert_eq!(diagnosis.findings, []);
    assert!(diagnosis.is_sound());
    assert_eq!((diagnosis.entries, diagnosis.messages, diagnosis.lines, diagnosis.version), (14, 10, 15, Some(3)));
}

/// Each damage by name, as the bytes of a file.
fn damages() -> Vec<(&'static str, Vec<u8>)> {
    let (a, b, c) = (user("a", None, "one"), answer("b", "a", "two"), user("c", Some("b"), "three"));
    let file = |lines: &[&str]| (lines.join("\n") + "\n").into_bytes();
    let chain = |middle: &[&str]| file(&[&[HEADER, a.as_str()][..], middle, &[c.as_str()][..]].concat());
    let half = &b[..b.len() / 2];
    let raw = |parts: &[&[u8]]| parts.concat();
    vec![
        ("empty", vec![]),
        ("no header", file(&[&a, &b])),
        ("half a header", file(&[&HEADER[..60], &a, &b])),
        ("header behind entries", file(&[&a, HEADER, &b])),
        ("newer version", file(&[&HEADER.replace("\"version\":3", "\"version\":9"), &a])),
        ("byte order mark", raw(&["\u{feff}".as_bytes(), &file(&[HEADER, &a])])),
        ("NUL block", chain(&["\0\0\0\0", &b])),
        ("NUL block in place of an entry", chain(&[&"\0".repeat(64)])),
        ("half a line", chain(&[half])),
        ("foreign text", chain(&["<<<<<<< HEAD", &b, "null"])),
        ("two entries on a line", chain(&[&format!("{b}{}", user("d", Some("b"), "glued"))])),
        ("an entry behind half a one", chain(&[&format!("{half}{}", answer("d", "b", "glued"))])),
        ("torn tail", file(&[HEADER, &a, &b])[..430].to_vec()),
        ("no final newline", file(&[HEADER, &a]).strip_suffix(b"\n").unwrap().to_vec()),
        ("invalid UTF-8", raw(&[&file(&[HEADER]), &a.replace("one", "o\u{fffd}e").into_bytes().escape_high(), b"\n"])),
        ("half a character", file(&[HEADER, &a.replace("one", "half \\ud83d")])),
        ("second header", chain(&[HEADER, &b])),
        ("no type", chain(&[&b.replacen("\"type\":\"message\",", "", 1)])),
        ("no type and no message", chain(&[&b, r#"{"id":"x","parentId":"b","timestamp":"t"}"#])),
        ("no id", chain(&[&b.replacen("\"id\":\"b\",", "", 1)])),
        ("no timestamp", chain(&[&b.replacen("\"timestamp\":\"2026-11-21T20:15:00.000Z\",", "", 1)])),
        ("no parent", chain(&[&b.replacen("\"parentId\":\"a\",", "", 1)])),
        ("odd time", chain(&[&b.replacen("2026-11-21T20:15:00.000Z", "yesterday", 1)])),
        ("older than before", chain(&[&b.replacen("2026-11-21", "2026-11-20", 1)])),
        ("one id twice", chain(&[&b, &answer("b", "b", "another")])),
        ("a copy", chain(&[&b, &b])),
        ("unknown parent", chain(&[])),
        ("parent behind", file(&[HEADER, &a, &answer("b", "c", "two"), &user("c", Some("a"), "three")])),
        ("follows itself", chain(&[&answer("b", "b", "two")])),
        ("a ring", file(&[HEADER, &a, &answer("b", "c", "two"), &c])),
        (
            "kept entry lost",
            chain(&[half, &entry("compaction", "k", "b", r#""summary":"s","firstKeptEntryId":"b","tokensBefore":1"#)]),
        ),
        (
            "kept entry lost, others kept",
            file(&[
                HEADER,
                &a,
                half,
                &user("c", Some("b"), "three"),
                &entry("compaction", "k", "c", r#""summary":"s","firstKeptEntryId":"b","tokensBefore":1"#),
            ]),
        ),
        ("version lost", file(&[&HEADER.replace("\"version\":3,", ""), &a, &b, &user("d", Some("a"), "branch")])),
        ("wrong version", file(&[&HEADER.replace("\"version\":3", "\"version\":1"), &a, &b])),
        (
            "kept entry elsewhere",
            chain(&[&b, &entry("compaction", "k", "a", r#""summary":"s","firstKeptEntryId":"b","tokensBefore":1"#)]),
        ),
        ("label on nothing", chain(&[&b, &entry("label", "l", "b", r#""targetId":"gone","label":"x""#)])),
        ("call without result", chain(&[&call("b", "a", "call_1")])),
        ("result without call", chain(&[&result("b", "a", "call_9", "x")])),
        (
            "unknown type and role",
            chain(&[&b, &entry("future", "f", "b", ""), &user("r", Some("f"), "x").replacen("user", "robot", 1)]),
        ),
        ("of another shape", chain(&[&b, &entry("compaction", "k", "b", r#""summary":7"#)])),
        (
            "version 1, damaged",
            file(&[
                r#"{"type":"session","id":"s","timestamp":"2026-11-21T20:14:22.840Z","cwd":"/srv/app"}"#,
                r#"{"type":"message","timestamp":"2026-11-21T20:15:00.000Z","message":{"role":"user","content":"one","timestamp":1}}"#,
                "\0\0\0\0",
                r#"{"type":"message","timestamp":"2026-11-21T20:15:01.000Z","message":{"role":"user","content":"two","timestamp":1}}"#,
            ]),
        ),
    ]
}

trait Escape {
    fn escape_high(self) -> Vec<u8>;
}

impl Escape for Vec<u8> {
    /// A replacement character becomes a byte that is no UTF-8.
    fn escape_high(self) -> Vec<u8> {
        let text = String::from_utf8(self).unwrap();
        let (before, after) = text.split_once('\u{fffd}').unwrap();
        [before.as_bytes(), b"\xff", after.as_bytes()].concat()
    }
}

#[test]
fn damage_is_found_explained_and_repaired() {
    let mut report = String::new();
    for (name, content) in damages() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("s.jsonl");
        fs::write(&file, &content).unwrap();
        let diagnosis = look(&file);
        writeln!(report, "## {name}: {} errors, {} warnings", diagnosis.errors, diagnosis.warnings).unwrap();
        report.push_str(&findings(&diagnosis));
        let ids = SequentialIds::default();
        match repair(&file, None, &ids) {
            Ok(repaired) => {
                let after = look(&repaired.path);
                assert!(after.is_sound(), "{name}: {}", findings(&after));
                load_session(&repaired.path, &ids).unwrap();
                let text = fs::read_to_string(&repaired.path).unwrap();
                let links: Vec<String> = text.lines().skip(1).map(link).collect();
                writeln!(
                    report,
                    "  -> {} changed, {} set aside: {}",
                    repaired.changed,
                    repaired.set_aside,
                    links.join(" ")
                )
                .unwrap();
            }
            Err(error) => {
                assert!(matches!(error, Error::NothingToRepair { .. }), "{name}: {error}");
                report.push_str("  -> nothing to repair\n");
            }
        }
        assert_eq!(fs::read(&file).unwrap(), content, "{name}: the session was changed");
    }
    insta::assert_snapshot!(report);
}

/// An entry and what it follows.
fn link(line: &str) -> String {
    let entry: serde_json::Value = serde_json::from_str(line).unwrap_or_default();
    format!("{}<{}", entry["parentId"].as_str().unwrap_or("-"), entry["id"].as_str().unwrap_or("?"))
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let dir = tempfile::tempdir().unwrap();
    let missing = examine(&dir.path().join("no.jsonl"), &SequentialIds::default());
    assert!(matches!(missing, Err(Error::Host(pi_coding_agent::host::Error::NoSuchFile { .. }))));
    let directory = examine(dir.path(), &SequentialIds::default());
    assert!(matches!(directory, Err(Error::Open { .. })), "{directory:?}");
}

#[test]
fn a_flood_of_findings_is_counted() {
    let dir = tempfile::tempdir().unwrap();
    let mut lines = sound();
    lines.extend(std::iter::repeat_n("garbage".to_owned(), 1000));
    let diagnosis = look(&write(dir.path(), "s.jsonl", &lines));
    assert_eq!((diagnosis.findings.len(), diagnosis.omitted, diagnosis.errors), (100, 900, 1000));
}

#[test]
fn torn_files_beside_the_session_are_named() {
    let dir = tempfile::tempdir().unwrap();
    let file = write(dir.path(), "s.jsonl", &sound());
    for name in ["s.jsonl.torn-1", "s.jsonl.torn-2", "other.jsonl.torn-1"] {
        fs::write(dir.path().join(name), "x").unwrap();
    }
    assert_eq!(findings(&look(&file)), "  torn-file file: s.jsonl.torn-1\n  torn-file file: s.jsonl.torn-2\n");
}
