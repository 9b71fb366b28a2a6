//! Calls: what reaches the server, what comes back, and what is left behind.

use pi_test_kit::{Provider, answer, is_running, tool_call, tool_calls, wait_until};
use serde_json::json;

use crate::{entry, prompt, results, tools, world};

#[tokio::test]
async fn a_server_starts_with_the_first_prompt_and_later_only_when_it_is_called() {
    let provider =
        Provider::start([tool_call("1", "mcp__t__echo", &json!({"text": "hello"})), answer("ok"), answer("ok")]).await;
    let world = world(&provider, &json!({"t": entry("good"), "bad": {}}));
    let done = prompt(&world, &[]).await;
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    assert!(done.stderr.contains("\"bad\" needs a command or a url"), "{}", done.stderr);
    assert_eq!(results(&provider), ["hello"]);
    let requests = provider.requests();
    assert_eq!(tools(&requests[0])[..2], ["mcp__t__echo", "mcp__t__picture"]);
    let echo =
        requests[0].body["tools"].as_array().unwrap().iter().find(|tool| tool["name"] == "mcp__t__echo").unwrap();
    let schema = json!({"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]});
    assert_eq!(echo["input_schema"], schema);
    let log = std::fs::read_to_string(world.cwd().join("server.log")).unwrap();
    assert_eq!(log.matches("tools/call").count(), 1);
    let pid = world.cwd().join("pid");
    assert!(!is_running(&pid), "the server ends with the program");
    // The second run knows the tools.
    std::fs::remove_file(&pid).unwrap();
    prompt(&world, &["--no-session"]).await;
    assert_eq!(tools(&provider.requests()[2]), tools(&requests[0]));
    assert!(!pid.exists(), "nothing was called, so nothing was started");
}

#[tokio::test]
async fn every_kind_of_result_reaches_the_model() {
    let calls = [
        ("1", "mcp__t__picture", json!({})),
        ("2", "mcp__t__broken", json!({})),
        ("3", "mcp__t__long", json!({})),
        ("4", "mcp__t__env", json!({})),
    ];
    let provider =
        Provider::start([tool_calls(&calls), tool_call("5", "mcp__t__slow", &json!({})), answer("ok")]).await;
    let mut entry = entry("flood");
    // Less than `slow` takes: its signs of progress give it more.
    entry["timeout"] = json!(3000);
    entry["env"] = json!({"TOKEN": "!printf s3cret; printf %s ${HOME:+-x}"});
    let world = world(&provider, &json!({"t": entry}));
    let done = prompt(&world, &[]).await;
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    let results = results(&provider);
    assert_eq!(results[..2], ["(tool image omitted: model does not support images)", "the tool is broken"]);
    assert!(results[2].starts_with("begin") && results[2].ends_with("end") && results[2].len() < 21_000);
    assert_eq!(results[3..], ["s3cret-x", "done at last"]);
}

#[tokio::test]
async fn a_server_that_is_replaced_or_forbidden_is_not_started() {
    for (arguments, extension) in [(&["--no-mcp"][..], false), (&["-e", "mine.js"], true)] {
        let provider = Provider::start([answer("ok")]).await;
        let world = world(&provider, &json!({"t": entry("good")}));
        if extension {
            world.write("mine.js", "export default pi => pi.registerCommand('mcp', {handler: async () => {}});");
        }
        let done = prompt(&world, arguments).await;
        assert_eq!(done.code, Some(0), "{}", done.stderr);
        assert_eq!(tools(&provider.requests()[0]), [""; 0], "{arguments:?}");
        assert!(!world.cwd().join("pid").exists());
    }
}

#[tokio::test]
async fn projects_count_when_they_are_trusted() {
    for (option, expected) in [("--approve", true), ("--no-approve", false)] {
        let provider = Provider::start([answer("ok")]).await;
        let world = world(&provider, &json!({}));
        world.write(".mcp.json", &json!({"mcpServers": {"p": entry("good")}}).to_string());
        let done = prompt(&world, &[option]).await;
        assert_eq!(done.code, Some(0), "{}", done.stderr);
        assert_eq!(tools(&provider.requests()[0]).contains(&"mcp__p__echo"), expected, "{option}");
    }
}

#[tokio::test]
async fn no_server_outlives_the_program() {
    let provider = Provider::start([tool_call("1", "mcp__t__hang", &json!({}))]).await;
    let world = world(&provider, &json!({"t": entry("deaf")}));
    let mut pi = world.pi(&["-p", "go"]).start();
    // Otherwise it waits for the rest of the prompt.
    pi.close_stdin();
    let log = world.cwd().join("server.log");
    wait_until("the call has reached it", || std::fs::read_to_string(&log).is_ok_and(|log| log.contains("tools/call")))
        .await;
    let pid = world.cwd().join("pid");
    assert!(is_running(&pid));
    pi.signal(rustix::process::Signal::KILL);
    wait_until("the server is gone", || !is_running(&pid)).await;
}
