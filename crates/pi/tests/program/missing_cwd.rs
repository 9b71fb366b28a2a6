//! Sessions whose directory is gone: they go on in the current directory, or a copy does.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::rpc::{ask, prompt, rpc, send};
use pi_test_kit::{Provider, Reply, World, answer, read_entries, tool_call};

fn asks_where() -> Reply {
    tool_call("t1", "bash", &json!({"command": "pwd -P"}))
}

/// A session of a directory that is removed then.
async fn orphan(replies: impl IntoIterator<Item = Reply>) -> (Provider, World, PathBuf) {
    let provider = Provider::start([answer("fine")].into_iter().chain(replies)).await;
    let world = World::with(&provider);
    let project = world.root().join("old");
    fs::create_dir(&project).unwrap();
    world.pi(&["-p", "hi"]).dir(&project).run().await.success();
    fs::remove_dir(&project).unwrap();
    let file = world.session_files().pop().unwrap();
    (provider, world, file)
}

fn here(world: &World) -> String {
    world.cwd().canonicalize().unwrap().display().to_string()
}

fn texts(entries: &[Value]) -> String {
    entries.iter().map(Value::to_string).collect()
}

#[tokio::test]
async fn here_goes_on_in_the_same_file() {
    let (_provider, world, file) = orphan([asks_where(), answer("done")]).await;
    let before = fs::read(&file).unwrap();
    let finished = world.run(&["--session", file.to_str().unwrap(), "--missing-cwd", "here", "-p", "where?"]).await;
    assert_eq!((finished.code, finished.stdout.as_str(), finished.stderr.as_str()), (Some(0), "done\n", ""));
    let after = fs::read(&file).unwrap();
    assert!(after.starts_with(&before) && world.session_files().len() == 1);
    assert!(texts(&read_entries(&file)).contains(&here(&world)), "the command ran in the current directory");
}

#[tokio::test]
async fn fork_goes_on_with_a_copy_that_belongs_here() {
    let (_provider, world, file) = orphan([asks_where(), answer("done"), answer("more")]).await;
    let before = fs::read(&file).unwrap();
    // Also by its id, although it is a session of another directory.
    let id = read_entries(&file)[0]["id"].as_str().unwrap().to_owned();
    let finished = world.run(&["--session", &id, "--missing-cwd", "fork", "--mode", "json", "where?"]).await;
    assert_eq!((finished.code, finished.stderr.as_str()), (Some(0), ""), "{}", finished.stdout);
    assert_eq!(fs::read(&file).unwrap(), before);
    let copy = world.session_files().into_iter().find(|other| *other != file).unwrap();
    let entries = read_entries(&copy);
    assert_eq!((&entries[0]["cwd"], &entries[0]["parentSession"]), (&json!(here(&world)), &json!(file)));
    assert!(texts(&entries).contains("fine") && texts(&entries).contains("done"));
    assert_eq!(world.run(&["-c", "-p", "more"]).await.success(), "more\n");
    assert_eq!(world.session_files().len(), 2);
}

#[tokio::test]
async fn a_directory_that_is_there_is_gone_on_in() {
    let provider = Provider::start([answer("fine"), answer("done")]).await;
    let world = World::with(&provider);
    world.run(&["-p", "hi"]).await.success();
    let file = world.session_files().pop().unwrap();
    world.run(&["--session", file.to_str().unwrap(), "--missing-cwd", "fork", "-p", "on"]).await.success();
    assert_eq!(world.session_files(), [file]);
}

