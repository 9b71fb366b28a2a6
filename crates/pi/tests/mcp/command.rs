//! `pi mcp`: servers are added, tried and removed; and their prompts are commands.

use pi_test_kit::{Provider, World, answer};
use serde_json::{Value, json};

use crate::{entry, server, world};

#[tokio::test]
async fn servers_are_added_tried_and_removed() {
    let world = World::at("http://127.0.0.1:9");
    let path = server();
    let script = path.to_str().unwrap();
    let added = world.run(&["mcp", "add", "-e", "TOKEN=a=b", "one", "python3", script, "good"]).await;
    assert_eq!(added.code, Some(0), "{}", added.stderr);
    assert!(added.stdout.starts_with("Added one in "), "{}", added.stdout);
    let header = "Authorization: Bearer ${T}";
    for arguments in [
        &["--header", header, "two", "http://127.0.0.1:9/mcp"][..],
        &["two", "http://127.0.0.1:9/mcp", "--header", header],
        &["two", "--transport", "http", "http://127.0.0.1:9/mcp", "--header", header],
    ] {
        let added = world.run(&[&["mcp", "add"], arguments].concat()).await;
        assert_eq!(added.code, Some(0), "{arguments:?}: {}", added.stderr);
    }
    let stored = std::fs::read_to_string(world.agent_dir().join("mcp.json")).unwrap();
    let stored: Value = serde_json::from_str(&stored).unwrap();
    let expected = json!({
        "one": {"command": "python3", "args": [script, "good"], "env": {"TOKEN": "a=b"}},
        "two": {"url": "http://127.0.0.1:9/mcp", "headers": {"Authorization": "Bearer ${T}"}},
    });
    assert_eq!(stored["mcpServers"], expected);
    let listed = world.run(&["mcp", "list"]).await;
    assert_eq!(listed.code, Some(1), "one does not answer: {}", listed.stdout);
    assert!(listed.stdout.starts_with("one: 11 tools, 1 prompts, resources ("), "{}", listed.stdout);
    assert!(listed.stdout.contains("\ntwo: "), "{}", listed.stdout);
    let removed = world.run(&["mcp", "remove", "two"]).await;
    assert_eq!(removed.code, Some(0), "{}", removed.stderr);
    let listed = world.run(&["mcp", "list", "--json"]).await;
    assert_eq!(listed.code, Some(0), "{}", listed.stderr);
    let listed: Value = serde_json::from_str(&listed.stdout).unwrap();
    assert_eq!((&listed[0]["name"], &listed[0]["tools"], &listed[1]), (&json!("one"), &json!(11), &Value::Null));
}

#[tokio::test]
async fn what_is_wrong_is_named() {
    let world = World::at("http://127.0.0.1:9");
    for (arguments, problem) in [
        (&["mcp", "add", "a", "ftp://x"][..], "An address begins with http:// or https://"),
        (&["mcp", "add", "a", "https://x", "y"], "An address stands alone, and \"y\" follows it"),
        (&["mcp", "add", "a", "https://x", "--head", "A: b"], "unexpected argument '--head'"),
        (&["mcp", "add", "a", "https://x", "--header"], "a value is required for '--header <HEADER>'"),
        (&["mcp", "add", "a", "-t", "http", "npx", "y"], "--transport http takes an address"),
        (&["mcp", "add", "a", "-t", "stdio", "https://x"], "--transport stdio takes a program"),
        (&["mcp", "add", "a", "-t", "sse", "https://x"], "pi speaks streamable HTTP"),
        (&["mcp", "add", "-e", "X", "a", "b"], "\"X\" is not of the form --env NAME=VALUE"),
        (&["mcp", "add", "-e", "X=1", "a", "https://b"], "--env is for programs"),
        (&["mcp", "add", "--header", "X: 1", "a", "b"], "--header is for addresses"),
        (&["mcp", "remove", "a", "-l"], "There is no server \"a\""),
    ] {
        let done = world.run(arguments).await;
        assert_eq!(done.code, Some(1), "{arguments:?}: {}", done.stderr);
        assert!(done.stderr.contains(problem), "{arguments:?}: {}", done.stderr);
    }
    for arguments in [&["mcp", "nothing"][..], &["mcp", "list", "one"], &["mcp", "add", "one"], &["mcp", "get", "--x"]]
    {
        let done = world.run(arguments).await;
        assert_eq!(done.code, Some(2), "{arguments:?}: {}", done.stderr);
    }
    // A sentence that begins with the word is a prompt.
    let sent = world.run(&["-p", "mcp is what?"]).await;
    assert!(sent.stderr.contains("127.0.0.1:9") || sent.code == Some(1), "{}", sent.stderr);
}

#[tokio::test]
async fn prompts_of_servers_are_commands() {
    let provider = Provider::start([answer("seen"), answer("reviewed")]).await;
    let world = world(&provider, &json!({"t": entry("good")}));
    // The first prompt learns what the server has.
    let done = world.run(&["-p", "hello"]).await;
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    let done = world.run(&["-p", "/mcp:t:review src/main.rs"]).await;
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    assert_eq!(provider.requests()[1].texts("user"), ["Review src/main.rs"]);
}
