//! Retries as RPC clients see and steer them.

use serde_json::{Value, json};

use crate::rpc::{ask, outline, prompt, rpc, send};
use pi_test_kit::{Provider, Reply, World, answer, fail};

fn overloaded() -> Reply {
    fail(529, "overloaded_error", "Overloaded")
}

/// Retries after a pause in which a test has time for anything.
fn patient(world: &World) {
    world.write_config(
        "settings.json",
        &json!({"defaultProvider": "mock", "defaultModel": "m1",
            "retry": {"enabled": true, "maxRetries": 3, "baseDelayMs": 600_000, "maxAgentDelayMs": 600_000}}),
    );
}

#[tokio::test]
async fn the_pause_can_be_aborted_once_and_again() {
    let provider = Provider::start([overloaded(), overloaded()]).await;
    let world = World::with(&provider);
    patient(&world);
    let mut pi = rpc(&world).await;
    for text in ["one", "two"] {
        send(&mut pi, &[prompt(text)]).await;
        let start = pi.event("auto_retry_start").await;
        assert_eq!((&start["attempt"], &start["delayMs"]), (&json!(1), &json!(600_000)));
        let state = ask(&mut pi, json!({"id": 1, "type": "get_state"})).await;
        assert_eq!(state["data"]["isStreaming"], false);
        send(&mut pi, &[json!({"id": 2, "type": "abort_retry"})]).await;
        let lines = pi.until(|line| line["type"] == "auto_retry_end").await;
        assert_eq!(outline(&lines), ["abort_retry", "auto_retry_end"]);
        let end = lines.last().unwrap();
        assert_eq!(
            (&end["success"], &end["attempt"], &end["finalError"]),
            (&json!(false), &json!(1), &json!("Retry cancelled"))
        );
    }
    let idle = ask(&mut pi, json!({"id": 3, "type": "abort_retry"})).await;
    assert_eq!(idle, json!({"id": 3, "type": "response", "command": "abort_retry", "success": true}));
    assert_eq!(pi.end().await, (0, String::new()));
    assert_eq!(provider.requests().len(), 2);
}

#[tokio::test]
async fn a_prompt_during_the_pause_is_sent_after_the_end_of_the_series() {
    let provider = Provider::start([overloaded(), answer("to both")]).await;
    let world = World::with(&provider);
    patient(&world);
    let mut pi = rpc(&world).await;
    send(&mut pi, &[prompt("hi")]).await;
    pi.event("auto_retry_start").await;
    send(&mut pi, &[prompt("and this"), json!({"id": 9, "type": "get_session_stats"})]).await;
    let lines = pi.until(|line| line["type"] == "agent_end").await;
    let order: Vec<String> = outline(&lines).into_iter().filter(|name| !name.starts_with("message_")).collect();
    let expected = ["auto_retry_end", "agent_settled", "prompt", "agent_start", "turn_start", "turn_end", "agent_end"];
    let order: Vec<&String> = order.iter().filter(|name| *name != "get_session_stats").collect();
    assert_eq!(order, expected);
    assert_eq!(provider.requests()[1].texts("user"), ["hi", "and this"]);
    assert_eq!(pi.end().await, (0, String::new()));
    assert_eq!(world.history(), ["user: hi", "assistant (error): ", "user: and this", "assistant: to both"]);
}

#[tokio::test]
async fn abort_and_compact_end_the_pause_before_they_are_answered() {
    for (command, success) in [("abort", true), ("compact", false), ("new_session", true)] {
        let provider = Provider::start([overloaded()]).await;
        let world = World::with(&provider);
        patient(&world);
        let mut pi = rpc(&world).await;
        send(&mut pi, &[prompt("hi")]).await;
        pi.event("auto_retry_start").await;
        send(&mut pi, &[json!({"id": 1, "type": command})]).await;
        let lines = pi.until(|line| line["id"] == 1).await;
        assert_eq!(lines[0]["type"], "auto_retry_end", "{command}");
        assert_eq!(lines.last().unwrap()["success"], success, "{command}");
        assert_eq!(pi.end().await, (0, String::new()));
        assert_eq!(provider.requests().len(), 1, "{command}");
    }
}

#[tokio::test]
async fn switching_retries_off_and_on_is_remembered() {
    let provider = Provider::start([overloaded(), overloaded(), answer("fine")]).await;
    let world = World::with(&provider);
    let settings = |enabled: bool| {
        json!({"defaultProvider": "mock", "defaultModel": "m1",
        "retry": {"enabled": enabled, "baseDelayMs": 1}})
    };
    world.write_config("settings.json", &settings(true));
    let mut pi = rpc(&world).await;
    for enabled in [false, true] {
        let response = ask(&mut pi, json!({"id": 1, "type": "set_auto_retry", "enabled": enabled})).await;
        assert_eq!(response, json!({"id": 1, "type": "response", "command": "set_auto_retry", "success": true}));
        let kept = std::fs::read(world.agent_dir().join("settings.json")).unwrap();
        assert_eq!(serde_json::from_slice::<Value>(&kept).unwrap(), settings(enabled));
        send(&mut pi, &[prompt("hi")]).await;
        let end = pi.event("agent_end").await;
        assert_eq!(end["willRetry"], enabled);
    }
    assert_eq!(pi.event("auto_retry_end").await["success"], true);
    pi.event("agent_end").await;
    let refused = ask(&mut pi, json!({"id": 2, "type": "set_auto_retry"})).await;
    assert_eq!(refused["error"], "Invalid set_auto_retry command: missing field `enabled`");
    assert_eq!(pi.end().await, (0, String::new()));
}
