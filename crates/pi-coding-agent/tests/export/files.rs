//! Exports and imports on disk.

use std::fs;
use std::path::{Path, PathBuf};

use pi_coding_agent::export::{
    Error, ImportTarget, SessionSnapshot, default_html_name, default_jsonl_name, export_file, import_jsonl,
};
use pi_coding_agent::{host, session};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{header, session_file, user};

/// A session of the directory itself with a fork: entries 0 and 3 4 are current, 1 2 were left.
fn forked(dir: &Path) -> PathBuf {
    let mut head = header();
    head["cwd"] = json!(dir);
    head["parentSession"] = json!("/elsewhere.jsonl");
    head["colour"] = json!("blue");
    let mut entries: Vec<Value> = (0..5).map(|n| user(&format!("text {n}"))).collect();
    entries[3]["parentId"] = json!("0");
    entries[4]["future"] = json!({"b": 1, "a": 2.50});
    session_file(dir, &head, &entries)
}

fn lines(file: &Path) -> Vec<String> {
    fs::read_to_string(file).unwrap().lines().map(ToOwned::to_owned).collect()
}

#[test]
fn a_branch_is_exported_byte_for_byte() {
    let dir = TempDir::new().unwrap();
    let file = forked(dir.path());
    let before = fs::read(&file).unwrap();
    let out = dir.path().join("new/dir/out.jsonl");
    export_file(&file, &out, 0).unwrap();
    assert_eq!(fs::read(&file).unwrap(), before);
    let (old, new) = (lines(&file), lines(&out));
    assert_eq!(new[1..], [&old[1], &old[4], &old[5]].map(Clone::clone));
    let head: Value = serde_json::from_str(&new[0]).unwrap();
    let cwd = dir.path();
    assert_eq!(
        head,
        json!({"type": "session", "version": 3, "id": "s-1", "timestamp": "1970-01-01T00:00:00.000Z", "cwd": cwd, "colour": "blue"})
    );
    // What was exported is a session with the same branch.
    let again = dir.path().join("again.jsonl");
    export_file(&out, &again, 0).unwrap();
    assert_eq!(lines(&again), new);
}

