//! What clients are told of servers, and extensions of their tools.

use pi_test_kit::{Provider, World, answer};
use serde_json::{Value, json};

use crate::{entry, world};

/// The answers to `get_mcp_status` before and after a prompt.
async fn statuses(world: &World, args: &[&str]) -> [Value; 2] {
    let mut pi = world.pi(&[&["--mode", "rpc"], args].concat()).start();
    pi.send("{\"type\": \"get_mcp_status\"}\n").await;
    let before = pi.event("response").await;
    pi.send("{\"type\": \"prompt\", \"message\": \"go\"}\n").await;
    pi.until(|event| event["type"] == "agent_settled").await;
    pi.send("{\"type\": \"get_mcp_status\"}\n").await;
    let after = pi.event("response").await;
    pi.close_stdin();
    assert_eq!(pi.finish().await.0, 0);
    [before, after].map(|answer| {
        assert_eq!((&answer["command"], &answer["success"]), (&json!("get_mcp_status"), &json!(true)), "{answer}");
        answer["data"].clone()
    })
}

#[tokio::test]
async fn clients_learn_how_the_servers_are_doing() {
    let provider = Provider::start([answer("ok")]).await;
    let gone = json!({"command": "no-such-program"});
    let off = json!({"command": "x", "enabled": false});
    let world = world(&provider, &json!({"t": entry("good"), "gone": gone, "off": off, "bad": {}}));
    let [before, after] = statuses(&world, &[]).await;
    let states = |status: &Value| {
        let servers = status["servers"].as_array().unwrap();
        servers.iter().map(|server| (server["name"].clone(), server["state"].clone())).collect::<Vec<_>>()
    };
    let expected = |of_t: &str, of_gone: &str| {
        [("t", of_t), ("gone", of_gone), ("off", "disabled")].map(|(name, state)| (json!(name), json!(state)))
    };
    assert_eq!(states(&before), expected("idle", "idle"));
    assert_eq!(states(&after), expected("connected", "failed"));
    let file = json!(world.agent_dir().join("mcp.json"));
    let [good, gone, off] = [0, 1, 2].map(|at| &after["servers"][at]);
    assert_eq!((&good["file"], &gone["file"], &off["file"]), (&file, &file, &file));
    assert_eq!((&good["tools"][0], &good["prompts"]), (&json!("echo"), &json!(["review"])));
    assert_eq!((&good["hasResources"], &good["problems"]), (&json!(true), &json!([])));
    assert!(gone["error"].as_str().unwrap().contains("there is no program \"no-such-program\""), "{gone}");
    assert!(good["error"].is_null() && off["tools"].is_null());
    let problems = after["problems"].as_array().unwrap();
    assert_eq!((problems, problems.len()), (before["problems"].as_array().unwrap(), 1));
    assert!(problems[0].as_str().unwrap().contains("\"bad\" needs a command or a url"));
}

#[tokio::test]
async fn without_servers_clients_learn_that_there_are_none() {
    let provider = Provider::start([answer("ok"), answer("ok"), answer("ok")]).await;
    let none = json!({"servers": [], "problems": []});
    assert_eq!(statuses(&World::with(&provider), &[]).await, [none.clone(), none.clone()]);
    let world = world(&provider, &json!({"t": entry("good")}));
    assert_eq!(statuses(&world, &["--no-mcp"]).await, [none.clone(), none]);
    world.write_config("mcp.json", &json!({"mcpServers": 7}));
    let [status, _] = statuses(&world, &[]).await;
    assert_eq!(status["servers"], json!([]));
    assert!(status["problems"][0].as_str().unwrap().contains("mcpServers must be an object"), "{status}");
}

#[cfg(feature = "typescript")]
#[tokio::test]
async fn extensions_learn_what_tools_say_of_their_effects() {
    use pi_test_kit::tool_calls;

    let calls: Vec<_> = [("1", "mcp__t__picture"), ("2", "mcp__t__die"), ("3", "mcp__t__env"), ("4", "ls")]
        .map(|(id, name)| (id, name, json!({})))
        .into();
    let provider = Provider::start([tool_calls(&calls), answer("ok")]).await;
    let world = world(&provider, &json!({"t": entry("good")}));
    let extension = world.cwd().join("gate.ts");
    let text = "export default (pi) => pi.on('tool_call', (event) => ({ block: true, reason: JSON.stringify(event.annotations ?? 'none') }));";
    std::fs::write(&extension, text).unwrap();
    let done = crate::prompt(&world, &["--no-session", "--tools", "+ls", "-e", extension.to_str().unwrap()]).await;
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    let said = crate::results(&provider);
    let hints =
        [r#"{"readOnlyHint":true,"openWorldHint":false}"#, r#"{"destructiveHint":true}"#, "\"none\"", "\"none\""];
    assert_eq!(said, hints);
    // A second run has it from what is kept of the server.
    provider.answer_with([tool_calls(&calls), answer("ok")]);
    crate::prompt(&world, &["--no-session", "--tools", "+ls", "-e", extension.to_str().unwrap()]).await;
    assert_eq!(crate::results(&provider), hints);
}
