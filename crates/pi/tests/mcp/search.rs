//! A server of 204 tools: they are found by a search and not declared with every request.

use pi_test_kit::{Provider, answer, tool_call};
use serde_json::{Value, json};

use crate::{entry, prompt, results, tools, world};

/// The definitions of a request as they are sent, without the mark for the cache, which stands at the last.
fn definitions(request: &pi_test_kit::Received) -> Vec<String> {
    let without_mark = |tool: &Value| {
        let mut tool = tool.clone();
        tool.as_object_mut().unwrap().remove("cache_control");
        tool.to_string()
    };
    request.body["tools"].as_array().unwrap().iter().map(without_mark).collect()
}

#[tokio::test]
async fn tools_are_found_called_and_declared_again() {
    let found = "mcp__many__github_create_issue";
    let calls = [
        tool_call("1", "tool_search", &json!({"query": "open a bug report in the repository", "limit": 3})),
        tool_call("2", found, &json!({"title": "It is broken"})),
        answer("done"),
        answer("again"),
    ];
    let provider = Provider::start(calls).await;
    let world = world(&provider, &json!({"many": entry("many")}));
    let done = prompt(&world, &[]).await;
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    let results = results(&provider);
    assert!(results[0].starts_with("These can be called from now on:\n- mcp__many__"), "{}", results[0]);
    assert!(results[0].contains(&format!("{found}: Open a new issue")), "{}", results[0]);
    assert_eq!(results[1], "called github_create_issue");
    let requests = provider.requests();
    assert_eq!(tools(&requests[0]), ["tool_search"]);
    let loaded = tools(&requests[1]);
    assert_eq!((loaded[0], loaded.len(), loaded.contains(&found)), ("tool_search", 4, true));
    // What was declared before stays as it was, in front of what is new: caches of providers go on to count.
    let (before, after) = (definitions(&requests[0]), definitions(&requests[1]));
    assert_eq!(after[..before.len()], before);
    assert_eq!(definitions(&requests[2]), after);
    // A session that goes on has them from the start.
    let done = prompt(&world, &["-c"]).await;
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    assert_eq!(definitions(&provider.requests()[3]), after);
}

#[tokio::test]
async fn two_hundred_tools_cost_a_tenth_of_a_request_at_most() {
    let provider = Provider::start([answer("ok"), answer("ok"), answer("ok")]).await;
    let world = world(&provider, &json!({"many": entry("many")}));
    for arguments in [&["--no-mcp", "--no-session"][..], &["--no-session"]] {
        let done = prompt(&world, arguments).await;
        assert_eq!(done.code, Some(0), "{}", done.stderr);
    }
    let size = |at: usize| provider.requests()[at].body.to_string().len();
    assert!(size(1) * 100 <= size(0) * 110, "{} bytes without, {} with", size(0), size(1));
    println!("a request: {} bytes without servers, {} with 204 tools to be found", size(0), size(1));
}

#[tokio::test]
async fn what_an_entry_says_comes_first() {
    let provider = Provider::start([tool_call("1", "tool_search", &json!({"query": "zzz"})), answer("ok")]).await;
    let mut few = entry("good");
    few["exposure"] = json!("deferred");
    few["description"] = json!("Small things\nand more");
    few["toolExposure"] = json!({"echo": "direct", "env": "hidden"});
    let world = world(&provider, &json!({"t": few}));
    let done = prompt(&world, &[]).await;
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    let request = &provider.requests()[0];
    assert_eq!(tools(request), ["tool_search", "mcp__t__echo"]);
    let search = request.body["tools"].as_array().unwrap().iter().find(|tool| tool["name"] == "tool_search").unwrap();
    assert!(search["description"].as_str().unwrap().ends_with("\n- t (9, resources): Small things"), "{search}");
    assert_eq!(results(&provider), ["No tool fits \"zzz\". Try other words, such as what it works on."]);
}

#[tokio::test]
async fn what_an_entry_says_of_a_server_is_searched() {
    let calls = [tool_call("1", "tool_search", &json!({"query": "aquarium", "limit": 1})), answer("ok")];
    let provider = Provider::start(calls).await;
    let mut described = entry("good");
    described["exposure"] = json!("deferred");
    described["description"] = json!("The aquarium of the office");
    let world = world(&provider, &json!({"t": described}));
    let done = prompt(&world, &[]).await;
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    assert!(results(&provider)[0].contains("- mcp__t__"), "{:?}", results(&provider));
}
