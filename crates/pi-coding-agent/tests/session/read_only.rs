//! Sessions that are looked at only, by choice or because they cannot be understood as a whole.

use std::fs;

use pi_coding_agent::session::{Error, ReadOnly, SessionManager};

use crate::support::{HEADER, assistant, custom_line, host, open, raw_entries, small_session, user};

#[test]
fn a_reader_sees_what_is_there_and_changes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let file = small_session(dir.path());
    let mut writer = open(dir.path(), &file);
    let mut reader = SessionManager::open_read_only(host(dir.path()), &file, None).unwrap();
    assert_eq!((reader.storage().read_only(), writer.storage().read_only()), (Some(ReadOnly::Asked), None));
    assert_eq!(raw_entries(&reader), raw_entries(&writer));
    let before = fs::read(&file).unwrap();
    let refused = reader.append_message(user("no")).unwrap_err();
    assert!(matches!(refused, Error::ReadOnly { reason: ReadOnly::Asked, .. }), "{refused}");
    assert_eq!((reader.entries().count().unwrap(), fs::read(&file).unwrap()), (2, before));
    writer.append_message(assistant("yes")).unwrap();
    let again = SessionManager::open_read_only(host(dir.path()), &file, None).unwrap();
    assert_eq!(raw_entries(&again), raw_entries(&writer));
}

#[test]
fn what_cannot_be_understood_is_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("2026_the-id.jsonl");
    let (a, b) = (custom_line("aaaaaaaa", None), custom_line("bbbbbbbb", Some("aaaaaaaa")));
    let newer = HEADER.replace("\"version\":3", "\"version\":9");
    let mut texts = vec![];
    for (content, expected, id) in [
        (format!("{newer}\n{a}\n{b}\n{{\"torn"), ReadOnly::NewerVersion(9), "s"),
        (format!("\0\0\0\0\n{a}\n{b}\n"), ReadOnly::NoHeader, "the-id"),
        (format!("{a}\n{b}"), ReadOnly::NoHeader, "the-id"),
        (format!("{}\n{a}\n{b}\n", &HEADER[..40]), ReadOnly::NoHeader, "the-id"),
    ] {
        fs::write(&file, &content).unwrap();
        let mut session = open(dir.path(), &file);
        assert_eq!((session.storage().read_only(), session.session_id()), (Some(expected), id), "{content:?}");
        assert_eq!(raw_entries(&session), [a.clone(), b.clone()], "{content:?}");
        let refused = session.append_message(assistant("no")).unwrap_err();
        texts.push(refused.to_string().replace(dir.path().to_str().unwrap(), "DIR"));
        session.sync().unwrap();
        drop(session);
        assert_eq!(fs::read_to_string(&file).unwrap(), content, "not a byte was changed");
        let names: Vec<_> = fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names.len(), 1, "{names:?}");
    }
    texts.dedup();
    insta::assert_snapshot!(texts.join("\n"), @r"
    Session file DIR/2026_the-id.jsonl is open for reading only: its format version 9 is newer than this program. Update pi, or fork the session.
    Session file DIR/2026_the-id.jsonl is open for reading only: its first line is no session header. `pi session doctor DIR/2026_the-id.jsonl --repair` makes a whole copy.
    ");
}
