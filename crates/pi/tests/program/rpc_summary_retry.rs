//! Summaries whose model call fails for a passing reason: repeated, with events of their own.

use serde_json::{Value, json};

use crate::rpc::{ask, outline, prompt, rpc, send};
use pi_test_kit::{Live, Provider, Reply, World, answer, fail};

fn overloaded() -> Reply {
    fail(529, "overloaded_error", "Overloaded")
}

fn configure(world: &World, retry: &Value) {
    world.write_config(
        "settings.json",
        &json!({"defaultProvider": "mock", "defaultModel": "m1", "retry": retry,
            "compaction": {"reserveTokens": 2000, "keepRecentTokens": 100}}),
    );
}

/// Two long turns, of which the second is kept, and then these answers.
async fn world(retry: Value, replies: impl IntoIterator<Item = Reply>) -> (Provider, World) {
    let provider = Provider::start([answer("one"), answer("two")].into_iter().chain(replies)).await;
    let world = World::with(&provider);
    configure(&world, &retry);
    (provider, world)
}

async fn two_turns(pi: &mut Live) {
    for text in ["first", "second"] {
        send(pi, &[prompt(&format!("{text} {}", "word ".repeat(300)))]).await;
        pi.until(|line| line["type"] == "agent_end").await;
    }
}

async fn compact(pi: &mut Live) -> Vec<Value> {
    send(pi, &[json!({"id": "c", "type": "compact"})]).await;
    let lines = pi.until(|line| line["id"] == "c").await;
    lines.into_iter().filter(|line| line["type"] != "agent_settled").collect()
}

#[tokio::test]
async fn an_overload_is_waited_out() {
    let (_provider, world) =
        world(json!({"maxRetries": 2, "baseDelayMs": 20}), [overloaded(), overloaded(), answer("SUMMARY")]).await;
    let mut pi = rpc(&world).await;
    two_turns(&mut pi).await;
    let lines = compact(&mut pi).await;
    let scheduled = |attempt: u32, delay: u32| {
        json!({"type": "summarization_retry_scheduled", "attempt": attempt, "maxAttempts": 2, "delayMs": delay,
            "errorMessage": lines[1]["errorMessage"]})
    };
    let started = json!({"type": "summarization_retry_attempt_start", "source": "compaction", "reason": "manual"});
    assert!(lines[1]["errorMessage"].as_str().unwrap().contains("Overloaded"), "{}", lines[1]);
    let expected = [
        json!({"type": "compaction_start", "reason": "manual"}),
        scheduled(1, 20),
        started.clone(),
        scheduled(2, 40),
        started,
        json!({"type": "summarization_retry_finished"}),
    ];
    assert_eq!(lines[..6], expected);
    assert_eq!(outline(&lines[6..]), ["compaction_end", "compact"]);
    assert_eq!(pi.end().await, (0, String::new()));
}

#[tokio::test]
async fn clients_of_0_79_hear_nothing_of_it() {
    let (_provider, world) = world(json!({"baseDelayMs": 20}), [overloaded(), answer("SUMMARY")]).await;
    let mut pi = world.pi(&["--mode", "rpc"]).env("PI_COMPAT", "0.79").start();
    two_turns(&mut pi).await;
    assert_eq!(outline(&compact(&mut pi).await), ["compaction_start", "compaction_end", "compact"]);
    assert_eq!(pi.end().await, (0, String::new()));
}

#[tokio::test]
async fn what_does_not_pass_and_what_does_not_end_fails() {
    let overloads = (0..3).map(|_| overloaded());
    let refused = fail(400, "invalid_request_error", "no summary today");
    let (provider, world) = world(json!({"maxRetries": 2, "baseDelayMs": 20}), overloads.chain([refused])).await;
    let mut pi = rpc(&world).await;
    two_turns(&mut pi).await;
    let kinds =
        |lines: &[Value]| lines.iter().map(|line| line["type"].as_str().unwrap().to_owned()).collect::<Vec<_>>();
    let lines = compact(&mut pi).await;
    assert_eq!(kinds(&lines)[5..], ["summarization_retry_finished", "compaction_end", "response"]);
    assert!(lines[7]["error"].as_str().unwrap().contains("Overloaded"), "{}", lines[7]);
    let lines = compact(&mut pi).await;
    assert_eq!(kinds(&lines), ["compaction_start", "compaction_end", "response"]);
    assert_eq!(pi.end().await, (0, String::new()));
    assert_eq!(provider.requests().len(), 6);
}

#[tokio::test]
async fn the_pause_can_be_given_up_and_the_end_of_input_stops_it() {
    // Longer than the longest pause, which counts instead.
    let (_provider, world) = world(json!({"baseDelayMs": 600_000}), [overloaded(), overloaded()]).await;
    let mut pi = rpc(&world).await;
    two_turns(&mut pi).await;
    send(&mut pi, &[json!({"id": "c", "type": "compact"})]).await;
    assert_eq!(pi.event("summarization_retry_scheduled").await["delayMs"], 60_000);
    ask(&mut pi, json!({"id": 1, "type": "abort_retry"})).await;
    let lines = pi.until(|line| line["id"] == "c").await;
    assert_eq!(lines[0]["type"], "summarization_retry_finished");
    assert!(lines.last().unwrap()["error"].as_str().unwrap().contains("Overloaded"));
    send(&mut pi, &[json!({"id": "d", "type": "compact"})]).await;
    pi.event("summarization_retry_scheduled").await;
    pi.close_stdin();
    assert_eq!(outline(&pi.rest().await), ["compact: Compaction cancelled"]);
    assert_eq!(pi.finish().await, (0, String::new()));
}
