//! What a client should not send, and clients that go away.

use serde_json::{Value, json};

use super::editor::Editor;
use pi_test_kit::{Provider, Reply, World, delta, open, tool_call, wait_until};

#[tokio::test]
async fn transport_001_lines_that_are_no_messages_are_answered_and_the_connection_goes_on() {
    let world = World::at("http://127.0.0.1:9");
    let mut editor = Editor::start(&world).await;
    for (line, expected) in [
        ("{oops", (Value::Null, -32700)),
        ("[]", (Value::Null, -32600)),
        ("{\"jsonrpc\":\"2.0\",\"id\":71}", (json!(71), -32600)),
        ("{\"id\":72,\"method\":\"session/list\"}", (json!(72), -32600)),
        ("{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"method\":\"session/list\",\"params\":{\"cwd\":5}}", (json!("x"), -32602)),
    ] {
        assert_eq!(editor.send_raw(line).await, expected, "{line}");
    }
    editor.session(&world).await;
    assert_eq!(editor.end().await, (0, String::new()));
}

#[tokio::test]
async fn ext_001_unknown_methods_are_refused_and_unknown_notifications_ignored() {
    let world = World::at("http://127.0.0.1:9");
    let mut editor = Editor::start(&world).await;
    for method in ["_zed/unknown", "session/dance", "initialise"] {
        assert_eq!(editor.refusal(method, json!({})).await, (-32601, format!("Method not found {method}")));
    }
    editor.pi.send("{\"jsonrpc\":\"2.0\",\"method\":\"_zed/note\"}\n").await;
    editor.pi.send("{\"jsonrpc\":\"2.0\",\"method\":\"session/cancel\",\"params\":{\"sessionId\":\"none\"}}\n").await;
    editor.pi.send("{\"jsonrpc\":\"2.0\",\"id\":99,\"result\":{}}\n").await;
    editor.session(&world).await;
    assert_eq!(editor.end().await, (0, String::new()));
}

#[tokio::test]
async fn session_001_directories_and_ids_are_checked() {
    let world = World::at("http://127.0.0.1:9");
    let mut editor = Editor::start(&world).await;
    let new = |cwd: Value| json!({"cwd": cwd, "mcpServers": []});
    let relative = editor.refusal("session/new", new(json!("project"))).await;
    assert_eq!(relative, (-32602, "Invalid params cwd is not an absolute path: project".to_owned()));
    let missing = editor.refusal("session/new", new(json!("/no/such/directory"))).await;
    assert_eq!(missing.0, -32602);
    for (other, words) in [("lib", "is not an absolute path: lib"), ("/no/such/directory", "is not a directory: /no")] {
        let params = json!({"cwd": world.cwd(), "mcpServers": [], "additionalDirectories": [world.home(), other]});
        let refused = editor.refusal("session/new", params).await;
        assert!(refused.0 == -32602 && refused.1.contains(&format!("additionalDirectories {words}")), "{refused:?}");
    }
    for method in ["session/load", "session/resume"] {
        let params = json!({"sessionId": "none", "cwd": world.cwd(), "mcpServers": []});
        let (code, words) = editor.refusal(method, params).await;
        assert_eq!(code, -32002);
        assert!(words.contains("There is no session none"), "{words}");
    }
    assert_eq!(editor.refusal("session/prompt", json!({"sessionId": "none", "prompt": []})).await.0, -32002);
    assert_eq!(editor.end().await, (0, String::new()));
}

#[tokio::test]
async fn servers_that_are_left_out_are_named() {
    let world = World::at("http://127.0.0.1:9");
    for (capabilities, kind) in [(json!({}), "agent_message_chunk"), (json!({"session": {"notices": {}}}), "notice")] {
        let mut editor = Editor::silent(&world, &["--no-mcp"]);
        editor.ok("initialize", json!({"protocolVersion": 1, "clientCapabilities": capabilities})).await;
        let server = json!({"name": "files", "command": "/bin/true", "args": [], "env": []});
        editor.ok("session/new", json!({"cwd": world.cwd(), "mcpServers": [server]})).await;
        let told = editor.until_update(0, |update| update["sessionUpdate"] == kind).await;
        assert!(told.to_string().contains("files"), "{told}");
        assert_eq!(editor.end().await, (0, String::new()));
    }
}

#[tokio::test]
async fn an_editor_that_goes_away_ends_what_runs() {
    let call = tool_call("t1", "bash", &json!({"command": "echo $$ > pid; echo here; sleep 1000"}));
    let provider = Provider::start([call]).await;
    let world = World::with(&provider);
    let mut editor = Editor::start(&world).await;
    let session = editor.session(&world).await;
    editor.send_prompt(&session, "hi").await;
    editor.until_update(0, |update| update["content"][0]["content"]["text"] == "here\n").await;
    let pid = world.cwd().join("pid");
    assert_eq!(editor.end().await, (0, String::new()));
    wait_until("the command ends", || !pi_test_kit::is_running(&pid)).await;
    let history = world.history();
    assert_eq!(history[0], "user: hi");
    assert!(history.len() >= 3, "the call and what became of it are stored: {history:?}");
}

#[tokio::test]
async fn an_editor_that_stops_reading_and_goes_away_is_not_waited_for() {
    let text = delta(&"x".repeat(1 << 16)).repeat(64);
    let provider = Provider::start([Reply::stream(&(open() + &text)).hang()]).await;
    let world = World::with(&provider);
    let mut editor = Editor::start(&world).await;
    let session = editor.session(&world).await;
    editor.send_prompt(&session, "hi").await;
    provider.received(1).await;
    editor.pi.close_stdin();
    let (code, complaints) = editor.pi.finish_unread().await;
    assert_eq!((code, complaints.as_str()), (0, ""));
}

#[tokio::test]
async fn transport_002_only_messages_are_printed_and_the_options_of_the_program_count() {
    let world = World::at("http://127.0.0.1:9");
    let mut editor = Editor::silent(&world, &["--model", "chat/c1", "--no-session"]);
    editor.ok("initialize", json!({"protocolVersion": 1})).await;
    let new = editor.ok("session/new", json!({"cwd": world.cwd(), "mcpServers": []})).await;
    assert_eq!(new["configOptions"][0]["currentValue"], "chat/c1");
    assert_eq!(editor.end().await, (0, String::new()));
    let wrong = world.run(&["acp", "--no-such-option"]).await;
    assert_eq!((wrong.code, wrong.stdout.as_str()), (Some(1), ""));
    assert!(wrong.stderr.contains("--no-such-option"), "{}", wrong.stderr);
    let help = world.run(&["acp", "--help"]).await.success();
    assert!(help.contains("Agent Client Protocol"), "{help}");
    let mode = world.pi(&["--mode", "acp"]).stdin("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\"}\n").run().await;
    assert!(mode.success().contains("initialize comes first"));
}
