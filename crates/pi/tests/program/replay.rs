//! Whole runs, recorded with their tools and repeated to the byte.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use pi_test_kit::{Finished, Provider, Reply, World, answer, fail, read_entries, tool_call, tool_calls};

/// Three rounds of tools, two of them side by side, then an answer.
fn script() -> Vec<Reply> {
    let slow = "echo $$ > ran; for i in 1 2 3; do echo line $i; sleep 0.15; done";
    vec![
        tool_calls(&[
            ("call_1", "bash", json!({ "command": slow })),
            ("call_2", "write", json!({ "path": "made", "content": "text" })),
            ("call_3", "bash", json!({ "command": "sleep 0.05; echo quick; exit 3" })),
        ]),
        tool_call("call_4", "read", &json!({ "path": "ran" })),
        tool_call(
            "call_5",
            "bash",
            &json!({ "command": "env | grep PI_CODING | sort; echo sk-$(printf 'Ab3dEf6h%.0s' 1 2 3)" }),
        ),
        answer("all done"),
    ]
}

const RECORD: [&str; 6] = ["--mode", "json", "--record", "tape.jsonl", "--with-tools", "go"];

async fn recorded(script: Vec<Reply>) -> (World, String) {
    let provider = Provider::start(script).await;
    let world = World::with(&provider);
    let events = world.run(&RECORD).await.success();
    (world, events)
}

async fn replay(world: &World, more: &[&str]) -> Finished {
    let args = ["--mode", "json", "--replay", "tape.jsonl", "--with-tools"];
    world.run(&[&args[..], more].concat()).await
}

fn only_file(dir: &Path) -> String {
    let mut files = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    let file = files.next().unwrap();
    assert_eq!(files.next(), None);
    fs::read_to_string(file).unwrap()
}

#[tokio::test]
async fn a_replay_is_the_recorded_run_to_the_byte() {
    let (world, events) = recorded(script()).await;
    let session = fs::read_to_string(&world.session_files()[0]).unwrap();
    assert!(events.contains("tool_execution_update") && session.contains("quick"), "{session}");
    fs::remove_file(world.cwd().join("ran")).unwrap();
    fs::write(world.cwd().join("made"), "of the user").unwrap();
    let tape = fs::read_to_string(world.cwd().join("tape.jsonl")).unwrap();
    let secret = format!("sk-{}", "Ab3dEf6h".repeat(3));
    assert!(!tape.contains(&secret) && events.contains(&secret), "what is recorded is scrubbed, what is shown is not");
    let shown = |text: &str| text.replace(&secret, "REDACTED");
    for dir in ["first", "second"] {
        let again = replay(&world, &["--session-dir", dir, "go"]).await.success();
        assert_eq!(again, shown(&events), "{dir}");
        assert_eq!(only_file(&world.cwd().join(dir)), shown(&session), "{dir}");
    }
    assert!(!world.cwd().join("ran").exists());
    assert_eq!(fs::read_to_string(world.cwd().join("made")).unwrap(), "of the user");
    assert_eq!(fs::read_to_string(world.cwd().join("tape.jsonl")).unwrap(), tape);
}

#[tokio::test]
async fn failures_and_several_prompts_come_again_too() {
    let retried = fail(529, "overloaded_error", "Overloaded");
    let script = vec![retried, answer("one"), fail(400, "invalid_request_error", "no"), answer("three")];
    let provider = Provider::start(script).await;
    let world = World::with(&provider);
    let retry = json!({"enabled": true, "maxRetries": 2, "baseDelayMs": 10});
    let settings = json!({"defaultProvider": "mock", "defaultModel": "m1", "retry": retry});
    world.write_config("settings.json", &settings);
    let events = world.run(&[&RECORD[..], &["second", "third"]].concat()).await.success();
    let session = fs::read_to_string(&world.session_files()[0]).unwrap();
    assert!(events.contains("auto_retry_start") && session.contains("three"), "{session}");
    assert_eq!(replay(&world, &["--session-dir", "again", "go", "second", "third"]).await.success(), events);
    assert_eq!(only_file(&world.cwd().join("again")), session);
}

