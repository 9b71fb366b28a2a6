//! What the three modes do with prompts: input, request, output, session file.

use std::fs;

use rustix::process::Signal;
use serde_json::{Value, json};

use pi_test_kit::{
    Gate, Provider, Reply, World, answer, chat_answer, delta, end, fail, open, read_entries, tool_call, wait_until,
};

/// The JSON lines of an output.
fn lines(output: &str) -> Vec<Value> {
    output.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn kinds(lines: &[Value]) -> Vec<&str> {
    lines.iter().map(|line| line["type"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn text_mode_prints_the_last_answer() {
    let read = tool_call("call_1", "read", &json!({"path": "notes.txt"}));
    let provider = Provider::start([read, answer("It says: buy milk.")]).await;
    let world = World::with(&provider);
    world.write("notes.txt", "buy milk\n");
    assert_eq!(world.run(&["-p", "what does notes.txt say?"]).await.success(), "It says: buy milk.\n");
    let request = provider.requests().pop().unwrap();
    assert!(request.head.starts_with("POST /v1/messages "), "{}", request.head);
    assert!(request.body.to_string().contains("buy milk"), "the result goes back to the model");
    assert_eq!(
        world.history(),
        [
            "user: what does notes.txt say?",
            "assistant (toolUse): read",
            "toolResult: buy milk\n",
            "assistant: It says: buy milk."
        ]
    );
}

#[tokio::test]
async fn the_other_wire_format() {
    let provider = Provider::start([chat_answer("hello")]).await;
    let world = World::with(&provider);
    assert_eq!(world.run(&["-p", "--model", "chat/c1", "hi"]).await.success(), "hello\n");
    let request = provider.requests().pop().unwrap();
    assert!(request.head.starts_with("POST /v1/chat/completions "), "{}", request.head);
    assert!(request.head.contains("Bearer chat-key"), "{}", request.head);
    assert_eq!(request.texts("user"), ["hi"]);
}

#[tokio::test]
async fn text_streams_when_asked_for() {
    let gate = Gate::new();
    let reply = Reply::stream(&(open() + &delta("first "))).wait(&gate).then(&(delta("second") + &end())).end();
    let provider = Provider::start([reply]).await;
    let world = World::with(&provider);
    let mut pi = world.pi(&["-p", "--stream", "hi"]).start();
    pi.close_stdin();
    assert_eq!(pi.read(6).await, "first ");
    gate.open();
    assert_eq!(pi.read(7).await, "second\n");
    assert_eq!(pi.finish().await, (0, String::new()));
}

#[tokio::test]
async fn json_mode_prints_every_event() {
    let provider = Provider::start([tool_call("call_1", "ls_", &json!({})), answer("done")]).await;
    let world = World::with(&provider);
    let events = lines(&world.run(&["--mode", "json", "hi"]).await.success());
    let kinds = kinds(&events);
    let expected = [
        "session",
        "agent_start",
        "turn_start",
        "message_start",
        "message_end",
        "message_start",
        "message_update",
        "message_update",
        "message_update",
        "message_end",
        "tool_execution_start",
        "tool_execution_end",
        "message_start",
        "message_end",
        "turn_end",
        "turn_start",
        "message_start",
        "message_update",
        "message_update",
        "message_update",
        "message_end",
        "turn_end",
        "agent_end",
        "agent_settled",
    ];
    assert_eq!(kinds, expected);
    assert_eq!(events[0]["id"], world.entries()[0]["id"], "the header of the session file");
    assert_eq!(events[events.len() - 2]["messages"].as_array().unwrap().len(), 4);
}

#[tokio::test]
async fn json_mode_reports_a_failed_call_in_events_only() {
    let provider = Provider::start([Reply::plain(500, "broken")]).await;
    let events = lines(&World::with(&provider).run(&["--mode", "json", "hi"]).await.success());
    let [.., last, settled] = events.as_slice() else { panic!("{events:?}") };
    assert_eq!(*settled, json!({"type": "agent_settled", "aborted": false}));
    assert_eq!((last["type"].as_str(), last["willRetry"].as_bool()), (Some("agent_end"), Some(false)));
    assert_eq!(last["messages"][1]["stopReason"], "error");
}

#[tokio::test]
async fn without_a_prompt_nothing_happens() {
    let provider = Provider::start([]).await;
    let world = World::with(&provider);
    assert_eq!(world.pi(&["-p"]).stdin(" \n").run().await.success(), "");
    assert_eq!(kinds(&lines(&world.run(&["--mode", "json"]).await.success())), ["session"]);
    assert_eq!((provider.requests().len(), world.session_files().len()), (0, 0));
}

#[tokio::test]
async fn input_is_joined_and_further_messages_follow() {
    let provider = Provider::start([answer("one"), answer("two")]).await;
    let world = World::with(&provider);
    let file = world.write("a.txt", "content");
    world.write("empty.txt", "");
    let pi = world.pi(&["-p", "@a.txt", "@empty.txt", "first", "second"]).stdin("\n piped \n");
    assert_eq!(pi.run().await.success(), "two\n");
    let first = format!("piped\n\n<file name=\"{}\">\ncontent\n</file>\nfirst", file.display());
    let texts = provider.requests().pop().unwrap().texts("user");
    assert_eq!(texts, [first, "second".to_owned()]);
}

#[tokio::test]
async fn a_session_is_continued() {
    let provider = Provider::start([answer("one"), answer("two"), answer("three")]).await;
    let world = World::with(&provider);
    world.run(&["-p", "--name", " My talk ", "first"]).await.success();
    assert_eq!(world.run(&["-p", "-c", "second"]).await.success(), "two\n");
    assert_eq!(world.history(), ["user: first", "assistant: one", "user: second", "assistant: two"]);
    assert_eq!(provider.requests()[1].texts("user"), ["first", "second"]);
    let names: Vec<Value> = world
        .entries()
        .iter()
        .filter(|entry| entry["type"] == "session_info")
        .map(|entry| entry["name"].clone())
        .collect();
    assert_eq!(names, ["My talk"]);
    let file = world.session_files().pop().unwrap();
    world.run(&["-p", "--session", file.to_str().unwrap(), "third"]).await.success();
    assert_eq!(provider.requests()[2].texts("user"), ["first", "second", "third"]);
    assert_eq!(world.session_files(), [file]);
}

#[tokio::test]
async fn no_session_leaves_nothing() {
    let provider = Provider::start([answer("one")]).await;
    let world = World::with(&provider);
    world.run(&["-p", "--no-session", "hi"]).await.success();
    assert_eq!(world.session_files().len(), 0);
    assert!(!world.agent_dir().join("sessions").exists());
    assert_eq!(fs::read_dir(world.cwd()).unwrap().count(), 0);
}

#[tokio::test]
async fn session_files_go_where_they_are_wanted() {
    let provider = Provider::start([answer("one"), answer("two"), answer("three")]).await;
    let world = World::with(&provider);
    let in_dir = |name: &str| fs::read_dir(world.cwd().join(name)).into_iter().flatten().count();
    world.run(&["-p", "--session-dir", "by/option", "hi"]).await.success();
    assert_eq!(in_dir("by/option"), 1);
    let by_variable = || world.pi(&["-p", "hi"]).env("PI_CODING_AGENT_SESSION_DIR", "by/variable");
    by_variable().run().await.success();
    assert_eq!(in_dir("by/variable"), 1);
    let continued = world.run(&["-p", "-c", "--session-dir", "by/option", "again"]).await;
    assert_eq!((continued.success().as_str(), in_dir("by/option")), ("three\n", 1));
    assert_eq!(world.session_files().len(), 0);
}

#[tokio::test]
async fn system_prompts() {
    let provider = Provider::start((0..5).map(|_| answer("ok"))).await;
    let world = World::with(&provider);
    world.write("AGENTS.md", "Always answer in verse.");
    world.write("prompt.txt", "From a file.");
    for args in [
        &["-p", "hi"][..],
        &["-p", "-nc", "hi"],
        &["-p", "--system-prompt", "You are terse.", "hi"],
        &["-p", "--system-prompt", "prompt.txt", "hi"],
        &["-p", "--append-system-prompt", "One.", "--append-system-prompt", "prompt.txt", "hi"],
    ] {
        world.run(args).await.success();
    }
    let systems: Vec<String> = provider.requests().into_iter().map(|request| request.system()).collect();
    let has = |text: &str| systems.iter().map(|system| system.contains(text)).collect::<Vec<_>>();
    assert_eq!(has("Always answer in verse."), [true, false, true, true, true]);
    assert_eq!(has("You are terse."), [false, false, true, false, false]);
    assert_eq!(has("From a file."), [false, false, false, true, true]);
    assert_eq!(has("One."), [false, false, false, false, true]);
    assert!(systems[2].starts_with("You are terse."), "{}", systems[2]);
    assert!(has(world.cwd().to_str().unwrap()).iter().all(|named| *named), "the directory is always named");
}

#[tokio::test]
async fn tools_can_be_chosen() {
    let cases: [(&[&str], &[&str]); 6] = [
        (&[], &["read", "bash", "edit", "write"]),
        (&["--tools", "read, bash,"], &["read", "bash"]),
        (&["-xt", "bash"], &["read", "edit", "write"]),
        (&["-nt"], &[]),
        (&["-nbt"], &[]),
        (&["-nt", "-t", "write"], &["write"]),
    ];
    let provider = Provider::start(cases.iter().map(|_| answer("ok"))).await;
    let world = World::with(&provider);
    for (options, tools) in cases {
        world.run(&[&["-p", "--no-session"][..], options, &["hi"]].concat()).await.success();
        assert_eq!(provider.requests().last().unwrap().tools(), tools, "{options:?}");
    }
}

#[tokio::test]
async fn thinking_reaches_the_request() {
    let cases = [("off", "m1"), ("low", "m1"), ("high", "m1"), ("high", "m2")];
    let provider = Provider::start(cases.iter().map(|_| answer("ok"))).await;
    let world = World::with(&provider);
    for (level, model) in cases {
        world.run(&["-p", "--no-session", "--model", model, "--thinking", level, "hi"]).await.success();
    }
    let requests = provider.requests();
    let budgets: Vec<Option<i64>> =
        requests.iter().map(|request| request.body["thinking"]["budget_tokens"].as_i64()).collect();
    assert!(budgets[0].is_none() && budgets[3].is_none(), "{budgets:?}");
    assert!(budgets[1].unwrap() < budgets[2].unwrap(), "{budgets:?}");
    assert_eq!(requests[3].body["model"], "m2");
}

#[tokio::test]
async fn prompt_templates_expand() {
    let provider = Provider::start([answer("ok")]).await;
    let world = World::with(&provider);
    fs::create_dir(world.agent_dir().join("prompts")).unwrap();
    fs::write(world.agent_dir().join("prompts/review.md"), "Review $1 with care.").unwrap();
    world.run(&["-p", "/review main.rs"]).await.success();
    assert_eq!(provider.requests()[0].texts("user"), ["Review main.rs with care."]);
}

#[tokio::test]
async fn keys_of_the_command_line_and_of_the_file() {
    let provider = Provider::start([answer("ok"), answer("ok")]).await;
    let world = World::with(&provider);
    world.run(&["-p", "hi"]).await.success();
    world.run(&["-p", "--model", "mock/m1", "--api-key", "given-key", "hi"]).await.success();
    let heads: Vec<String> = provider.requests().into_iter().map(|request| request.head).collect();
    assert!(heads[0].contains("x-api-key: mock-key") && heads[1].contains("x-api-key: given-key"), "{heads:?}");
    for file in world.session_files() {
        assert!(!fs::read_to_string(file).unwrap().contains("-key"));
    }
}

#[tokio::test]
async fn two_at_once_in_one_directory() {
    let gate = Gate::new();
    let reply = || Reply::stream(&open()).wait(&gate).then(&(delta("ok") + &end())).end();
    let provider = Provider::start([reply(), reply()]).await;
    let world = World::with(&provider);
    let both = async {
        provider.received(2).await;
        gate.open();
    };
    let (one, two, ()) = tokio::join!(world.run(&["-p", "one"]), world.run(&["-p", "two"]), both);
    assert_eq!((one.success().as_str(), two.success().as_str()), ("ok\n", "ok\n"));
    let files = world.session_files();
    assert_eq!(files.len(), 2);
    for file in files {
        let entries = read_entries(&file);
        assert_eq!(entries.iter().filter(|entry| entry["type"] == "message").count(), 2);
    }
}

#[tokio::test]
async fn a_killed_process_loses_nothing_that_was_said() {
    let half = Reply::stream(&(open() + &delta("half"))).hang();
    let provider = Provider::start([answer("one"), half, answer("three")]).await;
    let world = World::with(&provider);
    world.run(&["-p", "first"]).await.success();
    let pi = world.pi(&["--mode", "json", "-c", "second"]);
    let mut pi = pi.start();
    pi.close_stdin();
    pi.until(|line| line["assistantMessageEvent"]["type"] == "text_delta").await;
    pi.signal(Signal::KILL);
    assert_eq!(pi.finish().await.0, 137);
    assert_eq!(world.history(), ["user: first", "assistant: one", "user: second"]);
    assert_eq!(world.run(&["-p", "-c", "third"]).await.success(), "three\n");
    assert_eq!(provider.requests()[2].texts("user").concat(), "firstsecondthird");
}

#[tokio::test]
async fn a_torn_last_line_is_put_aside() {
    let provider = Provider::start([answer("one"), answer("two")]).await;
    let world = World::with(&provider);
    world.run(&["-p", "first"]).await.success();
    let file = world.session_files().pop().unwrap();
    let whole = fs::read_to_string(&file).unwrap();
    fs::write(&file, format!("{whole}{{\"type\":\"message\",\"id\":\"x")).unwrap();
    let finished = world.run(&["-p", "-c", "second"]).await;
    assert_eq!((finished.code, finished.stdout.as_str()), (Some(0), "two\n"));
    assert_eq!(finished.stderr.lines().count(), 1, "{}", finished.stderr);
    assert!(finished.stderr.starts_with("Warning: The last line of session file "), "{}", finished.stderr);
    assert!(fs::read_to_string(&file).unwrap().starts_with(&whole));
    assert_eq!(world.history(), ["user: first", "assistant: one", "user: second", "assistant: two"]);
}

#[tokio::test]
async fn a_failed_call_is_repeated() {
    let provider = Provider::start([Reply::plain(503, "overloaded"), answer("ok")]).await;
    let world = World::with(&provider);
    world.write_config("settings.json", &json!({"retry": {"enabled": true, "baseDelayMs": 1}}));
    assert_eq!(world.run(&["-p", "hi"]).await.success(), "ok\n");
    wait_until("two requests", || provider.requests().len() == 2).await;
    assert_eq!(provider.requests()[1].texts("user"), ["hi"]);
}

#[tokio::test]
async fn an_overflow_with_nothing_to_summarise_is_no_failed_recovery() {
    let too_long = || fail(400, "invalid_request_error", "prompt is too long: 250000 tokens > 200000 maximum");
    let provider = Provider::start([too_long(), too_long(), answer("short enough")]).await;
    let world = World::with(&provider);
    let output = world.pi(&["--mode", "json", "one", "two", "three"]).run().await.success();
    let lines = lines(&output);
    assert!(!kinds(&lines).iter().any(|kind| kind.starts_with("compaction")), "{output}");
    assert_eq!(provider.requests().len(), 3);
}
