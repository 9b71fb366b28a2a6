//! Shell commands that RPC clients run for their users.

use serde_json::{Value, json};

use crate::rpc::{ask, has_text, held, prompt, rpc, send};
use pi_test_kit::{Gate, Provider, World, answer, is_running, read_entries, wait_until};

fn bash(id: &str, command: &str) -> Value {
    json!({"id": id, "type": "bash", "command": command})
}

#[tokio::test]
async fn output_reaches_the_model_with_the_next_prompt() {
    let provider = Provider::start([answer("seen")]).await;
    let world = World::with(&provider);
    let mut pi = rpc(&world).await;
    let response = ask(&mut pi, bash("b", "echo out; printf '\\033[31mred\\033[0m\\n' >&2; exit 3")).await;
    let data = json!({"output": "out\nred\n", "exitCode": 3, "cancelled": false, "truncated": false});
    assert_eq!(response, json!({"id": "b", "type": "response", "command": "bash", "success": true, "data": data}));
    let secret = json!({"id": "s", "type": "bash", "command": "echo secret", "excludeFromContext": true});
    ask(&mut pi, secret).await;
    let messages = ask(&mut pi, json!({"id": "m", "type": "get_messages"})).await;
    let keys = |message: &Value| message.as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" ");
    let shown = messages["data"]["messages"].as_array().unwrap();
    assert_eq!(keys(&shown[0]), "role command output exitCode cancelled truncated timestamp");
    assert_eq!(shown[1]["excludeFromContext"], true);
    assert_eq!(world.session_files().len(), 0, "a command alone makes no file");
    send(&mut pi, &[prompt("and?")]).await;
    pi.until(|line| line["type"] == "agent_end").await;
    let asked = provider.requests()[0].texts("user");
    let told = "Ran `echo out; printf '\\033[31mred\\033[0m\\n' >&2; exit 3`\n```\nout\nred\n\n```\n\nCommand exited with code 3";
    assert_eq!(asked, [told, "and?"]);
    assert_eq!(pi.end().await, (0, String::new()));
    let roles: Vec<Value> = world.entries().iter().map(|entry| entry["message"]["role"].clone()).collect();
    assert_eq!(roles[3..], ["bashExecution", "bashExecution", "user", "assistant"]);
}

#[tokio::test]
async fn commands_run_beside_an_answer_and_beside_each_other() {
    let gate = Gate::new();
    let provider = Provider::start([held(&gate)]).await;
    let world = World::with(&provider);
    let mut pi = rpc(&world).await;
    send(&mut pi, &[prompt("hi")]).await;
    pi.until(has_text).await;
    // Each waits for the other.
    let meet =
        |mine: &str, other: &str| format!("touch {mine}; until [ -e {other} ]; do sleep 0.01; done; echo {mine}");
    send(&mut pi, &[bash("a", &meet("a", "b")), bash("b", &meet("b", "a"))]).await;
    for _ in 0..2 {
        let response = pi.event("response").await;
        assert_eq!(response["data"]["output"], format!("{}\n", response["id"].as_str().unwrap()));
    }
    let count = |messages: &Value| messages["data"]["messages"].as_array().unwrap().len();
    let during = ask(&mut pi, json!({"id": 1, "type": "get_messages"})).await;
    assert_eq!(count(&during), 1);
    gate.open();
    pi.until(|line| line["type"] == "agent_end").await;
    let after = ask(&mut pi, json!({"id": 2, "type": "get_messages"})).await;
    assert_eq!(count(&after), 4);
    assert_eq!(pi.end().await, (0, String::new()));
    let roles: Vec<Value> = world.entries().iter().map(|entry| entry["message"]["role"].clone()).collect();
    assert_eq!(roles[3..], ["user", "assistant", "bashExecution", "bashExecution"]);
}

#[tokio::test]
async fn abort_bash_kills_what_was_started_last() {
    let world = World::at("http://127.0.0.1:9");
    let mut pi = rpc(&world).await;
    let idle = ask(&mut pi, json!({"id": 0, "type": "abort_bash"})).await;
    assert_eq!(idle, json!({"id": 0, "type": "response", "command": "abort_bash", "success": true}));
    send(&mut pi, &[bash("b", "echo partial; sleep 60 & echo $! > pid; wait")]).await;
    let pid = world.cwd().join("pid");
    pi.until(|line| line["type"] == "bash_execution_update").await;
    wait_until("the command has started", || std::fs::read_to_string(&pid).is_ok_and(|pid| pid.ends_with('\n'))).await;
    send(&mut pi, &[json!({"id": "x", "type": "abort_bash"})]).await;
    let response = pi.until(|line| line["id"] == "b" && line["type"] == "response").await.pop().unwrap();
    assert_eq!(response["data"], json!({"output": "partial\n", "cancelled": true, "truncated": false}));
    wait_until("what it started is gone", || !is_running(&pid)).await;
    assert_eq!(pi.end().await, (0, String::new()));
}

#[tokio::test]
async fn the_end_of_the_input_ends_a_command_and_keeps_its_output() {
    let provider = Provider::start([answer("hello")]).await;
    let world = World::with(&provider);
    let mut pi = rpc(&world).await;
    send(&mut pi, &[prompt("hi")]).await;
    pi.until(|line| line["type"] == "agent_end").await;
    send(&mut pi, &[bash("b", "echo so far; echo $$ > pid; exec sleep 60")]).await;
    let pid = world.cwd().join("pid");
    // What a command says before its start was reported is nobody's yet.
    pi.event("bash_execution_update").await;
    wait_until("the command has started", || std::fs::read_to_string(&pid).is_ok_and(|pid| pid.ends_with('\n'))).await;
    assert_eq!(pi.end().await, (0, String::new()));
    assert!(!is_running(&pid));
    let last = read_entries(&world.session_files()[0]).pop().unwrap();
    assert_eq!((&last["message"]["output"], &last["message"]["cancelled"]), (&json!("so far\n"), &json!(true)));
}

#[tokio::test]
async fn a_command_that_cannot_be_run_is_refused() {
    let world = World::at("http://127.0.0.1:9");
    world.write_config("settings.json", &json!({"shellPath": "/no/such/shell"}));
    let mut pi = rpc(&world).await;
    let refused = ask(&mut pi, bash("b", "true")).await;
    assert_eq!(
        (&refused["success"], &refused["error"]),
        (&json!(false), &json!("Custom shell path not found: /no/such/shell"))
    );
    let missing = ask(&mut pi, json!({"id": 1, "type": "bash"})).await;
    assert_eq!(missing["error"], "Invalid bash command: missing field `command`");
    let messages = ask(&mut pi, json!({"id": 2, "type": "get_messages"})).await;
    assert_eq!(messages["data"]["messages"], json!([]));
    assert_eq!(pi.end().await, (0, String::new()));
}
