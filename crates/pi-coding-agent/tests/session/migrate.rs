//! Files of versions 1 and 2.

use std::fs;

use crate::support::{HEADER, custom_line, open, raw_entries, user};

const V1: &str = r#"{"type":"session","id":"s1","timestamp":"2025-10-09T08:53:40.000Z","cwd":"/srv/app","provider":"ant","modelId":"m"}
{"type":"message","timestamp":"2025-10-09T08:53:41.000Z","message":{"role":"user","content":"q","timestamp":1.0}}
broken {
{"type":"compaction","timestamp":"2025-10-09T08:53:42.000Z","summary":"s","firstKeptEntryIndex":1,"tokensBefore":12}
{"type":"compaction","timestamp":"2025-10-09T08:53:42.000Z","summary":"s","firstKeptEntryIndex":0,"tokensBefore":12}
{"type":"message","timestamp":"2025-10-09T08:53:43.000Z","message":{"role":"hookMessage","customType":"h","content":"c","display":true,"timestamp":2}}
{"type":"future","timestamp":"2025-10-09T08:53:44.000Z","big":123456789012345678901234567890,"f":1.50}
{"type":"message","timest"#;

#[test]
fn version_1_becomes_a_chain() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("s.jsonl");
    fs::write(&file, V1).unwrap();
    let mut session = open(dir.path(), &file);
    let report = session.load_report();
    assert_eq!(report.migrated_from, Some(1));
    assert_eq!(fs::read_to_string(report.torn_tail.as_ref().unwrap()).unwrap(), r#"{"type":"message","timest"#);
    insta::assert_snapshot!("v1", fs::read_to_string(&file).unwrap());
    session.append_message(user("next")).unwrap();
    let expected = raw_entries(&session);
    drop(session);
    let again = open(dir.path(), &file);
    assert_eq!((raw_entries(&again), again.load_report().migrated_from), (expected, None));
    let names: Vec<_> = fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.len(), 2, "no temporary file stays behind: {names:?}");
}

#[test]
fn version_2_has_its_hook_messages_renamed() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("s.jsonl");
    let v2 = r#"{"type":"session","version":2,"id":"s2","timestamp":"t","cwd":"/srv/app"}
{"type":"message","id":"a","parentId":null,"timestamp":"t","message":{"content":"c","role":"hookMessage","customType":"h","display":true,"timestamp":2}}
"#;
    fs::write(&file, v2).unwrap();
    drop(open(dir.path(), &file));
    insta::assert_snapshot!("v2", fs::read_to_string(&file).unwrap());
}

#[test]
fn a_header_without_its_version_costs_no_branch() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("s.jsonl");
    let lines = [
        custom_line("aaaaaaaa", None),
        custom_line("bbbbbbbb", Some("aaaaaaaa")),
        custom_line("cccccccc", Some("aaaaaaaa")),
    ];
    for header in [HEADER.replace("\"version\":3", "\"version\":1"), HEADER.replace("\"version\":3,", "")] {
        fs::write(&file, format!("{header}\n{}\n", lines.join("\n"))).unwrap();
        let session = open(dir.path(), &file);
        assert_eq!((raw_entries(&session), session.header().version()), (lines.to_vec(), 3));
        assert_eq!(session.entries().children(Some("aaaaaaaa")).unwrap().len(), 2);
    }
}

#[cfg(unix)]
#[test]
fn a_rewritten_file_is_its_owner_s_alone_and_keeps_link_and_lock() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let dir = tempfile::tempdir().unwrap();
    let (file, link) = (dir.path().join("real.jsonl"), dir.path().join("link.jsonl"));
    fs::write(&file, V1).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    symlink(&file, &link).unwrap();
    let session = open(dir.path(), &link);
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    let second = pi_coding_agent::session::SessionManager::open(crate::support::host(dir.path()), &file, None);
    assert!(matches!(second, Err(pi_coding_agent::session::Error::Locked { .. })));
    drop(session);
}
