//! The RPC protocol: framing, order of responses and events, what clients can rely on.

use serde_json::{Value, json};

use pi_test_kit::{Gate, Live, Provider, Reply, World, answer, delta, end, open, tool_call};

/// `pi` in RPC mode.
pub(crate) async fn rpc(world: &World) -> Live {
    world.pi(&["--mode", "rpc"]).start()
}

/// Sends commands, each on a line, in one write.
pub(crate) async fn send(pi: &mut Live, commands: &[Value]) {
    pi.send(&commands.iter().map(|command| format!("{command}\n")).collect::<String>()).await;
}

/// Sends a command and returns its response; events before it are skipped.
pub(crate) async fn ask(pi: &mut Live, command: Value) -> Value {
    send(pi, std::slice::from_ref(&command)).await;
    pi.until(|line| line["type"] == "response" && line.get("id") == command.get("id")).await.pop().unwrap()
}

/// Types of lines; responses as `command` or `command: error`.
pub(crate) fn outline(lines: &[Value]) -> Vec<String> {
    let name = |line: &Value| match (line["type"].as_str().unwrap(), line["error"].as_str()) {
        ("response", None) => line["command"].as_str().unwrap().to_owned(),
        ("response", Some(error)) => format!("{}: {error}", line["command"].as_str().unwrap_or("?")),
        (kind, _) => kind.to_owned(),
    };
    lines.iter().map(name).collect()
}

pub(crate) fn prompt(text: &str) -> Value {
    json!({"id": text, "type": "prompt", "message": text})
}

pub(crate) fn has_text(line: &Value) -> bool {
    line["assistantMessageEvent"]["type"] == "text_delta"
}

/// An answer that begins and goes on when the gate is opened.
pub(crate) fn held(gate: &Gate) -> Reply {
    Reply::stream(&(open() + &delta("so far"))).wait(gate).then(&(delta(", so good") + &end())).end()
}

#[tokio::test]
async fn lines_end_at_lf_and_the_last_one_needs_none() {
    let world = World::at("http://127.0.0.1:9");
    let mut pi = rpc(&world).await;
    pi.send("{\"id\":1,\"type\":\"get_state\"}\r\n{\"id\":\"\u{2028}\",\"type\":\"get_messages\"}\n").await;
    pi.send("{\"id\":3,\"type\":\"get_last_assistant_text\"").await;
    pi.send("}").await;
    pi.close_stdin();
    let mut lines = pi.rest().await;
    lines.sort_by_key(|line| line["command"].to_string());
    assert_eq!(
        lines[0],
        json!({"id": 3, "type": "response", "command": "get_last_assistant_text", "success": true, "data": {}})
    );
    assert_eq!(
        lines[1],
        json!({"id": "\u{2028}", "type": "response", "command": "get_messages", "success": true, "data": {"messages": []}})
    );
    assert_eq!((&lines[2]["id"], &lines[2]["data"]["isStreaming"]), (&json!(1), &json!(false)));
    assert_eq!(pi.finish().await, (0, String::new()));
    assert_eq!(world.session_files().len(), 0);
}

#[tokio::test]
async fn what_is_no_command_is_answered() {
    let world = World::at("http://127.0.0.1:9");
    let mut pi = rpc(&world).await;
    for (line, expected) in [
        ("", "parse: Failed to parse command: "),
        ("{oops", "parse: Failed to parse command: "),
        ("null", "?: Unknown command: undefined"),
        ("[]", "?: Unknown command: undefined"),
        ("{\"id\":1}", "?: Unknown command: undefined"),
        ("{\"type\":\"dance\"}", "dance: Unknown command: dance"),
        ("{\"type\":\"prompt\"}", "prompt: Invalid prompt command: missing field `message`"),
        ("{\"type\":\"set_model\",\"provider\":\"a\",\"modelId\":\"b\"}", "set_model: Model not found: a/b"),
    ] {
        pi.send(&format!("{line}\n")).await;
        let response = pi.event("response").await;
        let text = outline(std::slice::from_ref(&response)).remove(0);
        assert!(text.starts_with(expected), "{line}: {text}");
        assert_eq!(response["success"], false);
        assert_eq!(response.as_object().unwrap().contains_key("id"), line.contains("id\":1"));
    }
    assert_eq!(pi.end().await, (0, String::new()));
}

