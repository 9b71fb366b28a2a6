//! What files and commands of newer versions mean: edits of the context, the level `max`, context files that override
//! others, the environment of commands, choices that hold for the session.

use serde_json::{Value, json};

use crate::rpc::{ask, prompt, send};
use pi_test_kit::{Provider, World, answer, tool_call};

const TIME: &str = "2026-01-01T00:00:00.000Z";

/// A session of these entries, each behind the one before, with ids `e1`, `e2` and so on.
fn session(world: &World, entries: &[Value]) -> String {
    let mut lines = vec![json!({"type": "session", "version": 3, "id": "s", "timestamp": TIME, "cwd": world.cwd()})];
    for (number, entry) in entries.iter().enumerate() {
        let parent = if number == 0 { Value::Null } else { format!("e{number}").into() };
        let mut line =
            json!({"type": "message", "id": format!("e{}", number + 1), "parentId": parent, "timestamp": TIME});
        if entry.get("role").is_some() {
            line["message"] = entry.clone();
        } else {
            line.as_object_mut().unwrap().extend(entry.as_object().unwrap().clone());
        }
        lines.push(line);
    }
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    world.write("edited.jsonl", &text).to_str().unwrap().to_owned()
}

fn user(text: &str) -> Value {
    json!({"role": "user", "content": [{"type": "text", "text": text}], "timestamp": 1})
}

#[allow(clippy::needless_pass_by_value)] // reads better where it is called
fn said(content: Value) -> Value {
    json!({"role": "assistant", "content": content, "api": "anthropic-messages", "provider": "mock", "model": "m1",
        "usage": {"input": 1, "output": 1, "cacheRead": 0, "cacheWrite": 0, "totalTokens": 2,
            "cost": {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "total": 0}},
        "stopReason": "stop", "timestamp": 2})
}

fn call(id: &str) -> Value {
    said(json!([{"type": "toolCall", "id": id, "name": "bash", "arguments": {"command": "x"}}]))
}

fn result(id: &str, text: &str) -> Value {
    json!({"role": "toolResult", "toolCallId": id, "toolName": "bash", "content": [{"type": "text", "text": text}],
        "isError": false, "timestamp": 3})
}

#[allow(clippy::needless_pass_by_value)] // reads better where it is called
fn edit(target: &str, replacement: Value) -> Value {
    json!({"type": "context_edit", "targetId": target, "replacement": replacement})
}

#[tokio::test]
async fn edits_of_the_context_reach_every_request_and_no_summary_brings_back_what_they_hide() {
    let provider = Provider::start([answer("fresh"), answer("the summary of it all, which is short")]).await;
    let world = World::with(&provider);
    let (secret, asked) = ("SECRET ".repeat(200), "asked ".repeat(400));
    let file = session(
        &world,
        &[
            user(&secret),
            said(json!([{"type": "text", "text": "SECRET answer"}])),
            call("c1"),
            result("c1", "SECRET result"),
            call("c2"),
            result("c2", "SECRET output"),
            json!({"type": "custom_message", "customType": "t", "content": "SECRET note", "display": true}),
            user("shown"),
            said(json!([{"type": "text", "text": "SECRET last"}])),
            edit("e1", json!({"content": asked})),
            edit("e2", Value::Null),
            // Without its call, a result would make providers refuse the request.
            edit("e5", Value::Null),
            edit("e4", json!({"content": "SECRET not the last edit"})),
            edit("e4", json!({"content": [{"type": "text", "text": "came of it"}]})),
            edit("e7", json!({"content": "a note"})),
            edit("e9", json!({"content": "answered"})),
            edit("gone", Value::Null),
        ],
    );
    world.write_config(
        "settings.json",
        &json!({"defaultProvider": "mock", "defaultModel": "m1", "compaction": {"keepRecentTokens": 10, "reserveTokens": 1000}}),
    );
    let before = std::fs::read_to_string(&file).unwrap();
    let mut pi = world.pi(&["--mode", "rpc", "--session", &file]).start();
    let messages = ask(&mut pi, json!({"id": "m", "type": "get_messages"})).await["data"]["messages"].clone();
    let roles: Vec<&str> =
        messages.as_array().unwrap().iter().map(|message| message["role"].as_str().unwrap()).collect();
    assert_eq!(roles, ["user", "assistant", "toolResult", "custom", "user", "assistant"]);
    assert_eq!(messages[0]["content"], asked);
    assert_eq!(messages[2]["content"], json!([{"type": "text", "text": "came of it"}]));
    assert_eq!(messages[5]["content"], json!([{"type": "text", "text": "answered"}]));
    send(&mut pi, &[prompt("next")]).await;
    pi.event("agent_settled").await;
    let compacted = ask(&mut pi, json!({"id": "c", "type": "compact"})).await;
    assert_eq!(compacted["success"], true, "{compacted}");
    for request in provider.requests() {
        let body = request.body.to_string();
        assert!(!body.contains("SECRET"), "{body}");
        assert!(body.contains("asked"), "{body}");
    }
    // What they are about stays in the file.
    assert!(std::fs::read_to_string(&file).unwrap().starts_with(&before));
    assert_eq!(pi.end().await, (0, String::new()));
}

