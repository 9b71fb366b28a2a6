//! Compaction between two turns of a run: tool results that fill the context are summarised before the next request.

use serde_json::{Value, json};

use crate::rpc::{outline, prompt, rpc, send};
use pi_test_kit::{Gate, Live, Provider, Reply, World, answer, delta, end, fail, open, tool_call};

/// A model with a small window, and a file that fills it.
fn configure(world: &World, url: &str) {
    world.write_config(
        "models.json",
        &json!({"providers": {"mock": {"baseUrl": url, "api": "anthropic-messages", "apiKey": "mock-key",
            "models": [{"id": "m1", "contextWindow": 8000}]}}}),
    );
    world.write_config(
        "settings.json",
        &json!({"defaultProvider": "mock", "defaultModel": "m1", "retry": {"enabled": false},
            "compaction": {"reserveTokens": 2000, "keepRecentTokens": 500}}),
    );
    world.write("big.txt", &(0..2000).map(|line| format!("line {line} of big\n")).collect::<String>());
}

async fn world(replies: impl IntoIterator<Item = Reply>) -> (Provider, World) {
    let provider = Provider::start(replies).await;
    let world = World::with(&provider);
    configure(&world, &provider.url());
    (provider, world)
}

fn reads(id: &str) -> Reply {
    tool_call(id, "read", &json!({"path": "big.txt"}))
}

/// Steps of runs and of what is summarised, messages and tools left out.
fn steps(lines: &[Value]) -> Vec<String> {
    let left_out = ["message_", "tool_", "prompt", "steer", "follow_up", "queue_update"];
    outline(lines).into_iter().filter(|name| !left_out.iter().any(|prefix| name.starts_with(prefix))).collect()
}

async fn settled(pi: &mut Live) -> Vec<Value> {
    pi.until(|line| line["type"] == "agent_settled").await
}

#[tokio::test]
async fn results_that_fill_the_context_are_summarised_before_the_next_request() {
    let (provider, world) =
        world([answer("one"), reads("t1"), answer("SUMMARY"), answer("SUMMARY"), answer("done")]).await;
    let mut pi = rpc(&world).await;
    send(&mut pi, &[prompt("first")]).await;
    settled(&mut pi).await;
    send(&mut pi, &[prompt("read it")]).await;
    let lines = settled(&mut pi).await;
    let expected = [
        "agent_start",
        "turn_start",
        "turn_end",
        "compaction_start",
        "compaction_end",
        "turn_start",
        "turn_end",
        "agent_end",
        "agent_settled",
    ];
    assert_eq!(steps(&lines), expected);
    let ended = lines.iter().find(|line| line["type"] == "compaction_end").unwrap();
    assert_eq!(
        (&ended["reason"], &ended["aborted"], &ended["willRetry"]),
        (&json!("threshold"), &json!(false), &json!(false))
    );
    let last = provider.requests()[4].texts("user");
    assert!(last.len() == 1 && last[0].contains("SUMMARY") && last[0].contains("line 1999 of big"), "{last:?}");
    assert_eq!(pi.end().await, (0, String::new()));
    let kinds: Vec<Value> = world.entries().iter().map(|entry| entry["type"].clone()).collect();
    assert_eq!(kinds.iter().filter(|kind| *kind == "compaction").count(), 1);
    assert_eq!(world.history().last().unwrap(), "assistant: done");
}

