//! Servers that do not start, or take too long: the user learns of it, and nothing waits for them in vain.

use pi_test_kit::{Provider, answer};
use serde_json::{Value, json};

use crate::{entry, prompt, tools, world};

/// A server that never answers, and does not end when it is asked to.
fn hanging() -> Value {
    json!({"command": "sh", "args": ["-c", "trap '' TERM; echo $$ > hanging; while :; do sleep 1; done"]})
}

#[tokio::test]
async fn a_run_goes_on_without_a_server_that_hangs_and_says_so() {
    let provider = Provider::start([answer("ok")]).await;
    let world = world(&provider, &json!({"h": hanging(), "t": entry("good")}));
    let done = prompt(&world, &[]).await;
    assert_eq!((done.code, done.stdout.trim()), (Some(0), "ok"), "{}", done.stderr);
    assert!(tools(&provider.requests()[0]).contains(&"mcp__t__echo"));
    let words = "MCP server \"h\" has not answered within 10 s. The model goes on without its tools until it does";
    assert!(done.stderr.contains(words), "{}", done.stderr);
    assert!(!done.stderr.contains("within 60 s"), "its start is not waited for at the end: {}", done.stderr);
    assert!(!pi_test_kit::is_running(&world.cwd().join("hanging")), "it ends with the program");
}

#[tokio::test]
async fn an_abort_ends_the_waiting_and_the_next_prompt_does_not_wait_again() {
    let provider = Provider::start([answer("second")]).await;
    let world = world(&provider, &json!({"h": hanging()}));
    let mut pi = world.pi(&["--mode", "rpc"]).start();
    pi.send("{\"type\": \"prompt\", \"message\": \"first\"}\n").await;
    pi.until(|event| event["type"] == "message_start" && event["message"]["role"] == "user").await;
    let is_told = |event: &Value| event["method"] == "setStatus" && event["statusText"] == "waiting for MCP: h";
    pi.until(is_told).await;
    pi.send("{\"type\": \"abort\"}\n").await;
    let seen = pi.until(|event| event["type"] == "agent_settled").await;
    let answer = seen.iter().find(|event| event["message"]["role"] == "assistant").unwrap();
    assert_eq!(answer["message"]["stopReason"], "aborted");
    assert!(provider.requests().is_empty());
    assert!(seen.iter().any(|event| event["method"] == "setStatus" && event["statusText"].is_null()));
    pi.send("{\"type\": \"prompt\", \"message\": \"second\"}\n").await;
    let seen = pi.until(|event| event["type"] == "agent_settled").await;
    assert!(!seen.iter().any(is_told), "the start under way was waited for once");
    assert_eq!(provider.requests().len(), 1);
    pi.close_stdin();
    assert_eq!(pi.finish().await.0, 0);
    assert!(!pi_test_kit::is_running(&world.cwd().join("hanging")), "it ends with the program");
}

#[tokio::test]
async fn why_a_server_did_not_start_is_told_once() {
    let provider = Provider::start([answer("ok"), answer("ok")]).await;
    let dying = json!({"command": "sh", "args": ["-c", "echo no config >&2; exit 7"]});
    let world = world(&provider, &json!({"gone": {"command": "no-such-program"}, "dies": dying}));
    let done = prompt(&world, &["again"]).await;
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    for words in [
        "MCP server \"gone\" cannot be started: there is no program \"no-such-program\"",
        "MCP server \"dies\" ended with exit code 7; its last words: no config. Its tools are missing; /mcp restart dies \
         tries it again, pi mcp list all of them",
    ] {
        assert_eq!(done.stderr.matches(words).count(), 1, "{}", done.stderr);
    }
}