#[tokio::test]
async fn the_cassette_says_what_tools_did() {
    let (world, _) = recorded(script()).await;
    let lines = read_entries(&world.cwd().join("tape.jsonl"));
    assert_eq!(lines[0]["kind"], "run");
    let calls: Vec<String> = lines
        .iter()
        .filter(|line| line["kind"] == "tool")
        .map(|line| {
            let end = &line["end"];
            let result = end["error"].as_str().or(end["output"]["content"][0]["text"].as_str()).unwrap();
            format!("{} {} {}: {result:?}", line["n"], line["name"], line["arguments"])
        })
        .collect();
    let calls = world.mask(&calls.join("\n")).replace(&pid(&world), "PID");
    insta::assert_snapshot!(calls, @r#"
    2 "write" {"path":"made","content":"text"}: "Successfully wrote 4 bytes to made"
    3 "bash" {"command":"sleep 0.05; echo quick; exit 3"}: "quick\n\n\nCommand exited with code 3"
    1 "bash" {"command":"echo $$ > ran; for i in 1 2 3; do echo line $i; sleep 0.15; done"}: "line 1\nline 2\nline 3\n"
    4 "read" {"path":"ran"}: "PID\n"
    5 "bash" {"command":"env | grep PI_CODING | sort; echo sk-$(printf 'Ab3dEf6h%.0s' 1 2 3)"}: "PI_CODING_AGENT=true\nPI_CODING_AGENT_DIR=ROOT/agent\nREDACTED\n"
    "#);
    // Whoever replays model calls alone runs the tools.
    fs::remove_file(world.cwd().join("made")).unwrap();
    let plain = world.run(&["-p", "--no-session", "--replay", "tape.jsonl", "go"]).await;
    assert_eq!(plain.success(), "all done\n");
    assert!(world.cwd().join("made").exists());
}

fn pid(world: &World) -> String {
    fs::read_to_string(world.cwd().join("ran")).unwrap().trim().to_owned()
}

/// What went wrong, and how the tape was changed.
async fn diverged(change: impl Fn(&mut Value) -> bool, args: &[&str]) -> String {
    let script = vec![
        tool_call("call_1", "bash", &json!({ "command": "echo one" })),
        tool_call("call_2", "read", &json!({ "path": "missing" })),
        answer("all done"),
    ];
    let (world, _) = recorded(script).await;
    let tape = world.cwd().join("tape.jsonl");
    let mut lines = read_entries(&tape);
    lines.retain_mut(|line| change(line));
    if args == ["go", "--name", "one more"] {
        lines.push(json!({"cassette": 1, "kind": "tool", "n": 3, "name": "bash", "arguments": {}, "began": {"step": 9, "at": 9}}));
    }
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    fs::write(&tape, text).unwrap();
    let ended = world.run(&[&["-p", "--no-session", "--replay", "tape.jsonl", "--with-tools"], args].concat()).await;
    assert!(!world.cwd().join("ran").exists());
    format!("[{}] {}{}", ended.code.unwrap(), ended.stderr, ended.stdout)
}

/// Changes the call of this number and keeps every line.
fn call(n: u64, change: impl Fn(&mut Value)) -> impl Fn(&mut Value) -> bool {
    move |line| {
        if line["kind"] == "tool" && line["n"] == n {
            change(line);
        }
        true
    }
}

#[tokio::test]
async fn the_first_difference_stops_a_replay() {
    let is_call = |line: &Value, n: u64| line["kind"] == "tool" && line["n"] == n;
    let said = [
        diverged(|_| true, &["go"]).await,
        diverged(|_| true, &["come"]).await,
        diverged(|_| true, &["go", "--name", "one more"]).await,
        diverged(call(1, |line| line["arguments"]["command"] = "echo two".into()), &["go"]).await,
        diverged(call(2, |line| line["name"] = "bash".into()), &["go"]).await,
        diverged(|line| !is_call(line, 2), &["go"]).await,
        diverged(call(1, |line| line["end"]["output"]["content"][0]["text"] = "two\n".into()), &["go"]).await,
        diverged(call(2, |line| drop(line.as_object_mut().unwrap().remove("end"))), &["go"]).await,
        diverged(|line| line["kind"] != "run", &["go"]).await,
        diverged(|line| line["kind"] != "run" || line.as_object_mut().unwrap().remove("seed").is_some(), &["go"]).await,
    ];
    insta::assert_snapshot!(said.join(""), @r#"
    [0] all done
    [1] Cassette ROOT/project/tape.jsonl, request 1: messages[0].content[0].text was "go" in the recording and is "come" now.
    [0] Warning: Cassette ROOT/project/tape.jsonl: 1 tool call of the recording did not come up.
    all done
    [1] Cassette ROOT/project/tape.jsonl, tool call 1 (bash): command was "echo two" in the recording and is "echo one" now.
    [1] Cassette ROOT/project/tape.jsonl, tool call 2 (read): the tool was "bash" in the recording and is "read" now.
    [1] Cassette ROOT/project/tape.jsonl, tool call 2 (read): the recording ends after 1 tool calls.
    [1] Cassette ROOT/project/tape.jsonl, request 2: messages[2].content[0].content was "one\n" in the recording and is "two\n" now.
    [1] Cassette ROOT/project/tape.jsonl, tool call 2 (read): nobody waited for its end in the recording.
    [1] Error: Cassette ROOT/project/tape.jsonl: tool calls were not recorded; record it again, or replay the model calls alone
    [1] Error: Cassette ROOT/project/tape.jsonl: a line of the run is not understood (missing field `seed`); record it again, or replay the model calls alone
    "#);
}

#[tokio::test]
async fn a_run_with_a_subscription_is_replayed_without_it() {
    let provider =
        Provider::start([tool_call("call_1", "Bash", &json!({ "command": "echo one" })), answer("done")]).await;
    let world = World::with(&provider);
    let record = [
        "-p",
        "--no-session",
        "--record",
        "tape.jsonl",
        "--with-tools",
        "--model",
        "mock/m1",
        "--api-key",
        "sk-ant-oat-x",
        "go",
    ];
    assert_eq!(world.run(&record).await.success(), "done\n");
    assert!(provider.requests()[0].tools().contains(&"Bash"));
    for more in [&["--with-tools"][..], &[]] {
        let replay = [&["-p", "--no-session", "--replay", "tape.jsonl", "go"], more].concat();
        assert_eq!(world.run(&replay).await.success(), "done\n");
    }
}

#[tokio::test]
async fn options_that_do_not_fit() {
    let (world, _) = recorded(vec![answer("done")]).await;
    let again = world.run(&RECORD).await;
    let alone = world.run(&["-p", "--with-tools", "go"]).await;
    let same_place = replay(&world, &["go"]).await;
    let said =
        [again, alone, same_place].map(|ended| format!("[{}] {}{}", ended.code.unwrap(), ended.stderr, ended.stdout));
    let session = world.mask(world.session_files()[0].to_str().unwrap());
    insta::assert_snapshot!(said.join("").replace(&session, "SESSION"), @"
    [1] Error: The cassette ROOT/project/tape.jsonl holds a recording already; name a new file
    [1] Error: --with-tools goes with --record FILE or --replay FILE
    [1] Error: The session of this run is there already: SESSION. Name another directory with --session-dir, or keep none with --no-session
    ");
    assert_eq!(world.session_files().len(), 1);
}

/// Two files that make sessions while they are loaded, side by side and before the run has a session.
#[tokio::test]
async fn sessions_that_scripts_make_before_there_is_one_come_again() {
    let provider = Provider::start(vec![answer("done")]).await;
    let world = World::with(&provider);
    let mut args = Vec::new();
    for name in ["one", "two"] {
        let script = format!(
            "import {{ SessionManager }} from '@earendil-works/pi-coding-agent';
            import {{ appendFileSync }} from 'node:fs';
            const made = [1, 2].map(() => SessionManager.inMemory(process.cwd()));
            const entries = made.map((session) => session.appendCustomEntry('kept', 1));
            const headers = made.map((session) => session.getHeader()).map(({{ id, timestamp }}) => [id, timestamp]);
            appendFileSync('made-{name}', JSON.stringify([headers, entries]) + '\\n');
            export default () => {{}};"
        );
        fs::write(world.cwd().join(format!("{name}.ts")), script).unwrap();
        args.extend(["-e".to_owned(), format!("{name}.ts")]);
    }
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let record = ["-p", "--no-session", "--record", "tape.jsonl", "--with-tools", "go"];
    let replay = ["-p", "--no-session", "--replay", "tape.jsonl", "--with-tools", "go"];
    for run in [&record, &replay, &replay] {
        assert_eq!(world.run(&[&run[..], &args].concat()).await.success(), "done\n");
    }
    let made = ["made-one", "made-two"].map(|file| fs::read_to_string(world.cwd().join(file)).unwrap());
    for made in &made {
        let lines: Vec<&str> = made.lines().collect();
        assert_eq!(lines, [lines[0]; 3]);
    }
    assert_ne!(made[0], made[1], "each file has ids of its own");
}