#[tokio::test]
async fn what_was_queued_meanwhile_goes_with_the_next_request() {
    let gate = Gate::new();
    let summary = Reply::stream("").wait(&gate).then(&(open() + &delta("SUMMARY") + &end())).end();
    let (provider, world) = world([reads("t1"), summary, answer("done"), answer("and that")]).await;
    let mut pi = rpc(&world).await;
    send(&mut pi, &[prompt("read it")]).await;
    pi.event("compaction_start").await;
    let queue = [
        json!({"type": "steer", "message": "mind the gap"}),
        json!({"type": "follow_up", "message": "then that"}),
        json!({"id": "sent", "type": "get_state"}),
    ];
    send(&mut pi, &queue).await;
    let state = pi.until(|line| line["id"] == "sent").await.pop().unwrap();
    assert_eq!((&state["data"]["isStreaming"], &state["data"]["isCompacting"]), (&json!(true), &json!(true)));
    gate.open();
    let lines = settled(&mut pi).await;
    assert_eq!(steps(&lines)[0], "compaction_end", "{:?}", steps(&lines));
    let requests = provider.requests();
    let (second, third) = (requests[2].texts("user"), requests[3].texts("user"));
    assert!(second[0].contains("SUMMARY") && second.last().unwrap().ends_with("mind the gap"), "{second:?}");
    assert_eq!(third.last().unwrap(), "then that");
    assert_eq!(pi.end().await, (0, String::new()));
}

#[tokio::test]
async fn an_abort_stops_the_summary_and_the_run_and_keeps_what_was_said() {
    let (provider, world) = world([reads("t1"), Reply::stream("").hang(), answer("SUMMARY"), answer("again")]).await;
    let mut pi = rpc(&world).await;
    send(&mut pi, &[prompt("read it")]).await;
    pi.event("compaction_start").await;
    provider.received(2).await;
    send(&mut pi, &[json!({"id": 9, "type": "abort"})]).await;
    let lines = pi.until(|line| line["id"] == 9).await;
    let expected = ["compaction_end", "turn_start", "turn_end", "agent_end", "agent_settled", "abort"];
    assert_eq!(steps(&lines), expected);
    assert_eq!((&lines[0]["aborted"], lines[0].get("result")), (&json!(true), None));
    send(&mut pi, &[prompt("go on")]).await;
    let lines = settled(&mut pi).await;
    assert_eq!(steps(&lines)[..3], ["compaction_start", "compaction_end", "agent_start"]);
    assert_eq!(pi.end().await, (0, String::new()));
    assert_eq!(world.history().last().unwrap(), "assistant: again");
}

#[tokio::test]
async fn a_summary_that_fails_holds_a_run_up_once() {
    let refused = fail(400, "invalid_request_error", "no summary today");
    let (_provider, world) = world([reads("t1"), refused, reads("t2"), answer("done")]).await;
    let mut pi = rpc(&world).await;
    send(&mut pi, &[prompt("read it twice")]).await;
    let lines = settled(&mut pi).await;
    let count = |kind: &str| lines.iter().filter(|line| line["type"] == kind).count();
    assert_eq!((count("compaction_start"), count("agent_start"), count("turn_end")), (1, 1, 3), "{:?}", steps(&lines));
    let failed = lines.iter().find(|line| line["type"] == "compaction_end").unwrap();
    assert!(failed["errorMessage"].as_str().unwrap().contains("no summary today"), "{failed}");
    assert_eq!(pi.end().await, (0, String::new()));
    assert_eq!(world.history().last().unwrap(), "assistant: done");
}

#[tokio::test]
async fn budgets_of_a_model_decide_when() {
    let (_provider, world) = world([reads("t1"), answer("done")]).await;
    world.write_config(
        "settings.json",
        &json!({"defaultProvider": "mock", "defaultModel": "m1", "retry": {"enabled": false},
            "compaction": {"reserveTokens": 4000, "modelOverrides": {"mock/m1": {"reserveTokens": 0}, "m1": {}}}}),
    );
    let small: String = (0..1500).map(|line| format!("line {line} of big\n")).collect();
    world.write("big.txt", &small);
    let mut pi = rpc(&world).await;
    send(&mut pi, &[prompt("read it")]).await;
    let lines = settled(&mut pi).await;
    assert!(lines.iter().all(|line| line["type"] != "compaction_start"), "{:?}", steps(&lines));
    let (code, warnings) = pi.end().await;
    assert_eq!(code, 0);
    assert!(warnings.contains("\"compaction.modelOverrides.m1\" is not the name of a model"), "{warnings}");
}
