//! Sessions that end in tool calls without results: what the model is told, and what becomes of the file.

use std::fs;
use std::path::{Path, PathBuf};

use pi_ai::{ContentBlock, Message};
use pi_coding_agent::session::{NewSession, SessionManager};
use serde_json::{Value, json};

use crate::support::{HEADER, host, later_host, open, user};

/// A message entry, written out.
fn line(id: &str, parent: &str, message: &Value) -> String {
    let time = "2026-11-21T20:14:23.000Z";
    json!({"type": "message", "id": id, "parentId": parent, "timestamp": time, "message": message}).to_string()
}

fn answer(calls: &[(&str, &str)], stop_reason: &str) -> Value {
    let call = |(id, name): &(&str, &str)| json!({"type": "toolCall", "id": id, "name": name, "arguments": {}});
    json!({"role": "assistant", "content": calls.iter().map(call).collect::<Vec<_>>(), "api": "x", "provider": "p",
        "model": "m", "stopReason": stop_reason, "timestamp": 5, "usage": {"input": 1, "output": 1, "cacheRead": 0,
        "cacheWrite": 0, "totalTokens": 2, "cost": {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "total": 0}}})
}

fn result(call: &str, name: &str) -> Value {
    json!({"role": "toolResult", "toolCallId": call, "toolName": name, "isError": false, "timestamp": 6,
        "content": [{"type": "text", "text": "done"}]})
}

/// A session of another program that ends in calls of four tools.
fn crashed(dir: &Path) -> PathBuf {
    let calls = answer(&[("c1", "bash"), ("c2", "write"), ("c3", "read"), ("c4", "edit")], "toolUse");
    write(
        dir,
        &[
            line("00000001", "", &json!({"role": "user", "content": "go", "timestamp": 1})),
            line("a", "00000001", &calls),
        ],
    )
}

fn write(dir: &Path, lines: &[String]) -> PathBuf {
    let path = dir.join("s.jsonl");
    fs::write(&path, [&[HEADER.to_owned()], lines, &[String::new()]].concat().join("\n")).unwrap();
    path
}

/// Results of the context: call, whether it is an error, text.
fn results(session: &SessionManager) -> Vec<String> {
    let context = session.build_session_context().unwrap();
    let results = context.messages.iter().filter_map(|message| match &**message {
        Message::ToolResult(result) => Some(result),
        _ => None,
    });
    let shown = results.map(|result| {
        let text: String = result.content.iter().filter_map(ContentBlock::as_text).collect();
        format!("{} {} {} {}: {text}", result.tool_call_id, result.tool_name, result.is_error, result.timestamp)
    });
    shown.collect()
}

fn effects(file: &Path) -> PathBuf {
    file.with_extension("jsonl.effects")
}

/// Notes of `answer` a: one call ended, one began.
fn leave_notes(file: &Path) {
    let notes = [
        json!({"answer": "a", "call": "c1", "started": "bash"}).to_string(),
        json!({"answer": "a", "call": "c2", "started": "write"}).to_string(),
        json!({"answer": "a", "call": "c1", "ended":
            {"content": [{"type": "text", "text": "finished"}], "isError": false}})
        .to_string(),
        json!({"answer": "another", "call": "c3", "started": "read"}).to_string(),
        "{\"answer\":\"a\",\"call\":\"c3\",\"star".to_owned(),
    ];
    fs::write(effects(file), notes.join("\n")).unwrap();
}

#[test]
fn nothing_is_made_up_for_a_session_without_notes() {
    let dir = tempfile::tempdir().unwrap();
    let file = crashed(dir.path());
    assert!(results(&open(dir.path(), &file)).is_empty());
}

