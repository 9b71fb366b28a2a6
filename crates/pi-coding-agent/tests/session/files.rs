//! Which file is opened, and what happens when it cannot be.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use pi_coding_agent::session::{Error, NewSession, SessionManager, load_session};

use crate::support::{HEADER, assistant, custom_line, host, open, small_session, user};

fn set_age(file: &Path, seconds: u64) {
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(2_000_000_000 - seconds);
    fs::File::options().write(true).open(file).unwrap().set_modified(time).unwrap();
}

#[test]
fn the_most_recent_session_is_continued() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path();
    let store = path.join("store");
    fs::create_dir(&store).unwrap();
    let long = format!("{}/{}", path.display(), "long/".repeat(300));
    let write = |name: &str, cwd: &str, age: u64| {
        let header = HEADER.replace("/srv/app", cwd);
        fs::write(store.join(name), format!("{header}\n{}\n", custom_line("00000001", None))).unwrap();
        set_age(&store.join(name), age);
    };
    let recent = |cwd: &str| {
        let session = SessionManager::continue_recent(host(path), Path::new(cwd), Some(&store)).unwrap();
        session.session_file().unwrap().file_name().unwrap().to_str().unwrap().to_owned()
    };
    write("a.jsonl", "/srv/a", 30);
    write("b.jsonl", "/srv/a", 20);
    write("other.jsonl", "/srv/b", 10);
    write("c.jsonl", &long, 5);
    fs::write(store.join("broken.jsonl"), "no session").unwrap();
    fs::write(store.join("notes.txt"), HEADER).unwrap();
    assert_eq!(recent("/srv/a"), "b.jsonl");
    assert_eq!(recent("/srv/b/../b"), "other.jsonl");
    // The header line is much longer than 512 bytes.
    assert_eq!(recent(&long), "c.jsonl");
    assert!(recent("/srv/none").starts_with("2026-"));
}

#[test]
fn in_the_default_directory_every_session_counts() {
    let dir = tempfile::tempdir().unwrap();
    let file = small_session(dir.path());
    let session = SessionManager::continue_recent(host(dir.path()), dir.path(), None).unwrap();
    assert_eq!(session.session_file(), Some(file.as_path()));
    assert_eq!(session.entries().count().unwrap(), 2);
}

#[cfg(unix)]
#[test]
fn only_the_owner_may_read_a_new_session_and_others_keep_their_mode() {
    use std::os::unix::fs::PermissionsExt;

    let dir = tempfile::tempdir().unwrap();
    let mode = |file: &Path| fs::metadata(file).unwrap().permissions().mode() & 0o777;
    let file = small_session(dir.path());
    assert_eq!(mode(&file), 0o600);
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    open(dir.path(), &file).append_message(user("more")).unwrap();
    assert_eq!(mode(&file), 0o640);
}

#[cfg(unix)]
#[test]
fn every_file_that_is_made_of_a_session_is_its_owner_s_alone() {
    use std::os::unix::fs::PermissionsExt;

    use pi_coding_agent::export::{ImportTarget, import_jsonl};
    use pi_coding_agent::session::doctor::repair;

    let dir = tempfile::tempdir().unwrap();
    let path = dir.path();
    let open_to_all = |name: &str, content: &str| {
        let file = path.join(name);
        fs::write(&file, content).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
        file
    };
    let torn = open_to_all("torn.jsonl", &format!("{HEADER}\n{}\n{{\"torn", custom_line("00000001", None)));
    let old = open_to_all("old.jsonl", &HEADER.replace("\"version\":3,", ""));
    let damaged = open_to_all("damaged.jsonl", &format!("{HEADER}\nnoise\n{}\n", custom_line("00000001", None)));
    let lost = open_to_all("lost.jsonl", &format!("{HEADER}\n"));
    let mut made = vec![path.join("torn.jsonl.torn-1"), old.clone()];
    drop(open(path, &torn));
    drop(open(path, &old));
    let fork = SessionManager::fork_from(host(path), &torn, path, &NewSession::default()).unwrap();
    made.push(fork.session_file().unwrap().to_owned());
    let target = ImportTarget { dir: &path.join("imported"), cwd: path, cwd_override: Some(path) };
    made.push(import_jsonl(&torn, target).unwrap());
    let repaired = repair(&damaged, None, host(path).ids.as_ref()).unwrap();
    made.extend([repaired.path, repaired.rejected.unwrap()]);
    let mut session = open(path, &lost);
    fs::remove_file(&lost).unwrap();
    session.append_message(user("hello")).unwrap();
    made.push(lost);
    for file in made {
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600, "{}", file.display());
    }
}

