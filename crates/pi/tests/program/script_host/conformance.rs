//! The scripts in `fixtures/extensions/` make the program say what they made the reference say.
//!
//! Each `NAME.json` says which scripts are loaded (else `NAME.ts`), what the model answers and what the client does; its
//! `NAME.trace.json` was recorded under the reference; `fixtures/extensions/README.md` says how.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use pi_test_kit::{Finished, Gate, Live, Provider, Reply, World, answer, delta, end, open, tool_call};

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
    "firstKeptEntryId",
    "estimatedTokensAfter",
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
        .filter_map(|entry| Some(entry.unwrap().file_name().to_str()?.strip_suffix(".json")?.to_owned()))
        .filter(|name| !name.ends_with(".trace"))
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
    let expected = comparable(&fs::read_to_string(file).unwrap_or_default());
    let trace = &comparable(trace);
    if expected == *trace {
        return;
    }
    let diff = similar::TextDiff::from_lines(expected.as_str(), trace.as_str());
    differences.push(format!("--- {name}\n{}", diff.unified_diff().context_radius(4).header("recorded", "now")));
}

/// Without the beginnings of messages that are whole from the start: ours are announced once they are stored, which is after
/// the extensions have seen their end.
fn comparable(trace: &str) -> String {
    let Ok(mut trace) = serde_json::from_str::<Value>(trace) else { return trace.to_owned() };
    let is_answer = |event: &Value| event["message"]["role"] == "assistant";
    if let Some(events) = trace["events"].as_array_mut() {
        events.retain(|event| event["type"] != "message_start" || is_answer(event));
    }
    pretty(&trace)
}

/// Plays a case under a program and returns what it said.
async fn play(name: &str, command: &[&str]) -> Value {
    let case: Value =
        serde_json::from_str(&fs::read_to_string(directory().join(format!("{name}.json"))).unwrap()).unwrap();
    let gate = Gate::new();
    let replies = case["model"].as_array().into_iter().flatten().map(|said| reply(said, &gate));
    let provider = Provider::start(replies.collect::<Vec<_>>()).await;
    let world = World::with(&provider);
    let played = run(name, command, &case, &world, &gate).await;
    let mask = |value: &Value| masked(value, &world);
    let is_told = |line: &&Value| {
        // `agent_settled` is of newer versions than the recorded one.
        let left_out = ["message_update", "response", "turn_start", "thinking_level_changed", "agent_settled"];
        !line["type"].as_str().is_some_and(|kind| left_out.contains(&kind))
    };
    let lines = &played.lines;
    let mut responses: Vec<Value> = lines.iter().filter(|line| line["type"] == "response").map(&mask).collect();
    responses.iter_mut().for_each(without_disposition);
    let mut events: Vec<Value> = lines.iter().filter(is_told).map(&mask).collect();
    // The reference shows the message as it has become by the time the line is written.
    for event in events.iter_mut().filter(|event| event["type"] == "message_start") {
        if event["message"]["role"] == "assistant" {
            event["message"] = json!({"role": "assistant"});
        }
    }
    // The reference begins extensions twice where a client goes to another session.
    events
        .dedup_by(|one, other| one == other && one["message"].as_str().is_some_and(|text| text.starts_with("start ")));
    let asked: Vec<Value> = provider.requests().iter().map(|request| mask(&request.body["messages"])).collect();
    let mut trace = json!({"code": played.code, "responses": responses, "events": events, "asked": asked});
    if !played.stderr.is_empty() {
        // Only ours names the place.
        let lines = played.stderr.lines().filter(|line| !line.trim_start().starts_with("at "));
        trace["stderr"] = lines.map(|line| world.mask(line)).collect();
    }
    if case["stored"] == true {
        let entries = world.session_files().into_iter().map(|file| stored(&file, &mask));
        trace["stored"] = entries.collect();
    }
    trace
}