#[tokio::test]
async fn a_prompt_is_answered_before_its_run_begins() {
    let provider = Provider::start([answer("hello")]).await;
    let world = World::with(&provider);
    let mut pi = rpc(&world).await;
    send(&mut pi, &[prompt("hi")]).await;
    let lines = pi.until(|line| line["type"] == "agent_settled").await;
    let expected = [
        "prompt",
        "agent_start",
        "turn_start",
        "message_start",
        "message_end",
        "message_start",
        "message_update",
        "message_update",
        "message_update",
        "message_end",
        "turn_end",
        "agent_end",
        "agent_settled",
    ];
    assert_eq!(outline(&lines), expected);
    let data = json!({"disposition": "started"});
    assert_eq!(lines[0], json!({"id": "hi", "type": "response", "command": "prompt", "success": true, "data": data}));
    let updates: Vec<&Value> = lines.iter().filter(|line| line["type"] == "message_update").collect();
    assert_eq!(updates[1]["message"]["content"], json!([{"type": "text", "text": "hello"}]));
    let text = ask(&mut pi, json!({"id": 2, "type": "get_last_assistant_text"})).await;
    assert_eq!(text["data"], json!({"text": "hello"}));
    let stats = ask(&mut pi, json!({"id": 3, "type": "get_session_stats"})).await;
    assert_eq!((&stats["data"]["userMessages"], &stats["data"]["tokens"]["total"]), (&json!(1), &json!(12)));
    assert_eq!(pi.end().await, (0, String::new()));
    assert_eq!(world.history(), ["user: hi", "assistant: hello"]);
}

#[tokio::test]
async fn a_prompt_without_a_key_is_refused_once() {
    let world = World::empty();
    let mut pi = rpc(&world).await;
    send(&mut pi, &[prompt("hi"), json!({"id": 2, "type": "get_state"})]).await;
    let lines = pi.until(|line| line["id"] == 2).await;
    assert_eq!(lines.len(), 2, "{:?}", outline(&lines));
    let error = lines[0]["error"].as_str().unwrap();
    assert!(error.starts_with("No API key found for the selected model."), "{error}");
    assert_eq!(lines[1]["data"]["model"]["provider"], "unknown");
    assert_eq!(pi.end().await, (0, String::new()));
}

#[tokio::test]
async fn abort_is_answered_after_the_end_of_the_run() {
    let provider = Provider::start([Reply::stream(&(open() + &delta("so far"))).hang(), answer("next")]).await;
    let world = World::with(&provider);
    let mut pi = rpc(&world).await;
    send(&mut pi, &[prompt("hi")]).await;
    pi.until(has_text).await;
    send(&mut pi, &[json!({"id": 2, "type": "abort"})]).await;
    let lines = pi.until(|line| line["id"] == 2).await;
    assert_eq!(outline(&lines), ["message_end", "turn_end", "agent_end", "agent_settled", "abort"]);
    assert_eq!(lines[0]["message"]["stopReason"], "aborted");
    let state = ask(&mut pi, json!({"id": 3, "type": "get_state"})).await;
    assert_eq!((&state["data"]["isStreaming"], &state["data"]["messageCount"]), (&json!(false), &json!(2)));
    send(&mut pi, &[prompt("again")]).await;
    pi.event("agent_end").await;
    assert_eq!(ask(&mut pi, json!({"id": 4, "type": "abort"})).await["success"], true, "nothing to abort is fine");
    assert_eq!(pi.end().await, (0, String::new()));
}

#[tokio::test]
async fn a_prompt_sent_at_the_end_of_a_run_is_accepted() {
    let provider = Provider::start((0..20).map(|n| answer(&n.to_string()))).await;
    let world = World::with(&provider);
    let mut pi = rpc(&world).await;
    for n in 0..20 {
        send(&mut pi, &[prompt(&n.to_string())]).await;
        let lines = pi.until(|line| line["type"] == "agent_end" || line["success"] == false).await;
        assert_eq!(lines.last().unwrap()["type"], "agent_end", "{:?}", outline(&lines));
    }
    assert_eq!(provider.requests()[19].texts("user").len(), 20);
    assert_eq!(pi.end().await, (0, String::new()));
    assert_eq!(world.history().len(), 40);
}

#[tokio::test]
async fn a_long_prompt_arrives_whole() {
    let provider = Provider::start([answer("long")]).await;
    let world = World::with(&provider);
    let mut pi = rpc(&world).await;
    let text = "0123456789abcdé\n".repeat(1 << 16);
    send(&mut pi, &[json!({"type": "prompt", "message": text})]).await;
    pi.event("agent_end").await;
    assert!(provider.requests()[0].texts("user") == [text.as_str()]);
    assert_eq!(pi.end().await, (0, String::new()));
}