#[test]
fn the_notes_tell_what_is_known_of_each_call() {
    let dir = tempfile::tempdir().unwrap();
    let file = crashed(dir.path());
    leave_notes(&file);
    insta::assert_snapshot!(results(&open(dir.path(), &file)).join("\n"), @r"
    c1 bash false 5: finished
    c2 write true 5: Outcome unknown: the run was cut off while this call was under way. It may have taken effect in full, in part or not at all. Find out what happened before you repeat it.
    c3 read true 5: No result: the run was cut off before this call gave one. It reads only and changed nothing.
    c4 edit true 5: Not run: the run was cut off before this call began. It had no effect.
    ");
}

#[test]
fn they_are_written_down_once_and_in_front_of_what_comes_next() {
    let dir = tempfile::tempdir().unwrap();
    let file = crashed(dir.path());
    leave_notes(&file);
    let before = fs::read_to_string(&file).unwrap();
    let told = results(&open(dir.path(), &file));
    assert_eq!(fs::read_to_string(&file).unwrap(), before, "opening writes nothing");
    let mut session = SessionManager::open(later_host(dir.path()), &file, None).unwrap();
    session.append_message(user("and now?")).unwrap();
    assert_eq!(results(&session), told);
    assert!(!effects(&file).exists());
    let after = fs::read_to_string(&file).unwrap();
    let added: Vec<Value> =
        after.strip_prefix(&before).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(added.len(), 5);
    let mut parent = json!("a");
    for entry in &added {
        assert_eq!(entry["parentId"], parent);
        parent = entry["id"].clone();
    }
    drop(session);
    let mut again = SessionManager::open(later_host(dir.path()), &file, None).unwrap();
    assert_eq!(results(&again), told);
    again.append().session_info("name").unwrap();
    assert_eq!(fs::read_to_string(&file).unwrap().lines().count(), after.lines().count() + 1);
}

#[test]
fn a_session_open_for_reading_shows_and_does_not_write() {
    let dir = tempfile::tempdir().unwrap();
    let file = crashed(dir.path());
    leave_notes(&file);
    let before = fs::read_to_string(&file).unwrap();
    let told = results(&open(dir.path(), &file));
    let mut session = SessionManager::open_read_only(host(dir.path()), &file, None).unwrap();
    assert_eq!(results(&session), told);
    assert!(session.append_message(user("no")).is_err());
    assert_eq!(results(&session), told);
    assert_eq!(fs::read_to_string(&file).unwrap(), before);
    assert!(effects(&file).exists());
}

#[test]
fn forks_and_branches_tell_the_same() {
    let dir = tempfile::tempdir().unwrap();
    let file = crashed(dir.path());
    leave_notes(&file);
    let told = results(&open(dir.path(), &file));
    let elsewhere = NewSession { dir: Some(dir.path().join("forks")), ..NewSession::default() };
    let fork = SessionManager::fork_from(host(dir.path()), &file, dir.path(), &elsewhere).unwrap();
    assert_eq!(results(&fork), told);
    let mut branch = open(dir.path(), &file);
    let new = branch.create_branched_session("a").unwrap().unwrap();
    assert_eq!(results(&branch), told);
    drop(branch);
    assert_eq!(results(&open(dir.path(), &new)), told);
    assert!(effects(&file).exists(), "the old session still ends like this");
    // Ids of these tests come again.
    fs::remove_file(new).unwrap();
    let mut earlier = open(dir.path(), &file);
    earlier.create_branched_session("00000001").unwrap();
    assert_eq!(results(&earlier), [""; 0]);
}

#[test]
fn nothing_is_made_up_where_nothing_is_missing() {
    let dir = tempfile::tempdir().unwrap();
    let user = line("u", "", &json!({"role": "user", "content": "go", "timestamp": 1}));
    let calls = line("a", "u", &answer(&[("c1", "bash"), ("c1", "bash")], "toolUse"));
    let one = line("r1", "a", &result("c1", "bash"));
    let two = line("r2", "r1", &result("c1", "bash"));
    let label = json!({"type": "label", "id": "l", "parentId": "r1", "timestamp": "2026-11-21T20:14:23.000Z",
        "targetId": "a", "label": "x"})
    .to_string();
    let aborted = line("a", "u", &answer(&[("c1", "bash")], "aborted"));
    let next = line("n", "a", &json!({"role": "user", "content": "next", "timestamp": 9}));
    let compaction = json!({"type": "compaction", "id": "k", "parentId": "a", "timestamp": "2026-11-21T20:14:23.000Z",
        "summary": "s", "firstKeptEntryId": "a", "tokensBefore": 1})
    .to_string();
    for (expected, lines) in [
        (2, vec![user.clone(), calls.clone(), one.clone(), two]),
        (2, vec![user.clone(), calls.clone(), one.clone(), label]),
        (0, vec![user.clone(), aborted]),
        (0, vec![user.clone(), calls.clone(), next]),
        (0, vec![user.clone(), calls, compaction]),
        (0, vec![user]),
    ] {
        let file = write(dir.path(), &lines);
        fs::write(effects(&file), json!({"answer": "a", "call": "c1", "started": "bash"}).to_string()).unwrap();
        assert_eq!(results(&open(dir.path(), &file)).len(), expected, "{lines:#?}");
    }
}

#[test]
fn moving_about_in_a_session_makes_nothing_up() {
    let dir = tempfile::tempdir().unwrap();
    let file = crashed(dir.path());
    leave_notes(&file);
    let mut session = open(dir.path(), &file);
    session.branch("00000001").unwrap();
    session.append_message(user("again")).unwrap();
    session.branch("a").unwrap();
    assert_eq!(results(&session), [""; 0]);
}
