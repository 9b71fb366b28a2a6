//! Names, and going to other sessions, as RPC clients ask for it.

use serde_json::{Value, json};

use crate::rpc::{ask, has_text, outline, prompt, rpc, send};
use pi_test_kit::{Live, Provider, Reply, World, answer, delta, open, read_entries};

async fn say(pi: &mut Live, text: &str) {
    send(pi, &[prompt(text)]).await;
    pi.until(|line| line["type"] == "agent_end").await;
}

async fn state(pi: &mut Live) -> Value {
    ask(pi, json!({"id": "state", "type": "get_state"})).await["data"].clone()
}

fn done(command: &str, data: &Value) -> Value {
    json!({"id": command, "type": "response", "command": command, "success": true, "data": data})
}

fn switch(path: &str) -> Value {
    json!({"id": "switch_session", "type": "switch_session", "sessionPath": path})
}

#[tokio::test]
async fn a_name_is_announced_before_the_response() {
    let world = World::at("http://127.0.0.1:9");
    let mut pi = rpc(&world).await;
    send(&mut pi, &[json!({"id": 1, "type": "set_session_name", "name": "  mine "})]).await;
    let lines = pi.until(|line| line["id"] == 1).await;
    assert_eq!(outline(&lines), ["session_info_changed", "set_session_name"]);
    assert_eq!(lines[0], json!({"type": "session_info_changed", "name": "mine"}));
    for name in ["", "  "] {
        let refused = ask(&mut pi, json!({"id": 2, "type": "set_session_name", "name": name})).await;
        assert_eq!(refused["error"], "Session name cannot be empty");
    }
    assert_eq!(state(&mut pi).await["sessionName"], "mine");
    assert_eq!(pi.end().await, (0, String::new()));
}

#[tokio::test]
async fn there_and_back() {
    let provider = Provider::start([answer("one"), answer("two"), answer("three")]).await;
    let world = World::with(&provider);
    let elsewhere = world.root().join("elsewhere");
    std::fs::create_dir(&elsewhere).unwrap();
    std::fs::write(elsewhere.join("AGENTS.md"), "rules of elsewhere").unwrap();
    let other = elsewhere.join("other.jsonl");
    let header = json!({"type": "session", "version": 3, "id": "other", "timestamp": "2026-01-01T00:00:00.000Z", "cwd": elsewhere});
    std::fs::write(&other, format!("{header}\n")).unwrap();
    let mut pi = rpc(&world).await;
    say(&mut pi, "first").await;
    let file = state(&mut pi).await["sessionFile"].as_str().unwrap().to_owned();

    let switched = ask(&mut pi, switch(other.to_str().unwrap())).await;
    assert_eq!(switched, done("switch_session", &json!({"cancelled": false})));
    let there = state(&mut pi).await;
    assert_eq!((&there["sessionId"], &there["messageCount"]), (&json!("other"), &json!(0)));
    let pwd = ask(&mut pi, json!({"id": 1, "type": "bash", "command": "pwd -P"})).await;
    assert_eq!(pwd["data"]["output"], format!("{}\n", elsewhere.canonicalize().unwrap().display()));
    say(&mut pi, "second").await;
    assert!(provider.requests()[1].system().contains("rules of elsewhere"));
    assert_eq!(provider.requests()[1].texts("user").last().unwrap(), "second");

    assert_eq!(ask(&mut pi, switch(&file)).await["success"], true);
    say(&mut pi, "third").await;
    assert!(!provider.requests()[2].system().contains("rules of elsewhere"));
    assert_eq!(provider.requests()[2].texts("user"), ["first", "third"]);
    assert_eq!(pi.end().await, (0, String::new()));
}

#[tokio::test]
async fn a_refused_switch_leaves_the_session_usable() {
    let provider = Provider::start([answer("one"), answer("two"), answer("three")]).await;
    let world = World::with(&provider);
    let mut holder = rpc(&world).await;
    say(&mut holder, "held").await;
    let held = state(&mut holder).await["sessionFile"].as_str().unwrap().to_owned();
    let mut pi = rpc(&world).await;
    say(&mut pi, "first").await;
    let before = state(&mut pi).await;
    let nowhere = world.root().join("nowhere");
    let gone = json!({"type": "session", "version": 3, "id": "gone", "timestamp": "", "cwd": nowhere});
    let gone = world.write("gone.jsonl", &format!("{gone}\n"));
    let text = world.write("notes.txt", "no session");
    let gone_text = format!(
        "Stored session working directory does not exist: {}\nSession file: {}\nCurrent working directory: {}",
        nowhere.display(),
        gone.display(),
        world.cwd().canonicalize().unwrap().display()
    );
    for (path, expected) in [
        (held.as_str(), format!("Session file {held} is in use by process {}", holder.id())),
        (text.to_str().unwrap(), "Not a session file: ".to_owned()),
        (gone.to_str().unwrap(), gone_text),
    ] {
        let refused = ask(&mut pi, switch(path)).await;
        let error = refused["error"].as_str().unwrap();
        assert!(error.starts_with(&expected), "{error}\n{expected}");
        assert_eq!(state(&mut pi).await, before);
    }
    say(&mut pi, "second").await;
    assert_eq!(provider.requests()[2].texts("user"), ["first", "second"]);
    assert_eq!((pi.end().await, holder.end().await), ((0, String::new()), (0, String::new())));
}