#[tokio::test]
async fn models_are_listed_and_set() {
    let provider = Provider::start([answer("ok")]).await;
    let world = World::with(&provider);
    let mut pi = rpc(&world).await;
    let models = ask(&mut pi, json!({"id": 1, "type": "get_available_models"})).await;
    let ids: Vec<&Value> = models["data"]["models"].as_array().unwrap().iter().map(|model| &model["id"]).collect();
    assert_eq!(ids, ["m1", "m2", "c1"]);
    send(&mut pi, &[json!({"id": 2, "type": "set_model", "provider": "mock", "modelId": "m2"})]).await;
    let lines = pi.until(|line| line["id"] == 2).await;
    // The new model cannot think: told before the response.
    assert_eq!(outline(&lines), ["thinking_level_changed", "set_model"]);
    assert_eq!((&lines[0]["level"], &lines[1]["data"]["id"]), (&json!("off"), &json!("m2")));
    send(&mut pi, &[prompt("hi")]).await;
    pi.event("agent_end").await;
    assert_eq!(provider.requests()[0].body["model"], "m2");
    assert_eq!(pi.end().await, (0, String::new()));
    let settings: Value =
        serde_json::from_slice(&std::fs::read(world.agent_dir().join("settings.json")).unwrap()).unwrap();
    assert_eq!(settings["defaultModel"], "m1", "it holds for the session");
    let changes: Vec<Value> = world
        .entries()
        .iter()
        .filter(|entry| entry["type"] == "model_change")
        .map(|entry| entry["modelId"].clone())
        .collect();
    assert_eq!(changes, ["m1", "m2"]);
}

#[tokio::test]
async fn tools_run_and_report() {
    let call = tool_call("call_1", "bash", &json!({"command": "printf one; printf two >&2"}));
    let provider = Provider::start([call, answer("done")]).await;
    let world = World::with(&provider);
    let mut pi = rpc(&world).await;
    send(&mut pi, &[prompt("hi")]).await;
    let lines = pi.until(|line| line["type"] == "agent_end").await;
    let end = lines.iter().find(|line| line["type"] == "tool_execution_end").unwrap();
    assert_eq!((&end["toolName"], &end["isError"]), (&json!("bash"), &json!(false)));
    assert_eq!(end["result"]["content"][0]["text"], "onetwo");
    let messages = ask(&mut pi, json!({"id": 2, "type": "get_messages"})).await;
    assert_eq!(messages["data"]["messages"].as_array().unwrap().len(), 4);
    assert_eq!(pi.end().await, (0, String::new()));
}

#[tokio::test]
async fn levels_are_set_by_name() {
    let world = World::at("http://127.0.0.1:9");
    let mut pi = rpc(&world).await;
    for (wanted, level) in
        [(json!("high"), "high"), (json!("nonsense"), "off"), (json!("low"), "low"), (json!(3), "off")]
    {
        let response = ask(&mut pi, json!({"id": 1, "type": "set_thinking_level", "level": wanted})).await;
        assert_eq!(response, json!({"id": 1, "type": "response", "command": "set_thinking_level", "success": true}));
        let state = ask(&mut pi, json!({"id": 2, "type": "get_state"})).await;
        assert_eq!(state["data"]["thinkingLevel"], level, "{wanted}");
    }
    let cycled = ask(&mut pi, json!({"id": 3, "type": "cycle_thinking_level"})).await;
    assert_eq!(cycled["data"], json!({"level": "minimal"}));
    pi.close_stdin();
    pi.finish().await;
}

#[tokio::test]
async fn a_new_session_begins_a_new_file() {
    let provider = Provider::start([answer("one"), answer("two")]).await;
    let world = World::with(&provider);
    let mut pi = rpc(&world).await;
    send(&mut pi, &[prompt("first")]).await;
    pi.until(|line| line["type"] == "agent_end").await;
    let old = ask(&mut pi, json!({"id": 1, "type": "get_state"})).await["data"]["sessionFile"].clone();
    let forks = ask(&mut pi, json!({"id": 2, "type": "get_fork_messages"})).await["data"]["messages"].clone();
    assert_eq!((forks.as_array().unwrap().len(), &forks[0]["text"]), (1, &json!("first")));

    let response = ask(&mut pi, json!({"id": 3, "type": "new_session", "parentSession": old})).await;
    assert_eq!(response["data"], json!({"cancelled": false}));
    send(&mut pi, &[prompt("second")]).await;
    pi.until(|line| line["type"] == "agent_end").await;
    pi.close_stdin();
    pi.finish().await;

    assert_eq!(world.session_files().len(), 2);
    let new = world.session_files().into_iter().find(|file| json!(file) != old).unwrap();
    let text = std::fs::read_to_string(new).unwrap();
    let header: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    assert_eq!(header["parentSession"], old);
    assert!(text.contains("second") && !text.contains("first"), "{text}");
}