/// What a program did.
struct Played {
    code: i32,
    lines: Vec<Value>,
    stderr: String,
}

/// Runs a program with the scripts of a case, to its end.
async fn run(name: &str, command: &[&str], case: &Value, world: &World, gate: &Gate) -> Played {
    for (key, value) in case["settings"].as_object().into_iter().flatten() {
        let mut settings = json!({"defaultProvider": "mock", "defaultModel": "m1", "retry": {"enabled": false}});
        settings[key] = value.clone();
        world.write_config("settings.json", &settings);
    }
    let of = |value: &Value| value.as_str().unwrap().to_owned();
    let scripts =
        case["scripts"].as_array().map_or_else(|| vec![format!("{name}.ts")], |all| all.iter().map(of).collect());
    let mut arguments: Vec<String> = command[1..].iter().map(|word| (*word).to_owned()).collect();
    let mode = case["mode"].as_str().unwrap_or("rpc");
    let said: &[&str] = if mode == "print" { &["-p"] } else { &["--mode", mode] };
    arguments.extend(said.iter().map(|word| (*word).to_owned()));
    for (number, script) in scripts.iter().enumerate() {
        let place = if number == 0 { "ext.ts".to_owned() } else { format!("ext{number}.ts") };
        let path = world.write(&place, &fs::read_to_string(directory().join(script)).unwrap());
        arguments.extend(["-e".to_owned(), path.to_str().unwrap().to_owned()]);
    }
    arguments.extend(case["arguments"].as_array().into_iter().flatten().map(of));
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let pi = world.program(Path::new(command[0]), &arguments).env("PI_OFFLINE", "1");
    if mode == "print" {
        let Finished { code, stdout, stderr } = pi.run().await;
        return Played { code: code.unwrap(), lines: stdout.lines().map(Value::from).collect(), stderr };
    }
    let mut pi = pi.start();
    let mut lines = Vec::new();
    for step in case["steps"].as_array().into_iter().flatten() {
        if let Some(script) = step["become"].as_str() {
            world.write("ext.ts", &fs::read_to_string(directory().join(script)).unwrap());
        }
        take(&mut pi, step, gate, &mut lines).await;
    }
    pi.close_stdin();
    lines.extend(pi.rest().await);
    let (code, stderr) = pi.finish().await;
    // The protocol is what counts there; the log may differ.
    Played { code, lines, stderr: if mode == "rpc" { String::new() } else { stderr } }
}

/// The entries of a session file, with numbers for ids.
fn stored(file: &Path, mask: &impl Fn(&Value) -> Value) -> Value {
    let text = fs::read_to_string(file).unwrap();
    let entries: Vec<Value> = text.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect();
    let ids: Vec<String> = entries.iter().map(|entry| entry["id"].as_str().unwrap().to_owned()).collect();
    let numbered = |entry: &Value| {
        let mut text = mask(entry).to_string();
        for (number, id) in ids.iter().enumerate() {
            text = text.replace(&format!("\"{id}\""), &format!("\"#{number}\""));
        }
        serde_json::from_str::<Value>(&text).unwrap()
    };
    entries.iter().map(numbered).collect()
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
        // The words for it are each program's own.
        Value::String(text) => {
            let text = world.mask(text).replace("This operation was aborted", "Request was aborted");
            text.replace("Request was aborted.", "Request was aborted").into()
        }
        Value::Array(items) => items.iter().map(|item| masked(item, world)).collect(),
        Value::Object(fields) => {
            let is_request = fields.get("type").is_some_and(|kind| kind == "extension_ui_request" || kind == "session");
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

/// Answers of newer versions than the recorded one say what became of a prompt.
fn without_disposition(response: &mut Value) {
    let Some(fields) = response.as_object_mut() else { return };
    let Some(data) = fields.get_mut("data").and_then(Value::as_object_mut) else { return };
    if data.shift_remove("disposition").is_some() && data.is_empty() {
        fields.shift_remove("data");
    }
}
