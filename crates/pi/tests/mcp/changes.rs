//! Servers whose lists change: what was declared stays as it was, new tools come behind it, and calls of tools that are gone
//! say so.

use pi_test_kit::{Provider, Received, answer, tool_call, tool_calls};
use serde_json::{Value, json};

use crate::{entry, prompt, results, tools, world};

/// The declarations of a request, as they are sent but for the mark up to which the provider is to cache.
fn declarations(request: &Received) -> Vec<Value> {
    let mut tools = request.body["tools"].as_array().unwrap().clone();
    tools.iter_mut().for_each(|tool| drop(tool.as_object_mut().unwrap().shift_remove("cache_control")));
    tools
}

#[tokio::test]
async fn declarations_outlive_tools_that_vanish_or_change_and_calls_say_so() {
    for (mode, words) in [("shifting", "no such tool"), ("modest", "Tool echo not found")] {
        let provider = Provider::start([
            tool_call("1", "mcp__t__shift", &json!({})),
            tool_calls(&[("2", "mcp__t__echo", json!({"text": "hello"})), ("3", "mcp__t__env", json!({}))]),
            answer("ok"),
            answer("ok"),
        ]);
        let provider = provider.await;
        let world = world(&provider, &json!({"t": entry(mode)}));
        let done = prompt(&world, &[]).await;
        assert_eq!(done.code, Some(0), "{}", done.stderr);
        let gone = "MCP server \"t\" no longer has the tool echo: do not call it again. The server says: ";
        assert_eq!(results(&provider), ["shifted", &format!("{gone}{words}"), "none"], "{mode}");
        let requests = provider.requests();
        assert_eq!(declarations(&requests[1]), declarations(&requests[0]), "{mode}");
        assert_eq!(declarations(&requests[2]), declarations(&requests[0]), "{mode}");
        // Another session begins with the lists as they are now.
        prompt(&world, &["--no-session"]).await;
        let next = &provider.requests()[3];
        assert!(!tools(next).contains(&"mcp__t__echo"), "{mode}");
        let env = declarations(next).into_iter().find(|tool| tool["name"] == "mcp__t__env").unwrap();
        assert_eq!(env["description"], "Is another now.", "{mode}");
    }
}

#[tokio::test]
async fn a_server_that_has_more_than_it_is_known_for_is_taken_at_its_word_when_it_starts() {
    let provider = Provider::start([answer("ok")]).await;
    let world = world(&provider, &json!({"t": entry("good")}));
    prompt(&world, &["--no-session"]).await;
    // What is known of it lacks a tool now.
    let cache = std::fs::read_dir(world.agent_dir().join("mcp-cache")).unwrap().next().unwrap().unwrap().path();
    let mut known: Value = serde_json::from_slice(&std::fs::read(&cache).unwrap()).unwrap();
    known["tools"].as_array_mut().unwrap().retain(|tool| tool["name"] != "env");
    std::fs::write(&cache, known.to_string()).unwrap();
    let call = tool_call("1", "mcp__t__echo", &json!({"text": "hello"}));
    provider.answer_with([call, tool_call("2", "mcp__t__env", &json!({})), answer("ok")]);
    let done = prompt(&world, &["--no-session"]).await;
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    assert_eq!(results(&provider), ["hello", "none"]);
    let requests = provider.requests();
    let (before, after) = (declarations(&requests[1]), declarations(&requests[2]));
    assert!(!tools(&requests[1]).contains(&"mcp__t__env"));
    assert_eq!(after[..before.len()], before, "what is new comes behind the rest");
    assert_eq!(tools(&requests[2]).last(), Some(&"mcp__t__env"));
}
