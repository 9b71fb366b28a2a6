//! The program is killed right after an event was read: everything that was announced by then is in the session, and the
//! next run goes on with it. Once for every event of a conversation with all there is, in RPC and in JSON mode.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures::stream::{self, StreamExt};
use pi_coding_agent::ids::RandomIds;
use pi_coding_agent::session::doctor::examine;
use rustix::process::Signal;
use serde_json::{Value, json};

use pi_test_kit::{
    Live, Provider, Reply, World, answer, delta, end, entries_of, fail, open, read_entries, scale, tool_call,
    tool_calls,
};

/// So many programs at a time.
const AT_A_TIME: usize = 3;
const UNKNOWN: &str = "Outcome unknown";

/// A model that calls tools side by side and one by one, fails once, and summarises.
async fn model() -> Provider {
    let side_by_side = [
        ("call_1", "bash", json!({"command": "sleep 0.03; echo one"})),
        ("call_2", "write", json!({"path": "made", "content": "two"})),
        ("call_3", "read", json!({"path": "there"})),
        ("call_4", "bash", json!({"command": "echo four; exit 3"})),
        ("call_5", "nonsense", json!({})),
    ];
    let text = open() + &delta("a ") + &delta("long ") + &delta("answer") + &end();
    let replies = [
        tool_calls(&side_by_side),
        tool_call("call_6", "read", &json!({"path": "made"})),
        tool_call("call_7", "bash", &json!({"command": "echo seven"})),
        Reply::stream(&text).end(),
        fail(529, "overloaded_error", "Overloaded"),
        answer("after the failure"),
    ];
    let more = (1..9).map(|number| answer(&format!("more {number}")));
    Provider::start(replies.into_iter().chain(more)).await
}

fn world(provider: &Provider) -> World {
    let world = World::with(provider);
    world.write_config(
        "settings.json",
        &json!({"defaultProvider": "mock", "defaultModel": "m1", "retry": {"enabled": true, "baseDelayMs": 1},
            "compaction": {"reserveTokens": 2000, "keepRecentTokens": 40}}),
    );
    world.write("there", "is a text\n");
    world
}

/// What the client says when it reads a line like this; each once, one after the other.
fn cues() -> Vec<(&'static str, Value)> {
    let prompt =
        |text: &str| json!({"id": text, "type": "prompt", "message": format!("{text} {}", "word ".repeat(60))});
    let said = |id: &str| format!("\"id\":\"{id}\"");
    let cue = |line: String| -> &'static str { line.leak() };
    let held = json!({"id": "held", "type": "bash", "command": "echo held"});
    vec![
        ("\"tool_execution_start\"", json!({"id": "steer", "type": "steer", "message": "and this"})),
        (cue(said("steer")), held),
        ("\"agent_end\"", json!({"id": "name", "type": "set_session_name", "name": "a name"})),
        (cue(said("name")), json!({"id": "level", "type": "set_thinking_level", "level": "low"})),
        (cue(said("level")), json!({"id": "bash", "type": "bash", "command": "echo alone"})),
        (cue(said("bash")), prompt("second")),
        ("\"willRetry\":false", json!({"id": "compact", "type": "compact"})),
        (cue(said("compact")), json!({"id": "model", "type": "set_model", "provider": "mock", "modelId": "m2"})),
        (cue(said("model")), prompt("third")),
        ("\"agent_end\"", json!({"id": "end", "type": "get_state"})),
    ]
}

/// Lines read until there are so many; fewer if the conversation ends before.
async fn converse(pi: &mut Live, most: usize, is_rpc: bool) -> Vec<Value> {
    let mut cues = cues().into_iter().peekable();
    if is_rpc {
        pi.send(&format!("{}\n", json!({"id": "first", "type": "prompt", "message": "first"}))).await;
    } else {
        pi.close_stdin();
    }
    let mut lines = Vec::new();
    while lines.len() < most
        && let Some(line) = pi.line().await
    {
        let text = line.to_string();
        let is_last = line["id"] == "end";
        lines.push(line);
        if is_last || lines.len() == most {
            break;
        }
        if is_rpc && let Some((_, command)) = cues.next_if(|(cue, _)| text.contains(cue)) {
            pi.send(&format!("{command}\n")).await;
        }
    }
    lines
}

const JSON: &[&str] = &["--mode", "json", "first", "second"];
const RPC: &[&str] = &["--mode", "rpc"];

/// What was announced and is not there.
async fn lost_after(number: usize, args: &'static [&'static str]) -> Option<Vec<String>> {
    let provider = model().await;
    let world = world(&provider);
    let mut pi = world.pi(args).start();
    let lines = converse(&mut pi, number, args == RPC).await;
    pi.signal(Signal::KILL);
    if lines.len() < number {
        pi.finish_unread().await;
        return None;
    }
    pi.finish_unread().await;
    let file = world.session_files().pop();
    let text = file.map(|file| std::fs::read_to_string(file).unwrap()).unwrap_or_default();
    // The kill may have come in the middle of a write: nobody had been told of that entry.
    let (whole, torn) = text.split_at(text.rfind('\n').map_or(0, |end| end + 1));
    let mut lost = stored_events(&lines, &entries_of(whole));
    lost.extend(next_run(world, &lines, !torn.is_empty()).await);
    let place = format!("{} {number}, {}", args[1], lines[number - 1]["type"]);
    Some(lost.into_iter().map(|what| format!("killed at {place}: {what}")).collect())
}

