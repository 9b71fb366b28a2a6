//! Prompts and their ends: chunks, stop reasons, errors, cancellation, queues, several sessions at once.

use serde_json::{Value, json};

use super::editor::Editor;
use pi_test_kit::{Answer, Gate, Provider, Reply, World, answer, delta, end, fail, open, tool_call, wait_until};

/// An answer that begins and goes on when the gate is opened.
fn held(first: &str, gate: &Gate, last: &str) -> Reply {
    Reply::stream(&(open() + &delta(first))).wait(gate).then(&(delta(last) + &end())).end()
}

#[tokio::test]
async fn init_001_the_agent_says_who_it_is_and_what_it_can_do() {
    let world = World::at("http://127.0.0.1:9");
    let mut editor = Editor::silent(&world, &[]);
    let answer = editor.ok("initialize", json!({"protocolVersion": 1, "clientCapabilities": {}})).await;
    assert_eq!(answer["protocolVersion"], 1);
    assert_eq!(answer["agentInfo"], json!({"name": "pi", "title": "pi", "version": env!("CARGO_PKG_VERSION")}));
    let capabilities = &answer["agentCapabilities"];
    assert_eq!(capabilities["loadSession"], true);
    assert_eq!(capabilities["promptCapabilities"]["image"], true);
    assert_eq!(capabilities["promptCapabilities"]["embeddedContext"], true);
    assert_ne!(capabilities["promptCapabilities"]["audio"], true);
    assert_eq!(capabilities["mcpCapabilities"]["http"], cfg!(feature = "mcp"));
    assert_ne!(capabilities["mcpCapabilities"]["sse"], true);
    for name in ["list", "resume", "close", "delete", "additionalDirectories"] {
        assert!(capabilities["sessionCapabilities"][name].is_object(), "{name}");
    }
    assert_eq!(editor.end().await, (0, String::new()));
}

