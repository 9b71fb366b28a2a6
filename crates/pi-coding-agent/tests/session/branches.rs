//! Moving about in the tree, and sessions made of a part of another one or of all of it.

use std::fs;
use std::path::Path;

use pi_coding_agent::session::{BranchSummary, Error, NewSession, SessionManager, SessionTree, StoredEntry};
use serde_json::Value;

use crate::support::{HEADER, assistant, custom_line, host, later_host, open, raw_entries, small_session, user};

fn ids(entries: &[StoredEntry]) -> Vec<&str> {
    entries.iter().map(StoredEntry::id).collect()
}

#[test]
fn children_are_found_in_file_order() {
    let dir = tempfile::tempdir().unwrap();
    let mut session = SessionManager::in_memory(host(dir.path()), dir.path());
    let a = session.append_message(user("a")).unwrap();
    let b = session.append_message(user("b")).unwrap();
    session.branch(&a).unwrap();
    let c = session.append_message(user("c")).unwrap();
    let summary = BranchSummary { summary: "left".into(), ..BranchSummary::default() };
    let d = session.branch_with_summary(Some(&a), summary).unwrap();
    session.reset_leaf();
    let e = session.append_message(user("e")).unwrap();
    assert_eq!(ids(&session.entries().children(Some(&a)).unwrap()), [&b, &c, &d]);
    assert_eq!(ids(&session.entries().children(None).unwrap()), [&a, &e]);
    assert_eq!(session.entries().children(Some("nope")).unwrap(), []);
    assert_eq!(session.entries().leaf().unwrap().unwrap().id(), e);
    let tree = session.entries().tree().unwrap();
    let entry = |place: usize| session.entries().at(place).unwrap().unwrap().id().to_owned();
    let walked: Vec<_> = tree.walk().map(entry).collect();
    assert_eq!(walked, [&a, &b, &c, &d, &e].map(ToOwned::to_owned));
    let entries: Vec<_> = session.entries().iter().map(Result::unwrap).collect();
    assert_eq!(tree, SessionTree::of(&entries));
    let up: Vec<_> = session.entries().climb().map(|entry| entry.unwrap().id().to_owned()).collect();
    assert_eq!(up, [e]);
}

#[test]
fn an_entry_behind_a_lost_one_follows_what_is_left() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("s.jsonl");
    let (a, c) = (custom_line("aaaaaaaa", None), custom_line("cccccccc", Some("bbbbbbbb")));
    let orphan = custom_line("dddddddd", Some("eeeeeeee"));
    fs::write(&file, format!("{HEADER}\n{a}\n\0\0\0\0\n{c}\n{orphan}\n")).unwrap();
    let session = open(dir.path(), &file);
    assert_eq!(ids(&session.entries().branch_of("cccccccc").unwrap()), ["aaaaaaaa", "cccccccc"]);
    // Without damage in front of it nobody can tell where an entry belongs.
    assert_eq!(ids(&session.entries().current_branch().unwrap()), ["dddddddd"]);
    assert_eq!(ids(&session.entries().children(None).unwrap()), ["aaaaaaaa", "dddddddd"]);
}

#[test]
fn rings_of_parents_end() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("s.jsonl");
    let (a, b) = (custom_line("aaaaaaaa", Some("bbbbbbbb")), custom_line("bbbbbbbb", Some("aaaaaaaa")));
    let own = custom_line("cccccccc", Some("cccccccc"));
    fs::write(&file, format!("{HEADER}\n{a}\n{b}\n{own}\n")).unwrap();
    let session = open(dir.path(), &file);
    assert_eq!(ids(&session.entries().branch_of("bbbbbbbb").unwrap()), ["aaaaaaaa", "bbbbbbbb"]);
    assert_eq!(ids(&session.entries().branch_of("cccccccc").unwrap()), ["cccccccc"]);
}