#[tokio::test]
async fn the_level_max_is_known_to_options_settings_models_and_the_protocol() {
    let provider = Provider::start([answer("deep")]).await;
    let world = World::with(&provider);
    let model = |id: &str, levels: Value| {
        json!({"id": id, "reasoning": true, "thinkingLevelMap": levels, "contextWindow": 1000, "maxTokens": 500,
            "compat": {"forceAdaptiveThinking": true}})
    };
    let models = [model("deep", json!({"xhigh": "xhigh", "max": "max"})), model("flat", json!({}))];
    world.write_config(
        "models.json",
        &json!({"providers": {"mock": {"baseUrl": provider.url(), "api": "anthropic-messages", "apiKey": "k", "models": models}}}),
    );
    let mut pi = world.pi(&["--mode", "rpc", "--model", "mock/deep", "--thinking", "max"]).start();
    let levels = ask(&mut pi, json!({"id": 1, "type": "get_available_thinking_levels"})).await;
    assert_eq!(levels["data"]["levels"], json!(["off", "minimal", "low", "medium", "high", "xhigh", "max"]));
    assert_eq!(ask(&mut pi, json!({"id": 2, "type": "get_state"})).await["data"]["thinkingLevel"], "max");
    send(&mut pi, &[prompt("hi")]).await;
    pi.event("agent_settled").await;
    assert_eq!(provider.requests()[0].body["output_config"]["effort"], "max");
    ask(&mut pi, json!({"id": 3, "type": "set_thinking_level", "level": "low"})).await;
    send(&mut pi, &[json!({"id": 4, "type": "set_thinking_level", "level": "max"})]).await;
    assert_eq!(pi.event("thinking_level_changed").await["level"], "max");
    ask(&mut pi, json!({"id": 5, "type": "set_model", "provider": "mock", "modelId": "flat"})).await;
    assert_eq!(ask(&mut pi, json!({"id": 6, "type": "get_state"})).await["data"]["thinkingLevel"], "high");
    assert_eq!(pi.end().await, (0, String::new()));
}

