//! A crash at any byte: every entry whose append had returned is there again, and the next one starts a line.

use std::fs;
use std::path::Path;

use crate::support::{assistant, open, raw_entries, small_session, user};

/// A session file and the lengths that it had after each append.
fn recorded(dir: &Path) -> (Vec<u8>, Vec<usize>) {
    let file = small_session(dir);
    let mut lengths = vec![fs::read(&file).unwrap().len()];
    let mut session = open(dir, &file);
    for number in 0..3 {
        session.append_message(user(&format!("question {number}: \u{e4}\u{1f600} \"{{}}\""))).unwrap();
        lengths.push(fs::read(&file).unwrap().len());
        session.append_message(assistant("answer\nof two lines")).unwrap();
        lengths.push(fs::read(&file).unwrap().len());
    }
    (fs::read(&file).unwrap(), lengths)
}

#[test]
fn no_acknowledged_entry_is_lost_wherever_the_file_is_cut() {
    assert!(cut_everywhere() > 1000);
}

/// Plays a crash after every byte; returns at how many.
pub(crate) fn cut_everywhere() -> usize {
    let dir = tempfile::tempdir().unwrap();
    let (content, lengths) = recorded(dir.path());
    let all: Vec<&str> = std::str::from_utf8(&content).unwrap().lines().skip(1).collect();
    for cut in 1..content.len() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("s.jsonl");
        fs::write(&file, &content[..cut]).unwrap();
        let mut session = open(dir.path(), &file);
        let found = raw_entries(&session);
        // The first write holds the header and two entries and is acknowledged as a whole.
        let acknowledged = lengths.iter().filter(|length| **length <= cut).count();
        let acknowledged = if acknowledged == 0 { 0 } else { acknowledged + 1 };
        assert!(found.len() >= acknowledged, "cut at {cut}: {} of {acknowledged} entries", found.len());
        assert_eq!(found, all[..found.len()], "cut at {cut}");

        session.append_message(user("after the crash")).unwrap();
        let expected = raw_entries(&session);
        drop(session);
        let again = open(dir.path(), &file);
        assert_eq!(raw_entries(&again), expected, "cut at {cut}");
        assert_eq!(again.load_report(), Default::default(), "cut at {cut}");
        let aside = dir.path().join("s.jsonl.torn-1");
        let torn = if aside.exists() { fs::read(&aside).unwrap() } else { vec![] };
        let kept: usize = found.iter().map(|line| line.len() + 1).sum();
        assert!(torn.len() + kept <= cut + 1, "cut at {cut}: bytes were set aside twice");
        assert!(content[..cut].ends_with(&torn), "cut at {cut}");
    }
    content.len() - 1
}