/// A session with two branches, labels on both and an entry of a type that nobody knows. Returns its file and a leaf.
fn branched(dir: &Path) -> (std::path::PathBuf, String) {
    let file = small_session(dir);
    let mut text = fs::read_to_string(&file).unwrap();
    let last: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    let parent = last["id"].as_str().unwrap();
    text += &format!(
        "{{\"type\":\"future\",\"id\":\"f0000000\",\"parentId\":\"{parent}\", \"timestamp\":\"t\",\"n\":1.50}}\n"
    );
    fs::write(&file, text).unwrap();
    let mut session = open(dir, &file);
    session.append().label_change(parent, Some("answer")).unwrap();
    let leaf = session.append_message(user("on this branch")).unwrap();
    session.branch("f0000000").unwrap();
    let other = session.append_message(user("on the other branch")).unwrap();
    session.append().label_change(&other, Some("elsewhere")).unwrap();
    session.append().label_change("f0000000", Some("later")).unwrap();
    session.append().label_change(parent, Some("answer, renamed")).unwrap();
    (file, leaf)
}

#[test]
fn one_branch_becomes_a_session_of_its_own() {
    let dir = tempfile::tempdir().unwrap();
    let (file, leaf) = branched(dir.path());
    let before = fs::read(&file).unwrap();
    let mut session = SessionManager::open(later_host(dir.path()), &file, None).unwrap();
    let made = session.create_branched_session(&leaf).unwrap().unwrap();
    assert_eq!(session.session_file(), Some(made.as_path()));
    assert_eq!(session.entries().label("f0000000").unwrap(), Some("later"));
    let text = fs::read_to_string(&made).unwrap();
    let name = dir.path().file_name().unwrap().to_str().unwrap();
    insta::assert_snapshot!(text.replace(dir.path().to_str().unwrap(), "DIR").replace(name, "NAME"));
    assert_eq!(fs::read(&file).unwrap(), before, "the old file stays as it is");
    drop(open(dir.path(), &file));

    session.append_message(user("next")).unwrap();
    let all = raw_entries(&session);
    drop(session);
    assert_eq!(raw_entries(&open(dir.path(), &made)), all);
}

#[test]
fn a_branch_of_a_question_alone_has_its_file() {
    let dir = tempfile::tempdir().unwrap();
    let mut session = SessionManager::create(host(dir.path()), dir.path(), &NewSession::default()).unwrap();
    let first = session.append_message(user("q")).unwrap();
    session.append_message(assistant("a")).unwrap();
    assert!(matches!(session.create_branched_session("nope"), Err(Error::EntryNotFound { .. })));
    let made = session.create_branched_session(&first).unwrap().unwrap();
    assert_eq!(fs::read_to_string(&made).unwrap().lines().count(), 2);
    session.append_message(assistant("b")).unwrap();
    assert_eq!(fs::read_to_string(&made).unwrap().lines().count(), 3);

    let mut session = SessionManager::in_memory(host(dir.path()), dir.path());
    let first = session.append_message(user("q")).unwrap();
    session.append_message(user("r")).unwrap();
    assert_eq!(session.create_branched_session(&first).unwrap(), None);
    assert_eq!((session.entries().count().unwrap(), session.header().parent_session.as_ref()), (1, None));
}

#[test]
fn a_fork_holds_every_byte_of_every_entry() {
    let dir = tempfile::tempdir().unwrap();
    let (file, _) = branched(dir.path());
    let elsewhere = dir.path().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    // The source may be open, here and elsewhere, and its end may be torn.
    let source = open(dir.path(), &file);
    fs::OpenOptions::new()
        .append(true)
        .open(&file)
        .and_then(|mut file| std::io::Write::write_all(&mut file, b"{\"ty"))
        .unwrap();
    let options = NewSession { id: Some("my-fork".into()), ..NewSession::default() };
    let fork = SessionManager::fork_from(later_host(dir.path()), &file, &elsewhere, &options).unwrap();
    assert_eq!(raw_entries(&fork), raw_entries(&source));
    assert_eq!((fork.cwd(), fork.session_id()), (elsewhere.as_path(), "my-fork"));
    assert_eq!(fork.header().parent_session.as_deref(), file.to_str());
    assert!(fork.uses_default_session_dir());
    assert_eq!(fork.leaf_id(), source.leaf_id());
    let text = fs::read_to_string(fork.session_file().unwrap()).unwrap();
    let original = fs::read_to_string(&file).unwrap();
    let entries = |text: &str| text.split_once('\n').unwrap().1.to_owned();
    assert_eq!(entries(&text), entries(&original).strip_suffix("{\"ty").unwrap());
    let refused = SessionManager::open(host(dir.path()), fork.session_file().unwrap(), None).unwrap_err();
    assert!(matches!(refused, Error::Locked { .. }), "a fork is locked from its first moment on");
}

