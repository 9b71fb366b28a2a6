//! Messages that wait for a running agent, as RPC clients queue them.

use serde_json::{Value, json};

use crate::rpc::{ask, has_text, held, outline, prompt, rpc, send};
use pi_test_kit::{Gate, Provider, World, answer};

#[tokio::test]
async fn a_prompt_during_a_run_needs_to_say_where_it_goes() {
    let gate = Gate::new();
    let provider = Provider::start([held(&gate), answer("steered"), answer("followed")]).await;
    let world = World::with(&provider);
    let mut pi = rpc(&world).await;
    send(&mut pi, &[prompt("hi")]).await;
    pi.until(has_text).await;
    let refused = ask(&mut pi, prompt("no")).await;
    let text = "Agent is already processing. Specify streamingBehavior ('steer' or 'followUp') to queue the message.";
    assert_eq!(refused["error"], text);
    let queue = |text: &str, behavior: &str| json!({"id": text, "type": "prompt", "message": text, "streamingBehavior": behavior});
    send(&mut pi, &[queue("later", "followUp")]).await;
    let lines = pi.until(|line| line["id"] == "later").await;
    assert_eq!(outline(&lines), ["queue_update", "prompt"]);
    send(&mut pi, &[queue("soon", "steer")]).await;
    let lines = pi.until(|line| line["id"] == "soon").await;
    assert_eq!((&lines[0]["steering"], &lines[0]["followUp"]), (&json!(["soon"]), &json!(["later"])));
    let state = ask(&mut pi, json!({"id": 9, "type": "get_state"})).await;
    assert_eq!((&state["data"]["pendingMessageCount"], &state["data"]["isStreaming"]), (&json!(2), &json!(true)));
    gate.open();
    let lines = pi.until(|line| line["type"] == "agent_end").await;
    let user = |line: &&Value| line["type"] == "message_start" && line["message"]["role"] == "user";
    let delivered: Vec<&Value> = lines.iter().filter(user).map(|line| &line["message"]["content"][0]["text"]).collect();
    assert_eq!(delivered, ["soon", "later"]);
    assert_eq!(provider.requests()[2].texts("user"), ["hi", "soon", "later"]);
    assert_eq!(pi.end().await, (0, String::new()));
}

#[tokio::test]
async fn a_steering_message_waits_for_the_next_turn() {
    let gate = Gate::new();
    let provider = Provider::start([held(&gate), answer("steered")]).await;
    let world = World::with(&provider);
    let mut pi = rpc(&world).await;
    send(&mut pi, &[prompt("go")]).await;
    pi.until(has_text).await;
    let queued = ask(&mut pi, json!({"id": 1, "type": "steer", "message": "left"})).await;
    assert_eq!(queued["success"], true);
    gate.open();
    pi.until(|line| line["type"] == "agent_end").await;
    pi.close_stdin();
    pi.finish().await;
    assert_eq!(world.history(), ["user: go", "assistant: so far, so good", "user: left", "assistant: steered"]);
}

#[tokio::test]
async fn a_mode_is_in_force_at_the_next_turn_and_remembered() {
    let gate = Gate::new();
    let provider = Provider::start([held(&gate), answer("both"), answer("again both")]).await;
    let world = World::with(&provider);
    let mut pi = rpc(&world).await;
    send(&mut pi, &[prompt("go")]).await;
    pi.until(has_text).await;
    for (id, kind) in [("s1", "steer"), ("s2", "steer"), ("f1", "follow_up"), ("f2", "follow_up")] {
        assert_eq!(ask(&mut pi, json!({"id": id, "type": kind, "message": id})).await["success"], true);
    }
    for command in ["set_steering_mode", "set_follow_up_mode"] {
        let response = ask(&mut pi, json!({"id": command, "type": command, "mode": "all"})).await;
        assert_eq!(response, json!({"id": command, "type": "response", "command": command, "success": true}));
    }
    gate.open();
    pi.until(|line| line["type"] == "agent_end").await;
    let asked: Vec<Vec<String>> = provider.requests().iter().map(|request| request.texts("user")).collect();
    assert_eq!(asked[1], ["go", "s1", "s2"]);
    assert_eq!(asked[2], ["go", "s1", "s2", "f1", "f2"]);
    let state = ask(&mut pi, json!({"id": 9, "type": "get_state"})).await;
    assert_eq!((&state["data"]["steeringMode"], &state["data"]["followUpMode"]), (&json!("all"), &json!("all")));
    assert_eq!(pi.end().await, (0, String::new()));
    let settings = std::fs::read(world.agent_dir().join("settings.json")).unwrap();
    let settings: Value = serde_json::from_slice(&settings).unwrap();
    assert_eq!((&settings["steeringMode"], &settings["followUpMode"]), (&json!("all"), &json!("all")));
}

#[tokio::test]
async fn a_mode_that_does_not_exist_is_refused() {
    let world = World::at("http://127.0.0.1:9");
    let mut pi = rpc(&world).await;
    for command in ["set_steering_mode", "set_follow_up_mode"] {
        let response = ask(&mut pi, json!({"id": 1, "type": command, "mode": "sometimes"})).await;
        let error = response["error"].as_str().unwrap();
        assert!(error.starts_with(&format!("Invalid {command} command: unknown variant `sometimes`")), "{error}");
        assert!(error.contains("`all` or `one-at-a-time`"), "{error}");
        let response = ask(&mut pi, json!({"id": 2, "type": command})).await;
        assert_eq!(response["error"], format!("Invalid {command} command: missing field `mode`"));
    }
    let state = ask(&mut pi, json!({"id": 3, "type": "get_state"})).await;
    assert_eq!(state["data"]["steeringMode"], "one-at-a-time");
    assert_eq!(pi.end().await, (0, String::new()));
}

#[tokio::test]
async fn what_waits_can_be_taken_back() {
    let gate = Gate::new();
    let provider = Provider::start([held(&gate), answer("next")]).await;
    let world = World::with(&provider);
    let mut pi = rpc(&world).await;
    let empty = ask(&mut pi, json!({"id": 0, "type": "clear_queue"})).await;
    assert_eq!(empty["data"], json!({"steering": [], "followUp": []}));
    send(&mut pi, &[prompt("go")]).await;
    pi.until(has_text).await;
    for (id, kind) in [("s1", "steer"), ("f1", "follow_up"), ("f2", "follow_up")] {
        ask(&mut pi, json!({"id": id, "type": kind, "message": id})).await;
    }
    send(&mut pi, &[json!({"id": 1, "type": "clear_queue"})]).await;
    let lines = pi.until(|line| line["id"] == 1).await;
    assert_eq!(outline(&lines), ["queue_update", "clear_queue"]);
    assert_eq!((&lines[0]["steering"], &lines[0]["followUp"]), (&json!([]), &json!([])));
    assert_eq!(lines[1]["data"], json!({"steering": ["s1"], "followUp": ["f1", "f2"]}));
    gate.open();
    pi.event("agent_end").await;
    let state = ask(&mut pi, json!({"id": 2, "type": "get_state"})).await;
    assert_eq!(state["data"]["pendingMessageCount"], 0);
    assert_eq!(pi.end().await, (0, String::new()));
    assert_eq!(world.history(), ["user: go", "assistant: so far, so good"]);
}