#[tokio::test]
async fn init_002_any_other_version_is_answered_with_version_1() {
    let world = World::at("http://127.0.0.1:9");
    for version in [0, 2, 65535] {
        let mut editor = Editor::silent(&world, &[]);
        let answer = editor.ok("initialize", json!({"protocolVersion": version})).await;
        assert_eq!(answer["protocolVersion"], 1);
        assert_eq!(editor.end().await.0, 0);
    }
    // Numbers that the schema does not know, as a client would send them that does not know the schema.
    for version in ["-1", "70000", "1.5"] {
        let mut editor = Editor::silent(&world, &[]);
        let line = format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{{\"protocolVersion\":{version}}}}}\n"
        );
        editor.pi.send(&line).await;
        let answer = editor.pi.line().await.unwrap();
        assert_eq!(answer["result"]["protocolVersion"], 1, "{answer}");
        assert_eq!(editor.end().await.0, 0);
    }
}

#[tokio::test]
async fn init_003_nothing_comes_before_initialize() {
    let world = World::at("http://127.0.0.1:9");
    let mut editor = Editor::silent(&world, &[]);
    let refused = editor.refusal("session/new", json!({"cwd": world.cwd(), "mcpServers": []})).await;
    assert_eq!(refused, (-32600, "Invalid request initialize comes first".to_owned()));
    editor.ok("initialize", json!({"protocolVersion": 1})).await;
    editor.session(&world).await;
    assert_eq!(editor.end().await, (0, String::new()));
}

#[tokio::test]
async fn prompt_001_answers_come_in_chunks_of_one_message() {
    let reply = Answer::of_tokens(7, 5).thinking("hmm").text("hello").reply();
    let provider = Provider::start([reply, answer("again")]).await;
    let world = World::with(&provider);
    let mut editor = Editor::start(&world).await;
    let session = editor.session(&world).await;
    assert_eq!(editor.prompt(&session, "hi").await, "end_turn");
    assert_eq!(editor.text(&session, "agent_thought_chunk"), "hmm");
    assert_eq!(editor.text(&session, "agent_message_chunk"), "hello");
    let id = editor.of_kind(&session, "agent_message_chunk")[0]["messageId"].clone();
    assert_eq!(editor.of_kind(&session, "agent_thought_chunk")[0]["messageId"], id);
    assert!(id.is_string());
    let usage = editor.of_kind(&session, "usage_update");
    assert!(usage.last().unwrap()["used"].as_u64().unwrap() > 0);
    assert_eq!(usage.last().unwrap()["cost"]["currency"], "USD");
    assert_eq!(editor.prompt(&session, "and").await, "end_turn");
    assert_ne!(editor.of_kind(&session, "agent_message_chunk").last().unwrap()["messageId"], id);
    assert!(editor.of_kind(&session, "user_message_chunk").is_empty(), "the editor knows what was asked");
    assert_eq!(editor.end().await, (0, String::new()));
    assert_eq!(world.history(), ["user: hi", "assistant: hello", "user: and", "assistant: again"]);
}

#[tokio::test]
async fn prompt_002_an_answer_that_was_cut_off_says_so() {
    let stop = end().replace("end_turn", "max_tokens");
    let provider = Provider::start([Reply::stream(&(open() + &delta("so f") + &stop)).end()]).await;
    let world = World::with(&provider);
    let mut editor = Editor::start(&world).await;
    let session = editor.session(&world).await;
    assert_eq!(editor.prompt(&session, "hi").await, "max_tokens");
    assert_eq!(editor.end().await, (0, String::new()));
}

#[tokio::test]
async fn prompt_002_a_refusal_is_a_stop_reason_and_its_words_are_told() {
    let why = r#""stop_reason":"refusal","stop_details":{"type":"refusal","explanation":"That is not allowed."}"#;
    let stop = end().replace(r#""stop_reason":"end_turn""#, why);
    let provider = Provider::start([]).await;
    let world = World::with(&provider);
    for (capabilities, kind) in [(json!({}), "agent_message_chunk"), (json!({"session": {"notices": {}}}), "notice")] {
        provider.answer_with([Reply::stream(&(open() + &delta("I can") + &stop)).end(), answer("fine")]);
        let mut editor = Editor::with(&world, capabilities).await;
        let session = editor.session(&world).await;
        assert_eq!(editor.prompt(&session, "hi").await, "refusal");
        assert!(editor.text(&session, "agent_message_chunk").starts_with("I can"));
        let told = editor.of_kind(&session, kind).pop().unwrap().to_string();
        assert!(told.contains("That is not allowed."), "{told}");
        assert_eq!(editor.prompt(&session, "something else").await, "end_turn");
        assert_eq!(editor.end().await, (0, String::new()));
    }
}

#[tokio::test]
async fn a_limit_of_turns_is_a_stop_reason() {
    let call = tool_call("t1", "ls", &json!({}));
    let provider = Provider::start([call, answer("never")]).await;
    let world = World::with(&provider);
    let mut editor = Editor::silent(&world, &["--max-turns", "1"]);
    editor.ok("initialize", json!({"protocolVersion": 1})).await;
    let session = editor.session(&world).await;
    assert_eq!(editor.prompt(&session, "hi").await, "max_turn_requests");
    assert_eq!(editor.end().await.0, 0);
}

#[tokio::test]
async fn auth_002_errors_of_the_provider_are_errors_in_its_words() {
    let provider = Provider::start([
        fail(401, "authentication_error", "invalid x-api-key"),
        fail(400, "invalid_request_error", "no such thing"),
        answer("fine"),
    ]);
    let provider = provider.await;
    let world = World::with(&provider);
    let mut editor = Editor::start(&world).await;
    let session = editor.session(&world).await;
    for (code, words) in [(-32000, "invalid x-api-key"), (-32603, "no such thing")] {
        let id = editor.send_prompt(&session, "hi").await;
        let error = editor.answer(id).await.unwrap_err();
        assert_eq!(error["code"], code);
        assert!(error["message"].as_str().unwrap().contains(words), "{error}");
    }
    assert_eq!(editor.prompt(&session, "again").await, "end_turn");
    assert_eq!(editor.end().await, (0, String::new()));
}

#[tokio::test]
async fn cancel_001_a_cancelled_prompt_is_answered_and_nothing_follows() {
    let provider = Provider::start([Reply::stream(&(open() + &delta("so far"))).hang(), answer("next")]).await;
    let world = World::with(&provider);
    let mut editor = Editor::start(&world).await;
    let session = editor.session(&world).await;
    let id = editor.send_prompt(&session, "hi").await;
    editor.until("agent_message_chunk").await;
    editor.notify("session/cancel", json!({"sessionId": session})).await;
    assert_eq!(editor.answer(id).await.unwrap(), json!({"stopReason": "cancelled"}));
    let told = editor.updates.len();
    // Whatever was still told of it would come before this answer.
    editor.ok("session/list", json!({})).await;
    assert_eq!(editor.updates.len(), told);
    assert_eq!(editor.prompt(&session, "again").await, "end_turn");
    assert_eq!(editor.end().await, (0, String::new()));
    assert_eq!(world.history(), ["user: hi", "assistant (aborted): so far", "user: again", "assistant: next"]);
}

#[tokio::test]
async fn cancel_001_a_prompt_can_be_cancelled_in_the_same_write() {
    let provider = Provider::start([Reply::stream(&open()).hang()]).await;
    let world = World::with(&provider);
    let mut editor = Editor::start(&world).await;
    let session = editor.session(&world).await;
    let id = editor.send_prompt(&session, "hi").await;
    editor.notify("session/cancel", json!({"sessionId": session})).await;
    assert_eq!(editor.answer(id).await.unwrap()["stopReason"], "cancelled");
    assert_eq!(editor.end().await, (0, String::new()));
}

#[tokio::test]
async fn cancel_001_a_cancelled_command_is_dead() {
    let call = tool_call("t1", "bash", &json!({"command": "echo $$ > pid; echo here; sleep 1000"}));
    let provider = Provider::start([call]).await;
    let world = World::with(&provider);
    let mut editor = Editor::start(&world).await;
    let session = editor.session(&world).await;
    let id = editor.send_prompt(&session, "hi").await;
    let pid = world.cwd().join("pid");
    editor.until_update(0, |update| update["content"][0]["content"]["text"] == "here\n").await;
    editor.notify("session/cancel", json!({"sessionId": session})).await;
    assert_eq!(editor.answer(id).await.unwrap()["stopReason"], "cancelled");
    let last = editor.of_kind(&session, "tool_call_update").pop().unwrap();
    assert_eq!(last["status"], "failed");
    wait_until("the command ends", || !pi_test_kit::is_running(&pid)).await;
    assert_eq!(editor.end().await, (0, String::new()));
}

#[tokio::test]
async fn cancel_002_a_request_can_be_taken_back() {
    let provider = Provider::start([Reply::stream(&(open() + &delta("so far"))).hang(), answer("next")]).await;
    let world = World::with(&provider);
    let mut editor = Editor::start(&world).await;
    let session = editor.session(&world).await;
    let id = editor.send_prompt(&session, "hi").await;
    editor.until("agent_message_chunk").await;
    editor.notify("$/cancel_request", json!({"requestId": id})).await;
    assert_eq!(editor.answer(id).await.unwrap_err()["code"], -32800);
    assert_eq!(editor.prompt(&session, "again").await, "end_turn");
    assert_eq!(editor.end().await, (0, String::new()));
}

#[tokio::test]
async fn a_prompt_during_a_run_waits_and_both_are_answered() {
    let gate = Gate::new();
    let provider = Provider::start([held("one", &gate, ", done"), answer("two")]).await;
    let world = World::with(&provider);
    let mut editor = Editor::start(&world).await;
    let session = editor.session(&world).await;
    let first = editor.send_prompt(&session, "first").await;
    editor.until("agent_message_chunk").await;
    let second = editor.send_prompt(&session, "second").await;
    // It has been taken when this is answered.
    editor.ok("session/list", json!({})).await;
    gate.open();
    assert_eq!(editor.answer(first).await.unwrap()["stopReason"], "end_turn");
    assert_eq!(editor.answer(second).await.unwrap()["stopReason"], "end_turn");
    assert_eq!(editor.text(&session, "agent_message_chunk"), "one, donetwo");
    assert_eq!(editor.end().await, (0, String::new()));
}

#[tokio::test]
async fn cancel_002_a_prompt_that_waits_is_taken_back_alone() {
    let gate = Gate::new();
    let provider = Provider::start([held("one", &gate, ", done"), answer("three")]).await;
    let world = World::with(&provider);
    let mut editor = Editor::start(&world).await;
    let session = editor.session(&world).await;
    let first = editor.send_prompt(&session, "first").await;
    editor.until("agent_message_chunk").await;
    // Only one of two that say the same.
    let mut waiting = Vec::new();
    for text in ["again", "again"] {
        waiting.push(editor.send_prompt(&session, text).await);
        editor.ok("session/list", json!({})).await;
    }
    editor.notify("$/cancel_request", json!({"requestId": waiting[0]})).await;
    assert_eq!(editor.answer(waiting[0]).await.unwrap_err()["code"], -32800);
    gate.open();
    for id in [first, waiting[1]] {
        assert_eq!(editor.answer(id).await.unwrap()["stopReason"], "end_turn");
    }
    assert_eq!(editor.text(&session, "agent_message_chunk"), "one, donethree");
    assert_eq!(editor.end().await, (0, String::new()));
    assert_eq!(world.history(), ["user: first", "assistant: one, done", "user: again", "assistant: three"]);
}

#[tokio::test]
async fn session_002_a_second_session_does_not_close_the_first() {
    let gate = Gate::new();
    let provider = Provider::start([held("one", &gate, ", done"), answer("two")]).await;
    let world = World::with(&provider);
    let mut editor = Editor::start(&world).await;
    let first = editor.session(&world).await;
    let of_first = editor.send_prompt(&first, "first").await;
    editor.until("agent_message_chunk").await;
    let second = editor.session(&world).await;
    assert_ne!(first, second);
    assert_eq!(editor.prompt(&second, "second").await, "end_turn");
    gate.open();
    assert_eq!(editor.answer(of_first).await.unwrap()["stopReason"], "end_turn");
    assert_eq!(editor.text(&first, "agent_message_chunk"), "one, done");
    assert_eq!(editor.text(&second, "agent_message_chunk"), "two");
    assert_eq!(editor.end().await, (0, String::new()));
    assert_eq!(world.session_files().len(), 2);
}

#[tokio::test]
async fn commands_that_start_no_run_are_answered_at_once() {
    let world = World::at("http://127.0.0.1:9");
    let mut editor = Editor::start(&world).await;
    let session = editor.session(&world).await;
    let commands = editor.of_kind(&session, "available_commands_update")[0]["availableCommands"].clone();
    let names: Vec<&str> =
        commands.as_array().unwrap().iter().map(|command| command["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["compact", "name", "export", "session"]);
    assert_eq!(editor.prompt(&session, "/name our work").await, "end_turn");
    assert_eq!(editor.of_kind(&session, "session_info_update")[0]["title"], "our work");
    assert_eq!(editor.prompt(&session, "/session").await, "end_turn");
    let said = editor.text(&session, "agent_message_chunk");
    assert!(said.contains("named our work") && said.contains(&session), "{said}");
    assert_eq!(editor.end().await, (0, String::new()));
}

#[tokio::test]
async fn exports_lie_in_the_directory_of_the_session_and_are_named_whole() {
    let provider = Provider::start([answer("hello")]).await;
    let world = World::with(&provider);
    let elsewhere = world.home().join("elsewhere");
    std::fs::create_dir(&elsewhere).unwrap();
    let mut editor = Editor::start(&world).await;
    let new = editor.ok("session/new", json!({"cwd": elsewhere, "mcpServers": []})).await;
    let session = new["sessionId"].as_str().unwrap().to_owned();
    assert_eq!(editor.prompt(&session, "hi").await, "end_turn");
    for command in ["/export", "/export sub.html"] {
        assert_eq!(editor.prompt(&session, command).await, "end_turn");
    }
    let said = editor.text(&session, "agent_message_chunk");
    let written: Vec<_> = std::fs::read_dir(&elsewhere).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(written.len(), 2, "{written:?}");
    assert!(written.iter().all(|path| said.contains(path.to_str().unwrap())), "{said}");
    assert!(written.contains(&elsewhere.join("sub.html")));
    assert_eq!(editor.end().await, (0, String::new()));
}

#[cfg(feature = "typescript")]
#[tokio::test]
async fn commands_of_extensions_that_start_no_run_are_answered_at_once() {
    let world = World::at("http://127.0.0.1:9");
    let dir = world.agent_dir().join("extensions");
    std::fs::create_dir_all(&dir).unwrap();
    let code =
        "export default (pi) => pi.registerCommand(\"greet\", { description: \"Greets\", handler: async () => {} });";
    std::fs::write(dir.join("greet.ts"), code).unwrap();
    let mut editor = Editor::start(&world).await;
    let session = editor.session(&world).await;
    let commands = editor.of_kind(&session, "available_commands_update")[0]["availableCommands"].clone();
    let greet = commands.as_array().unwrap().iter().find(|command| command["name"] == "greet");
    assert_eq!(greet.unwrap()["description"], "Greets");
    assert_eq!(editor.prompt(&session, "/greet").await, "end_turn");
    assert_eq!(editor.end().await, (0, String::new()));
}

#[tokio::test]
async fn the_sign_in_is_asked_for_where_there_is_no_model() {
    let world = World::empty();
    let mut editor = Editor::start(&world).await;
    let refused = editor.ask("session/new", json!({"cwd": world.cwd(), "mcpServers": []})).await;
    let error: Value = refused.unwrap_err();
    assert_eq!(error["code"], -32000);
    assert!(error["message"].as_str().unwrap().contains("pi auth login"), "{error}");
    assert_eq!(editor.end().await, (0, String::new()));
}
