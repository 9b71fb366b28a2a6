//! `list` and `list_all` over directories.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use pi_coding_agent::session::{SessionInfo, list_all_sessions, list_sessions};
use serde_json::json;

use crate::found::support::{CWD, Home, age, assistant, header, message, named, quiet, tool_result, user, write_bytes};

/// Sessions of two projects, and much that is no session.
fn tree() -> Home {
    let home = Home::new();
    home.write(
        CWD,
        "a.jsonl",
        &[
            header("aaaa-1", CWD),
            user("1", "Please \"fix\" the naïve parser", 1_767_300_000_000),
            assistant("2", "Done.", 1_767_300_001_000),
            tool_result("3", "later, but from a tool", 1_767_400_000_000),
            named("4", "  Parser work "),
            json!({"type": "tomorrow", "id": "5", "parentId": "4", "timestamp": "t", "data": {"message": 1}}),
        ],
    );
    let mut forked = header("bbbb-2", CWD);
    forked["parentSession"] = json!("/sessions/a.jsonl");
    home.write(CWD, "b.jsonl", &[forked, named("1", "x"), named("2", " "), user("3", "", 0), user("4", "and then", 1)]);
    let empty = home.write(CWD, "empty.jsonl", &[]);
    age(&empty, 0);
    let nameless = json!({"type": "session", "id": "cccc-3", "cwd": 5});
    age(&home.write("/srv/other", "c.jsonl", &[nameless]), 3600);
    home.write("/srv/other", "d.jsonl", &[user("1", "no header", 5)]);
    home.write("/srv/other", "notes.txt", &[header("no", CWD)]);
    let sessions = home.paths.sessions_root();
    write_bytes(&sessions.join("stray.jsonl"), header("stray", CWD).to_string().as_bytes());
    write_bytes(&sessions.join("--srv-other--/random.jsonl"), &[0xff, 0, 0x80, b'\n', b'{', b'"']);
    fs::create_dir_all(sessions.join("--srv-other--/folder.jsonl")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("/nowhere", sessions.join("--srv-other--/gone.jsonl")).unwrap();
    home
}

fn ids(sessions: &[SessionInfo]) -> Vec<&str> {
    sessions.iter().map(|session| session.id.as_str()).collect()
}

#[test]
fn a_list_holds_what_people_and_programs_need() {
    let home = tree();
    let root = home.dir.path().to_string_lossy().into_owned();
    insta::with_settings!({filters => vec![(regex_escape(&root).as_str(), "<agent dir>")]}, {
        insta::assert_json_snapshot!(list_all_sessions(&home.paths, None, quiet));
    });
}

fn regex_escape(text: &str) -> String {
    text.replace('.', r"\.")
}

#[test]
fn a_list_is_of_a_project_of_all_or_of_a_directory() {
    let home = tree();
    let list = |cwd: &str, dir: Option<&Path>| list_sessions(&home.paths, Path::new(cwd), dir, quiet);
    assert_eq!(ids(&list(CWD, None)), ["aaaa-1", "bbbb-2"]);
    assert_eq!(ids(&list("../app/.", None)), ["aaaa-1", "bbbb-2"]);
    assert_eq!(ids(&list("/srv/other", None)), ["cccc-3"]);
    assert!(list("/srv/none", None).is_empty());
    assert!(!home.paths.default_session_dir(Path::new("/srv/none")).exists(), "listing makes no directory");

    let shared = Path::new("shared");
    home.write_into(shared, "1.jsonl", &[header("mine", "/srv/x/../app"), user("1", "m", 1)]);
    home.write_into(shared, "2.jsonl", &[header("theirs", "/srv/b"), user("1", "t", 2)]);
    home.write_into(shared, "3.jsonl", &[header("nobodys", "")]);
    let shared = home.dir.path().join(shared);
    assert_eq!(ids(&list(CWD, Some(&shared))), ["mine"]);
    assert_eq!(ids(&list("/srv/b", Some(&shared))), ["theirs"]);
    assert_eq!(ids(&list_all_sessions(&home.paths, Some(&shared), quiet)), ["nobodys", "theirs", "mine"]);
    // The default directory is not filtered, even if it is named.
    let default = home.paths.default_session_dir(Path::new("/srv/other"));
    assert_eq!(ids(&list("/srv/other", Some(&default))), ["cccc-3"]);
}

#[test]
fn equal_times_do_not_shuffle_a_list() {
    let home = Home::new();
    for name in ["b", "d", "a", "c"] {
        home.write(CWD, &format!("{name}.jsonl"), &[header(name, CWD), user("1", "m", 77)]);
    }
    assert_eq!(ids(&list_sessions(&home.paths, Path::new(CWD), None, quiet)), ["d", "c", "b", "a"]);
}

#[test]
fn progress_counts_all_files_and_can_stop() {
    let home = Home::new();
    for index in 0..30 {
        home.write(CWD, &format!("{index}.jsonl"), &[header(&format!("s{index}"), CWD)]);
    }
    write_bytes(&home.paths.default_session_dir(Path::new(CWD)).join("broken.jsonl"), b"{");
    let mut seen = vec![];
    let all = list_sessions(&home.paths, Path::new(CWD), None, |done, total| {
        seen.push((done, total));
        ControlFlow::Continue(())
    });
    assert_eq!(all.len(), 30);
    assert_eq!(seen, (1..=31).map(|done| (done, 31)).collect::<Vec<_>>());

    let mut calls = 0;
    let some = list_sessions(&home.paths, Path::new(CWD), None, |done, _| {
        calls += 1;
        if done == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert_eq!(calls, 3);
    assert!(some.len() <= 3, "{}", some.len());
}

#[test]
fn texts_are_read_when_asked_for() {
    let home = Home::new();
    let blocks =
        json!([{"type": "text", "text": "two"}, {"type": "image", "data": "x"}, {"type": "text", "text": "three"}]);
    let file = home.write(
        CWD,
        "a.jsonl",
        &[
            header("a", CWD),
            message("1", json!({"role": "user", "content": "one", "timestamp": 1})),
            message("2", json!({"role": "user", "content": blocks})),
            tool_result("3", "not this", 3),
            assistant("4", "", 4),
            assistant("5", "four", 5),
            message("6", json!({"role": "custom", "content": "nor this"})),
        ],
    );
    let sessions = list_sessions(&home.paths, Path::new(CWD), None, quiet);
    assert_eq!(sessions[0].all_messages_text().unwrap(), "one two three four");
    assert_eq!((sessions[0].message_count, sessions[0].first_message.as_str()), (6, "one"));
    fs::remove_file(&file).unwrap();
    let error = sessions[0].all_messages_text().unwrap_err().to_string();
    assert!(error.starts_with(&format!("Cannot open session file {}", file.display())), "{error}");
}
