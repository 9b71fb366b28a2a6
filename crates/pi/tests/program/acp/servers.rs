//! MCP servers that an editor hands over with a session: real programs, beside those that are configured.

use std::path::Path;

use serde_json::{Value, json};

use super::editor::Editor;
use pi_test_kit::{Provider, Received, World, answer, is_running, tool_call, wait_until};

/// A server with these variables.
fn server(name: &str, env: &Value) -> Value {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mcp/server.py");
    json!({"name": name, "command": "/usr/bin/env", "args": ["python3", script, "good"], "env": env})
}

fn tools(request: &Received) -> Vec<&str> {
    request.tools().into_iter().filter(|name| name.ends_with("__echo")).collect()
}

fn result(provider: &Provider) -> String {
    let last = provider.requests().pop().unwrap();
    let messages = last.body["messages"].as_array().unwrap().clone();
    let blocks: Vec<Value> =
        messages.iter().filter_map(|message| message["content"].as_array()).flatten().cloned().collect();
    let result = blocks.iter().rev().find(|block| block["type"] == "tool_result").unwrap();
    result["content"].as_str().or_else(|| result["content"][0]["text"].as_str()).unwrap_or_default().to_owned()
}

#[tokio::test]
async fn a_session_has_the_servers_that_it_was_given_and_those_that_are_configured() {
    // Values are taken as they are: nothing in them is run or replaced.
    let env = json!([{"name": "TOKEN", "value": "!echo ${HOME}"}]);
    let provider = Provider::start([tool_call("1", "mcp__given__env", &json!({})), answer("ok"), answer("ok")]).await;
    let world = World::with(&provider);
    let own = server("own", &json!([]));
    let entry = json!({"command": own["command"], "args": own["args"]});
    world.write_config("mcp.json", &json!({"mcpServers": {"own": entry}}));
    let mut editor = Editor::start(&world).await;
    let new = json!({"cwd": world.cwd(), "mcpServers": [server("given", &env)]});
    let session = editor.ok("session/new", new).await["sessionId"].as_str().unwrap().to_owned();
    assert_eq!(editor.prompt(&session, "go").await, "end_turn");
    assert_eq!(result(&provider), "!echo ${HOME}");
    let other = editor.session(&world).await;
    assert_eq!(editor.prompt(&other, "go").await, "end_turn");
    let requests = provider.requests();
    assert_eq!(tools(&requests[0]), ["mcp__own__echo", "mcp__given__echo"]);
    assert_eq!(tools(&requests[2]), ["mcp__own__echo"], "what one session was given, another has not");
    let pid = world.cwd().join("pid");
    assert_eq!(editor.end().await, (0, String::new()));
    wait_until("the server ends", || !is_running(&pid)).await;
}

#[tokio::test]
async fn a_session_that_is_loaded_has_them_too_and_the_old_transport_is_refused() {
    let provider = Provider::start([answer("ok"), answer("ok")]).await;
    let world = World::with(&provider);
    let mut editor = Editor::with(&world, json!({"session": {"notices": {}}})).await;
    let session = editor.session(&world).await;
    assert_eq!(editor.prompt(&session, "go").await, "end_turn");
    let sse = json!({"type": "sse", "name": "old", "url": "http://127.0.0.1:9/sse", "headers": []});
    let servers = json!([server("given", &json!([])), sse]);
    let load = json!({"sessionId": session, "cwd": world.cwd(), "mcpServers": servers});
    // Open as it is, it keeps what it has.
    editor.ok("session/load", load.clone()).await;
    let told = editor.until("notice").await;
    assert!(told.to_string().contains("The session is open already"), "{told}");
    editor.ok("session/close", json!({"sessionId": session})).await;
    let seen = editor.updates.len();
    editor.ok("session/load", load).await;
    let told = editor.until_update(seen, |update| update.to_string().contains("old HTTP+SSE")).await;
    assert!(told.to_string().ends_with("/mcp: old.\"}") || told.to_string().contains("/mcp: old."), "{told}");
    assert_eq!(editor.prompt(&session, "go").await, "end_turn");
    assert_eq!(tools(&provider.requests()[1]), ["mcp__given__echo"]);
    assert_eq!(editor.end().await, (0, String::new()));
}

#[tokio::test]
async fn a_server_that_does_not_start_costs_only_its_tools() {
    let provider = Provider::start([answer("ok")]).await;
    let world = World::with(&provider);
    let mut editor = Editor::start(&world).await;
    let missing = json!({"name": "none", "command": "/no/such/program", "args": [], "env": []});
    let new = json!({"cwd": world.cwd(), "mcpServers": [missing, server("given", &json!([]))]});
    let session = editor.ok("session/new", new).await["sessionId"].as_str().unwrap().to_owned();
    assert_eq!(editor.prompt(&session, "go").await, "end_turn");
    assert_eq!(tools(&provider.requests()[0]), ["mcp__given__echo"]);
    assert_eq!(editor.end().await, (0, String::new()));
}