#[test]
fn an_export_is_complete_or_not_there_and_never_over_its_source() {
    let dir = TempDir::new().unwrap();
    let file = forked(dir.path());
    let before = fs::read(&file).unwrap();
    let error = export_file(&file, &file, 0).unwrap_err();
    assert!(error.to_string().contains("that is the session file itself"), "{error}");
    #[cfg(unix)]
    {
        let link = dir.path().join("link.html");
        std::os::unix::fs::symlink(&file, &link).unwrap();
        assert!(matches!(export_file(&file, &link, 0), Err(Error::OverSource { .. })));
    }
    assert_eq!(fs::read(&file).unwrap(), before);
    let below_a_file = file.join("x.html");
    let error = export_file(&file, &below_a_file, 0).unwrap_err();
    assert!(matches!(&error, Error::Host(host::Error::FileWrite { path, .. }) if *path == below_a_file), "{error}");
    let page = dir.path().join("p.html");
    fs::write(&page, "old").unwrap();
    export_file(&file, &page, 0).unwrap();
    assert!(fs::read_to_string(&page).unwrap().ends_with("</html>\n"));
    let left: Vec<_> = fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(left.iter().all(|name| !name.to_string_lossy().starts_with(".tmp")), "{left:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told() {
    let dir = TempDir::new().unwrap();
    let error = export_file(&forked(dir.path()), Path::new("/dev/full"), 0).unwrap_err().to_string();
    assert!(error.starts_with("Cannot write /dev/full: "), "{error}");
}

#[test]
fn what_is_no_session_is_refused_and_left_alone() {
    let dir = TempDir::new().unwrap();
    let out = dir.path().join("o.html");
    let missing = dir.path().join("none.jsonl");
    let error = export_file(&missing, &out, 0).unwrap_err().to_string();
    assert_eq!(error, format!("File not found: {}", missing.display()));
    // An empty file is a session to go on with.
    for content in ["hello\n", "{\"type\":\"message\"}\n"] {
        let file = dir.path().join("odd.jsonl");
        fs::write(&file, content).unwrap();
        let target = ImportTarget { dir: &dir.path().join("sessions"), cwd: dir.path(), cwd_override: None };
        for error in [export_file(&file, &out, 0).unwrap_err(), import_jsonl(&file, target).unwrap_err()] {
            assert!(
                matches!(&error, Error::Session(session::Error::Invalid { path, .. }) if *path == file),
                "{content:?}: {error}"
            );
        }
        assert_eq!(fs::read_to_string(&file).unwrap(), content);
    }
    assert!(!out.exists() && !dir.path().join("sessions").exists());
}

#[test]
fn old_versions_are_exported_and_not_rewritten() {
    let dir = TempDir::new().unwrap();
    let file = dir.path().join("v1.jsonl");
    let content = "{\"type\":\"session\",\"id\":\"s\",\"timestamp\":\"2026-11-21T20:14:22.840Z\",\"cwd\":\"/srv\"}\n\
        {\"type\":\"message\",\"timestamp\":\"2026-11-21T20:14:23.000Z\",\"message\":{\"role\":\"user\",\"content\":\"old words\"}}\n";
    fs::write(&file, content).unwrap();
    export_file(&file, &dir.path().join("o.html"), 0).unwrap();
    export_file(&file, &dir.path().join("o.jsonl"), 0).unwrap();
    assert!(fs::read_to_string(dir.path().join("o.html")).unwrap().contains("<p>old words</p>"));
    let exported = SessionSnapshot::of_file(&dir.path().join("o.jsonl")).unwrap();
    assert!(format!("{exported:?}").contains("old words"));
    assert_eq!(fs::read_to_string(&file).unwrap(), content);
}

#[test]
fn an_import_is_a_copy_that_takes_no_name() {
    let dir = TempDir::new().unwrap();
    let file = forked(dir.path());
    let sessions = dir.path().join("sessions/deep");
    let target = ImportTarget { dir: &sessions, cwd: dir.path(), cwd_override: None };
    for name in ["s.jsonl", "s-2.jsonl", "s-3.jsonl"] {
        let copy = import_jsonl(&file, target).unwrap();
        assert_eq!(copy, sessions.join(name));
        assert_eq!(fs::read(&copy).unwrap(), fs::read(&file).unwrap());
    }
    // What is in the directory already stays as it is.
    let there = sessions.join("s-2.jsonl");
    assert_eq!(import_jsonl(&there, target).unwrap(), there);
    assert_eq!(fs::read_dir(&sessions).unwrap().count(), 3);
}

#[test]
fn an_import_needs_a_directory_to_run_in() {
    let dir = TempDir::new().unwrap();
    let mut head = header();
    head["cwd"] = json!("/nowhere/at/all");
    let file = session_file(dir.path(), &head, &[user("x")]);
    let sessions = dir.path().join("sessions");
    let target = ImportTarget { dir: &sessions, cwd: dir.path(), cwd_override: None };
    let error = import_jsonl(&file, target).unwrap_err();
    assert!(matches!(error, Error::Session(session::Error::MissingCwd { .. })), "{error}");
    assert!(!sessions.exists());
    let target = ImportTarget { cwd_override: Some(dir.path()), ..target };
    assert!(import_jsonl(&file, target).unwrap().exists());
    fs::write(dir.path().join("plain"), "").unwrap();
    let blocked = ImportTarget { dir: &dir.path().join("plain"), ..target };
    let error = import_jsonl(&file, blocked).unwrap_err().to_string();
    assert!(error.starts_with(&format!("Cannot import {} into ", file.display())), "{error}");
}

#[test]
fn names_say_what_they_are_of() {
    assert_eq!(default_html_name(Path::new("/a/2026_x.y.jsonl")), Path::new("pi-session-2026_x.y.html"));
    assert_eq!(default_jsonl_name(1_795_292_062_840), Path::new("session-2026-11-21T20-14-22-840Z.jsonl"));
}