/// Events that announce what no entry holds. Ends of calls, and commands of the user, may wait beside the session.
fn stored_events(lines: &[Value], entries: &[Value]) -> Vec<String> {
    let mut messages: Vec<&Value> = entries.iter().map(|entry| &entry["message"]).collect();
    let mut lost = Vec::new();
    let has = |wanted: &dyn Fn(&Value) -> bool| entries.iter().any(wanted);
    for line in lines {
        let is_stored = match line["type"].as_str().unwrap() {
            "message_start" if line["message"]["role"] != "assistant" => messages.contains(&&line["message"]),
            "message_end" => match messages.iter().position(|message| **message == line["message"]) {
                // Two that are alike are two.
                Some(at) => {
                    messages[at] = &Value::Null;
                    true
                }
                None => false,
            },
            "compaction_end" if line["result"].is_object() => {
                has(&|entry| entry["type"] == "compaction" && entry["summary"] == line["result"]["summary"])
            }
            "session_info_changed" => has(&|entry| entry["name"] == line["name"]),
            "thinking_level_changed" => has(&|entry| entry["thinkingLevel"] == line["level"]),
            "response" if line["id"] == "model" => has(&|entry| entry["modelId"] == "m2"),
            _ => true,
        };
        if !is_stored {
            lost.push(line.to_string());
        }
    }
    lost
}

/// Goes on with the session, and says what is missing then.
async fn next_run(world: World, lines: &[Value], is_torn: bool) -> Vec<String> {
    let provider = Provider::start([answer("gone on"), answer("gone on")]).await;
    let models = std::fs::read_to_string(world.agent_dir().join("models.json")).unwrap();
    let mut models: Value = serde_json::from_str(&models).unwrap();
    models["providers"]["mock"]["baseUrl"] = json!(provider.url());
    world.write_config("models.json", &models);
    let ended = world.run(&["-p", "-c", "go on"]).await;
    let mut lost = Vec::new();
    let is_told = match is_torn {
        true => {
            ended.stderr.starts_with("Warning: The last line of session file ") && ended.stderr.lines().count() == 1
        }
        false => ended.stderr.is_empty(),
    };
    if (ended.code, ended.stdout.as_str(), is_told) != (Some(0), "gone on\n", true) {
        lost.push(format!("the next run: {ended:?}"));
    }
    let file = world.session_files().pop().unwrap();
    let diagnosis = examine(&file, &RandomIds::default()).unwrap();
    if !diagnosis.is_sound() {
        lost.push(format!("the doctor finds {:?}", diagnosis.findings));
    }
    let entries = read_entries(&file);
    if world.session_files().len() != 1 || file.with_extension("jsonl.effects").exists() {
        lost.push("more than one file is left".to_owned());
    }
    lost.extend(
        lines.iter().filter(|line| !is_remembered(line, &entries)).map(|line| format!("not gone on with {line}")),
    );
    lost
}

/// Whether the session tells of the end of a call, or of a command, after the next run.
fn is_remembered(line: &Value, entries: &[Value]) -> bool {
    let results = |id: &Value| -> Vec<&Value> {
        let messages = entries.iter().map(|entry| &entry["message"]);
        messages.filter(|message| message["role"] == "toolResult" && message["toolCallId"] == *id).collect()
    };
    match line["type"].as_str().unwrap() {
        "tool_execution_end" => {
            let found = results(&line["toolCallId"]);
            found.len() == 1 && found[0]["content"] == line["result"]["content"]
        }
        "tool_execution_start" => {
            let unknown = |message: &&Value| message["content"].to_string().contains(UNKNOWN);
            line["toolName"] != "read" || !results(&line["toolCallId"]).iter().any(unknown)
        }
        "response" if line["command"] == "bash" => {
            let output = |entry: &&Value| entry["message"]["output"] == line["data"]["output"];
            entries.iter().filter(output).count() == 1
        }
        _ => true,
    }
}

/// Kills so many programs, as evenly as possible at all events of the conversation.
async fn kill_at_every_event(kills: usize, args: &'static [&'static str]) {
    let provider = model().await;
    let world = world(&provider);
    let mut pi = world.pi(args).start();
    let length = converse(&mut pi, usize::MAX, args == RPC).await.len();
    pi.close_stdin();
    assert_eq!(pi.finish().await, (0, String::new()));
    let places: Vec<usize> = (0..kills).map(|kill| kill * length / kills + 1).collect();
    let done = Arc::new(AtomicUsize::new(0));
    let work = places.into_iter().map(|number| {
        let done = Arc::clone(&done);
        async move {
            // Deltas may arrive in fewer lines another time.
            let lost = lost_after(number.min(length), args).await;
            done.fetch_add(usize::from(lost.is_some()), Ordering::Relaxed);
            lost.unwrap_or_default()
        }
    });
    let lost: Vec<String> = stream::iter(work).buffer_unordered(AT_A_TIME).flat_map(stream::iter).collect().await;
    let done = done.load(Ordering::Relaxed);
    println!("{} mode, {length} lines: {done} kills, {} announcements lost", args[1], lost.len());
    assert!(lost.is_empty(), "{}", lost.join("\n"));
    assert!(done >= kills * 9 / 10, "{done} of {kills}");
}

#[tokio::test]
async fn nothing_is_lost_that_a_client_was_told() {
    kill_at_every_event(scale(65, 700), RPC).await;
}

#[tokio::test]
async fn nothing_is_lost_that_was_printed_as_json() {
    kill_at_every_event(scale(35, 400), JSON).await;
}