#[tokio::test]
async fn a_client_is_told_what_it_can_ask_for() {
    let (_provider, world, file) = orphan([asks_where(), answer("done")]).await;
    let before = fs::read(&file).unwrap();
    let mut pi = rpc(&world).await;
    let switch = |wanted: Value| json!({"id": 1, "type": "switch_session", "sessionPath": file, "missingCwd": wanted});
    let refused = ask(&mut pi, switch(Value::Null)).await;
    let error = refused["error"].as_str().unwrap();
    assert!(error.starts_with("Stored session working directory does not exist: "), "{error}");
    assert!(error.ends_with("or \"fork\" to go on with a copy that belongs there."), "{error}");
    let unknown = ask(&mut pi, switch(json!("there"))).await;
    assert!(unknown["error"].as_str().unwrap().starts_with("Invalid switch_session command: "), "{unknown}");
    let forked = ask(&mut pi, switch(json!("fork"))).await;
    assert_eq!(forked["data"], json!({"cancelled": false}), "{forked}");
    let state = ask(&mut pi, json!({"id": 2, "type": "get_state"})).await;
    assert_eq!((&state["data"]["messageCount"], state["data"]["sessionFile"] == json!(file)), (&json!(2), false));
    assert_eq!(fs::read(&file).unwrap(), before);
    assert_eq!(ask(&mut pi, switch(json!("here"))).await["success"], true);
    send(&mut pi, &[prompt("where?")]).await;
    pi.event("agent_end").await;
    assert_eq!(pi.end().await, (0, String::new()));
    assert!(fs::read(&file).unwrap().starts_with(&before));
    assert!(texts(&read_entries(&file)).contains(&here(&world)));
}

#[tokio::test]
async fn on_a_terminal_the_user_is_asked() {
    let (_provider, world, file) = orphan([answer("done")]).await;
    let line = format!("\"$PI\" --session {} -p on", file.display());
    let ask = async |typed: &str| {
        let shell = world.shell(&format!("exec script -qefc '{line}' /dev/null")).env("TERM", "dumb");
        shell.stdin(typed).run().await.stdout
    };
    let cancelled = ask("\n").await;
    assert!(
        cancelled.contains("The directory of this session is gone: ") && cancelled.contains("Aborted."),
        "{cancelled}"
    );
    let answered = ask("f\n").await;
    assert!(answered.contains("done"), "{answered}");
    assert_eq!(world.session_files().len(), 2);
}

/// The directory is there, but another one, and nobody can answer the question.
#[tokio::test]
async fn a_session_of_another_directory_names_the_way_where_nobody_answers() {
    let provider = Provider::start(["one", "two"].map(answer)).await;
    let world = World::with(&provider);
    world.run(&["-p", "hi"]).await.success();
    let id = world.entries()[0]["id"].as_str().unwrap().to_owned();
    fs::create_dir(world.root().join("other")).unwrap();
    let there = |command: &str| world.shell(&format!("cd ../other; {command}")).run();
    let refused = there(&format!("\"$PI\" --output-format json --session {id} more")).await;
    assert_eq!(refused.code, Some(1), "{refused:?}");
    let way = format!("To go on with a copy of it in this directory: --fork {id}");
    assert!(refused.stdout.contains(&way), "{refused:?}");
    there(&format!("\"$PI\" -p --fork {id} more")).await.success();
    assert_eq!(provider.requests()[1].texts("user"), ["hi", "more"]);
}

/// The directory goes while the session is open: its own file is named then.
#[tokio::test]
async fn a_session_that_is_open_can_leave_a_directory_that_went() {
    for wanted in ["here", "fork"] {
        let provider = Provider::start([answer("fine"), asks_where(), answer("done")]).await;
        let world = World::with(&provider);
        let project = world.root().join("old");
        fs::create_dir(&project).unwrap();
        world.pi(&["-p", "hi"]).dir(&project).run().await.success();
        let file = world.session_files().pop().unwrap();
        let before = fs::read(&file).unwrap();
        let mut pi = rpc(&world).await;
        let switch =
            |wanted: Value| json!({"id": 1, "type": "switch_session", "sessionPath": file, "missingCwd": wanted});
        assert_eq!(ask(&mut pi, switch(json!(wanted))).await["success"], true);
        fs::remove_dir(&project).unwrap();
        let went = ask(&mut pi, switch(json!(wanted))).await;
        assert_eq!(went["data"], json!({"cancelled": false}), "{wanted}: {went}");
        send(&mut pi, &[prompt("where?")]).await;
        pi.event("agent_end").await;
        assert_eq!(pi.end().await, (0, String::new()), "{wanted}");
        let files = world.session_files();
        let used = files.iter().find(|other| **other != file).unwrap_or(&file);
        assert_eq!(files.len(), if wanted == "fork" { 2 } else { 1 }, "{wanted}");
        assert_eq!(fs::read(&file).unwrap() == before, wanted == "fork");
        let entries = texts(&read_entries(used));
        assert!(entries.contains("fine") && entries.contains("done"), "{wanted}: {entries}");
        assert!(entries.contains(&here(&world)), "{wanted}: {entries}");
    }
}