#[test]
fn old_and_odd_files_are_forked_too() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("s.jsonl");
    let (a, b) = (custom_line("aaaaaaaa", None), custom_line("bbbbbbbb", Some("aaaaaaaa")));
    let v1 = "{\"type\":\"session\",\"id\":\"s1\",\"timestamp\":\"t\",\"cwd\":\"/srv\"}\n\
              {\"type\":\"message\",\"timestamp\":\"t\",\"message\":{\"role\":\"user\",\"content\":\"q\",\"timestamp\":1}}\n";
    for (name, content, entries) in [
        ("version 1", v1.to_owned(), 1),
        ("no final newline", format!("{HEADER}\n{a}\n{b}"), 2),
        ("an entry on the line of the header", format!("{HEADER}{a}\n{b}\n"), 2),
        ("only a header", format!("{HEADER}\n"), 0),
        ("an unfinished header line", HEADER.to_owned(), 0),
        ("a torn header", HEADER[..40].to_owned(), 0),
        ("nothing", String::new(), 0),
    ] {
        fs::write(&file, &content).unwrap();
        let mut fork =
            SessionManager::fork_from(later_host(dir.path()), &file, dir.path(), &NewSession::default()).unwrap();
        assert_eq!((fork.entries().count().unwrap(), fork.header().version()), (entries, 3), "{name}");
        assert_eq!(fs::read_to_string(&file).unwrap(), content, "{name}");
        fork.append_message(user("next")).unwrap();
        let (all, made) = (raw_entries(&fork), fork.session_file().unwrap().to_owned());
        drop(fork);
        let again = open(dir.path(), &made);
        assert_eq!((raw_entries(&again), again.load_report()), (all, Default::default()), "{name}");
        drop(again);
        fs::remove_file(made).unwrap();
    }
    let mut refused = vec![];
    for content in ["notes", &format!("{a}\n")] {
        fs::write(&file, content).unwrap();
        let error =
            SessionManager::fork_from(later_host(dir.path()), &file, dir.path(), &NewSession::default()).unwrap_err();
        refused.push(error.to_string().replace(dir.path().to_str().unwrap(), "DIR"));
    }
    fs::remove_file(&file).unwrap();
    let error =
        SessionManager::fork_from(later_host(dir.path()), &file, dir.path(), &NewSession::default()).unwrap_err();
    refused.push(error.to_string().replace(dir.path().to_str().unwrap(), "DIR"));
    insta::assert_snapshot!(refused.join("\n"), @r"
    Cannot fork: source session file is empty or invalid: DIR/s.jsonl
    Cannot fork: source session has no header: DIR/s.jsonl
    Cannot fork: source session file is empty or invalid: DIR/s.jsonl
    ");
}

#[test]
fn a_manager_can_move_on_to_other_sessions() {
    let dir = tempfile::tempdir().unwrap();
    let file = small_session(dir.path());
    let mut session = SessionManager::open(later_host(dir.path()), &file, None).unwrap();
    let made =
        session.new_session(&NewSession { id: Some("second".into()), ..NewSession::default() }).unwrap().unwrap();
    assert!(made.to_str().unwrap().ends_with("_second.jsonl") && !made.exists());
    assert_eq!((session.leaf_id(), session.entries().count().unwrap()), (None, 0));
    session.append_message(assistant("new")).unwrap();
    assert!(made.exists());
    session.set_session_file(&file).unwrap();
    assert_eq!((session.session_file(), session.entries().count().unwrap()), (Some(file.as_path()), 2));
    drop(open(dir.path(), &made));
    fs::write(dir.path().join("notes"), "notes").unwrap();
    session.set_session_file(&dir.path().join("notes")).unwrap_err();
    assert_eq!(session.session_file(), Some(file.as_path()), "a refusal changes nothing");
    session.append_message(user("goes on")).unwrap();
}
