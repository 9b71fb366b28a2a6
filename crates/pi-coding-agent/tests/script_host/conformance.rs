//! The scripts in `fixtures/extensions/` make the program say what they made the reference say.
//!
//! Each `NAME.ts` has a `NAME.json` with what the model answers and what the client does, and a `NAME.trace.json` that was
//! recorded under the reference; `fixtures/extensions/README.md` says how.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use crate::support::{Gate, Live, Provider, Reply, World, answer, delta, end, open, tool_call};

/// What comes from run to run, or from the program's own words.
const VOLATILE: &[&str] = &[
    "timestamp",
    "usage",
    "api",
    "provider",
    "model",
    "responseId",
    "stack",
    "sessionId",
    "sessionFile",
    "diff",
    "path",
    "previousModel",
    "contextUsage",
    "firstChangedLine",
];

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/extensions")
}

#[tokio::test(flavor = "multi_thread")]
async fn scripts_do_what_they_do_under_the_reference() {
    let reference = std::env::var("PI_REFERENCE_CLI").ok();
    if reference.is_none() {
        println!("skipped: the scripts under the reference, PI_REFERENCE_CLI is not set");
    }
    let is_recording = std::env::var_os("PI_RECORD_TRACES").is_some();
    let only = std::env::var("PI_ONLY_SCRIPT").ok();
    let mut names: Vec<String> = fs::read_dir(directory())
        .unwrap()
        .filter_map(|entry| Some(entry.unwrap().file_name().to_str()?.strip_suffix(".ts")?.to_owned()))
        .filter(|name| only.as_ref().is_none_or(|only| only == name))
        .collect();
    names.sort();
    assert!(!names.is_empty());
    let mut differences = Vec::new();
    for name in &names {
        let file = directory().join(format!("{name}.trace.json"));
        if let Some(reference) = &reference {
            let command: Vec<&str> = reference.split_whitespace().collect();
            let trace = pretty(&play(name, &command).await);
            if is_recording {
                fs::write(&file, &trace).unwrap();
            } else {
                note(&mut differences, &format!("{name} under the reference"), &file, &trace);
            }
        }
        let trace = pretty(&play(name, &[env!("CARGO_BIN_EXE_pi")]).await);
        note(&mut differences, name, &file, &trace);
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

fn pretty(trace: &Value) -> String {
    serde_json::to_string_pretty(trace).unwrap() + "\n"
}

/// Compares line by line; the first lines that differ say most.
fn note(differences: &mut Vec<String>, name: &str, file: &Path, trace: &str) {
    let expected = fs::read_to_string(file).unwrap_or_default();
    if expected == trace {
        return;
    }
    let diff = similar::TextDiff::from_lines(expected.as_str(), trace);
    differences.push(format!("--- {name}\n{}", diff.unified_diff().context_radius(4).header("recorded", "now")));
}

/// Plays a case under a program and returns what it said.
async fn play(name: &str, command: &[&str]) -> Value {
    let case: Value =
        serde_json::from_str(&fs::read_to_string(directory().join(format!("{name}.json"))).unwrap()).unwrap();
    let gate = Gate::new();
    let replies = case["model"].as_array().into_iter().flatten().map(|said| reply(said, &gate));
    let provider = Provider::start(replies.collect::<Vec<_>>()).await;
    let world = World::with(&provider);
    let script = world.write("ext.ts", &fs::read_to_string(directory().join(format!("{name}.ts"))).unwrap());
    let arguments: Vec<&str> =
        command[1..].iter().copied().chain(["--mode", "rpc", "-e", script.to_str().unwrap()]).collect();
    let mut pi = world.program(Path::new(command[0]), &arguments).env("PI_OFFLINE", "1").start();
    let mut lines = Vec::new();
    for step in case["steps"].as_array().unwrap() {
        take(&mut pi, step, &gate, &mut lines).await;
    }
    pi.close_stdin();
    lines.extend(pi.rest().await);
    let (code, _) = pi.finish().await;
    let mask = |value: &Value| masked(value, &world);
    let is_told = |line: &&Value| {
        !matches!(line["type"].as_str(), Some("message_update" | "response" | "turn_start" | "thinking_level_changed"))
    };
    let responses: Vec<Value> = lines.iter().filter(|line| line["type"] == "response").map(&mask).collect();
    let mut events: Vec<Value> = lines.iter().filter(is_told).map(&mask).collect();
    // The reference begins extensions twice where a client goes to another session.
    events
        .dedup_by(|one, other| one == other && one["message"].as_str().is_some_and(|text| text.starts_with("start ")));
    let asked: Vec<Value> = provider.requests().iter().map(|request| mask(&request.body["messages"])).collect();
    json!({"code": code, "responses": responses, "events": events, "asked": asked})
}

/// What the model says.
fn reply(said: &Value, gate: &Gate) -> Reply {
    match said {
        Value::String(text) => answer(text),
        said if said["held"].is_string() => {
            let text = said["held"].as_str().unwrap();
            Reply::stream(&(open() + &delta(text))).wait(gate).then(&end()).end()
        }
        said => tool_call(said["id"].as_str().unwrap_or("call_1"), said["tool"].as_str().unwrap(), &said["args"]),
    }
}

/// What the client does: sends a command, answers the last question, lets the model go on; and what it waits for then.
async fn take(pi: &mut Live, step: &Value, gate: &Gate, lines: &mut Vec<Value>) {
    if let Some(command) = step.get("send") {
        let mut command = command.clone();
        // An entry of the session can only be named once it is known.
        if command["entryId"] == "first" {
            pi.send("{\"type\":\"get_fork_messages\"}\n").await;
            let found = pi.until(|line| line["command"] == "get_fork_messages").await.pop().unwrap();
            command["entryId"] = found["data"]["messages"][0]["entryId"].clone();
        }
        pi.send(&format!("{command}\n")).await;
    }
    if let Some(reply) = step.get("reply") {
        let question = lines.iter().rev().find(|line| line["type"] == "extension_ui_request").unwrap();
        let mut reply = reply.clone();
        reply["type"] = json!("extension_ui_response");
        reply["id"] = question["id"].clone();
        pi.send(&format!("{reply}\n")).await;
    }
    if step["go"] == true {
        gate.open();
    }
    let waits: Vec<&Map<String, Value>> = match &step["until"] {
        Value::Array(all) => all.iter().filter_map(Value::as_object).collect(),
        one => one.as_object().into_iter().collect(),
    };
    // All of them, in whatever order they come.
    let mut open = waits;
    while !open.is_empty() {
        let line = pi.line().await.expect("the output ended");
        if let Some(place) = open.iter().position(|wait| wait.iter().all(|(key, value)| line[key] == *value)) {
            open.remove(place);
        }
        lines.push(line);
    }
}

/// A line without what differs between runs and programs.
fn masked(value: &Value, world: &World) -> Value {
    match value {
        Value::String(text) => world.mask(text).into(),
        Value::Array(items) => items.iter().map(|item| masked(item, world)).collect(),
        Value::Object(fields) => {
            let is_request = fields.get("type").is_some_and(|kind| kind == "extension_ui_request");
            let kept = fields.iter().filter(|(key, value)| {
                let is_id = is_request && *key == "id";
                !is_id && !VOLATILE.contains(&key.as_str()) && !value.is_null() && *key != "cache_control"
            });
            let mut sorted: Vec<(String, Value)> =
                kept.map(|(key, value)| (key.clone(), masked(value, world))).collect();
            sorted.sort_by(|one, other| one.0.cmp(&other.0));
            Value::Object(sorted.into_iter().collect())
        }
        other => other.clone(),
    }
}