#[tokio::test]
async fn a_choice_holds_for_the_session_unless_it_is_to_be_remembered() {
    let world = World::at("http://127.0.0.1:9");
    let path = world.agent_dir().join("settings.json");
    let choose = async |compat: bool| {
        let program = world.pi(&["--mode", "rpc", "--no-session"]);
        let mut pi = if compat { program.env("PI_COMPAT", "0.79").start() } else { program.start() };
        let set = ask(&mut pi, json!({"id": 1, "type": "set_model", "provider": "mock", "modelId": "m2"})).await;
        assert_eq!(set["success"], true, "{set}");
        ask(&mut pi, json!({"id": 2, "type": "cycle_model"})).await;
        ask(&mut pi, json!({"id": 3, "type": "set_thinking_level", "level": "low"})).await;
        pi.end().await;
        serde_json::from_str::<Value>(&std::fs::read_to_string(&path).unwrap()).unwrap()
    };
    let settings = json!({"defaultProvider": "mock", "defaultModel": "m1"});
    world.write_config("settings.json", &settings);
    assert_eq!(choose(false).await, settings);
    assert_eq!(choose(true).await["defaultModel"], "c1");
    let remembering = json!({"defaultProvider": "mock", "defaultModel": "m1", "rememberModel": true});
    world.write_config("settings.json", &remembering);
    assert_eq!(choose(false).await["defaultModel"], "c1");
}

#[tokio::test]
async fn a_file_that_overrides_stands_for_the_others_of_its_directory() {
    let provider = Provider::start([answer("ok")]).await;
    let world = World::with(&provider);
    for (name, text) in [("AGENTS.md", "PLAIN"), ("AGENTS.override.md", "OVERRIDE"), ("CLAUDE.md", "OTHER")] {
        world.write(name, text);
    }
    std::fs::write(world.agent_dir().join("AGENTS.md"), "OF THE USER").unwrap();
    world.run(&["-p", "hi"]).await.success();
    let system = provider.requests()[0].system();
    assert!(system.contains("OVERRIDE") && system.contains("OF THE USER"), "{system}");
    assert!(!system.contains("PLAIN") && !system.contains("OTHER"), "{system}");
}

#[tokio::test]
async fn commands_of_the_model_are_told_of_the_session_and_those_of_the_user_of_the_program() {
    const SHOW: &str =
        "env | grep -E '^(PI_SESSION|PI_PROVIDER|PI_MODEL|PI_REASONING|AI_AGENT|PI_CODING_AGENT=)' | sort";
    let show = || tool_call("t1", "bash", &json!({"command": SHOW}));
    let provider = Provider::start([show(), answer("one"), show(), answer("two")]).await;
    let world = World::with(&provider);
    let program = world.pi(&["--mode", "rpc"]).env("PI_SESSION_FILE", "/of/another").env("PI_MODEL", "another");
    let mut pi = program.start();
    let state = ask(&mut pi, json!({"id": 1, "type": "get_state"})).await["data"].clone();
    let shown = async |pi: &mut pi_test_kit::Live| {
        send(pi, &[prompt("go")]).await;
        let end = pi.event("tool_execution_end").await;
        pi.event("agent_settled").await;
        end["result"]["content"][0]["text"].as_str().unwrap().to_owned()
    };
    let expected = |model: &str, level: &str| {
        let of = |name: &str| state[name].as_str().unwrap().to_owned();
        format!(
            "AI_AGENT=pi\nPI_CODING_AGENT=true\nPI_MODEL={model}\nPI_PROVIDER=mock\nPI_REASONING_LEVEL={level}\nPI_SESSION_FILE={}\nPI_SESSION_ID={}\n",
            of("sessionFile"),
            of("sessionId")
        )
    };
    assert_eq!(shown(&mut pi).await, expected("m1", state["thinkingLevel"].as_str().unwrap()));
    ask(&mut pi, json!({"id": 2, "type": "set_model", "provider": "mock", "modelId": "m2"})).await;
    assert_eq!(shown(&mut pi).await, expected("m2", "off"));
    send(&mut pi, &[json!({"id": "b", "type": "bash", "command": SHOW})]).await;
    let own = pi.until(|line| line["id"] == "b" && line["type"] == "response").await.pop().unwrap();
    assert_eq!(own["data"]["output"], "AI_AGENT=pi\nPI_CODING_AGENT=true\n");
    assert_eq!(pi.end().await, (0, String::new()));
}