#[test]
fn a_missing_file_becomes_a_session_of_that_name() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("deep/er/new.jsonl");
    let mut session = open(dir.path(), &file);
    assert_eq!((session.session_file(), session.cwd()), (Some(file.as_path()), dir.path()));
    assert!(!file.exists());
    session.append_message(assistant("hi")).unwrap();
    assert!(file.exists());
}

#[test]
fn an_empty_file_gets_its_header_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("s.jsonl");
    for content in ["", "\n", "  "] {
        fs::write(&file, content).unwrap();
        open(dir.path(), &file).append_message(user("hello")).unwrap();
        let session = open(dir.path(), &file);
        assert_eq!((session.entries().count().unwrap(), session.load_report().problems.len()), (1, 0), "{content:?}");
    }
}

#[test]
fn foreign_files_are_refused_and_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("notes.jsonl");
    let mut texts = vec![];
    for content in
        ["my notes\nof today", "{\"a\":1}\n", "[]\n", "\0\0\0\0", "{\"type\":\"session\"}\n", "{\"type\":\"sesame"]
    {
        fs::write(&file, content).unwrap();
        match SessionManager::open(host(dir.path()), &file, None) {
            Ok(session) => panic!("{content:?} was opened: {session:?}"),
            Err(error) => texts.push(error.to_string().replace(dir.path().to_str().unwrap(), "DIR")),
        }
        assert_eq!(fs::read_to_string(&file).unwrap(), content);
    }
    texts.dedup();
    insta::assert_snapshot!(texts.join("\n"));
}

#[test]
fn one_session_writes_and_others_may_read() {
    let dir = tempfile::tempdir().unwrap();
    let file = small_session(dir.path());
    let mut first = open(dir.path(), &file);
    let refused = SessionManager::open(host(dir.path()), &file, None).unwrap_err();
    let Error::Locked { path, pid } = &refused else { panic!("{refused}") };
    assert_eq!(path, &file);
    if cfg!(target_os = "linux") {
        assert!(pid.is_none_or(|pid| pid == std::process::id()), "{refused}");
    }
    // Reading needs no lock, as often as one likes.
    let ids = host(dir.path()).ids;
    assert_eq!(load_session(&file, ids.as_ref()).unwrap().entries.len(), 2);
    assert_eq!(load_session(&file, ids.as_ref()).unwrap().header.id, first.session_id());
    first.append_message(user("more")).unwrap();
    drop(first);
    assert_eq!(open(dir.path(), &file).entries().count().unwrap(), 3);
}

#[test]
fn a_session_directory_that_cannot_be_used_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let blocked = dir.path().join("file");
    fs::write(&blocked, "").unwrap();
    let options = NewSession { dir: Some(blocked.join("sessions")), ..NewSession::default() };
    let refused = SessionManager::create(host(dir.path()), dir.path(), &options).unwrap_err().to_string();
    insta::assert_snapshot!(refused.replace(dir.path().to_str().unwrap(), "DIR"));
}

#[cfg(unix)]
#[test]
fn a_read_only_directory_is_refused_before_anything_is_asked() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    let locked = dir.path().join("sessions");
    fs::create_dir(&locked).unwrap();
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o555)).unwrap();
    if fs::write(locked.join("probe"), "").is_ok() {
        println!("skipped: this user may write everywhere");
        return;
    }
    let options = NewSession { dir: Some(locked), ..NewSession::default() };
    let refused = SessionManager::create(host(dir.path()), dir.path(), &options).unwrap_err();
    assert!(matches!(refused, Error::Directory { .. }), "{refused}");
}

#[test]
fn a_vanished_working_directory_is_reported() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("s.jsonl");
    fs::write(&file, format!("{}\n", HEADER.replace("/srv/app", "/srv/gone"))).unwrap();
    let text = open(dir.path(), &file).check_cwd().unwrap_err().to_string();
    insta::assert_snapshot!(text.replace(dir.path().to_str().unwrap(), "DIR"));
    assert!(SessionManager::in_memory(host(dir.path()), Path::new("/srv/gone")).check_cwd().is_ok());
}