#[tokio::test]
async fn forks_and_clones() {
    let provider = Provider::start([answer("r1"), answer("r2"), answer("r3")]).await;
    let world = World::with(&provider);
    let mut pi = rpc(&world).await;
    let clone = json!({"id": "clone", "type": "clone"});
    let empty = ask(&mut pi, clone.clone()).await;
    let error = empty["error"].as_str().unwrap();
    assert!(error.starts_with("Entry ") && error.ends_with(" not found"), "{error}");
    say(&mut pi, "p1").await;
    say(&mut pi, "p2").await;
    let messages = ask(&mut pi, json!({"id": 1, "type": "get_fork_messages"})).await;
    let entry = &messages["data"]["messages"][1]["entryId"];
    let refused = ask(&mut pi, json!({"id": 2, "type": "fork", "entryId": "deadbeef"})).await;
    assert_eq!(refused["error"], "Invalid entry ID for forking");
    let old = state(&mut pi).await["sessionFile"].clone();

    let forked = ask(&mut pi, json!({"id": "fork", "type": "fork", "entryId": entry})).await;
    assert_eq!(forked, done("fork", &json!({"text": "p2", "cancelled": false})));
    let branch = state(&mut pi).await["sessionFile"].as_str().unwrap().to_owned();
    assert_eq!(read_entries(branch.as_ref())[0]["parentSession"], old);
    assert_eq!(ask(&mut pi, clone).await, done("clone", &json!({"cancelled": false})));
    say(&mut pi, "p3").await;
    assert_eq!(provider.requests()[2].texts("user"), ["p1", "p3"]);
    assert_eq!(pi.end().await, (0, String::new()));
    let lengths: Vec<usize> = world.session_files().iter().map(|file| read_entries(file).len()).collect();
    assert_eq!(lengths, [3 + 4, 3 + 2, 3 + 4]);
}

#[tokio::test]
async fn a_switch_during_an_answer_keeps_what_was_said() {
    let provider = Provider::start([Reply::stream(&(open() + &delta("half"))).hang(), answer("new")]).await;
    let world = World::with(&provider);
    let mut pi = rpc(&world).await;
    send(&mut pi, &[prompt("first")]).await;
    pi.until(has_text).await;
    send(&mut pi, &[switch("other.jsonl")]).await;
    let lines = pi.until(|line| line["id"] == "switch_session").await;
    assert_eq!(outline(&lines), ["message_end", "turn_end", "agent_end", "agent_settled", "switch_session"]);
    say(&mut pi, "second").await;
    assert_eq!(provider.requests()[1].texts("user"), ["second"]);
    assert_eq!(pi.end().await, (0, String::new()));
    assert_eq!(world.history(), ["user: first", "assistant (aborted): half"]);
    assert_eq!(read_entries(&world.cwd().join("other.jsonl")).len(), 3 + 2);
}

/// A session of more than eight megabytes, which is not indexed when it is opened; it has its name at the beginning.
fn big_session(world: &World) -> std::path::PathBuf {
    let cwd = world.cwd();
    let mut lines = vec![
        json!({"type": "session", "version": 3, "id": "big", "timestamp": "2026-01-01T00:00:00.000Z", "cwd": cwd}),
    ];
    let mut parent = Value::Null;
    let mut add = |id: String, mut entry: Value| {
        entry["id"] = id.clone().into();
        entry["parentId"] = std::mem::replace(&mut parent, id.into());
        entry["timestamp"] = "2026-01-01T00:00:00.000Z".into();
        lines.push(entry);
    };
    add("aaaaaaaa".to_owned(), json!({"type": "session_info", "name": "old name"}));
    for n in 0..12 {
        let text = format!("{n} {}", "x".repeat(1 << 20));
        let message = json!({"role": "user", "content": text, "timestamp": n});
        add(format!("{n:08x}"), json!({"type": "message", "message": message}));
    }
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    world.write("big.jsonl", &text)
}

#[tokio::test]
async fn the_name_and_the_places_in_a_big_file_are_found() {
    let world = World::at("http://127.0.0.1:9");
    let file = big_session(&world);
    let mut pi = world.pi(&["--mode", "rpc", "--session", file.to_str().unwrap()]).start();
    // Several at a time, and again when it is known.
    for _ in 0..2 {
        let get = json!({"id": "state", "type": "get_state"});
        send(&mut pi, &[get.clone(), json!({"id": "forks", "type": "get_fork_messages"}), get]).await;
        let mut answers = Vec::new();
        while answers.len() < 3 {
            answers.push(pi.event("response").await);
        }
        for answer in answers {
            match answer["id"].as_str().unwrap() {
                "state" => assert_eq!(answer["data"]["sessionName"], "old name"),
                _ => assert_eq!(answer["data"]["messages"].as_array().unwrap().len(), 12),
            }
        }
    }
    let rename = json!({"id": "name", "type": "set_session_name", "name": "new name"});
    send(&mut pi, &[json!({"id": "race", "type": "get_state"}), rename]).await;
    pi.until(|line| line["id"] == "name").await;
    assert_eq!(state(&mut pi).await["sessionName"], "new name");
    ask(&mut pi, json!({"id": 1, "type": "new_session"})).await;
    assert_eq!(state(&mut pi).await.get("sessionName"), None);
    ask(&mut pi, switch(file.to_str().unwrap())).await;
    assert_eq!(state(&mut pi).await["sessionName"], "new name");
    // What is asked for right before the end is answered.
    ask(&mut pi, json!({"id": 2, "type": "new_session"})).await;
    ask(&mut pi, switch(file.to_str().unwrap())).await;
    send(&mut pi, &[json!({"id": "last", "type": "get_fork_messages"}), json!({"id": "last", "type": "get_state"})])
        .await;
    pi.close_stdin();
    let rest = pi.rest().await;
    assert_eq!(rest.iter().filter(|line| line["id"] == "last" && line["success"] == true).count(), 2);
    assert_eq!(pi.finish().await, (0, String::new()));
}
