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

/// Registers a server when it is loaded, one when the session begins, one by a command, and two that cannot be had.
#[cfg(feature = "typescript")]
const REGISTERS: &str = r#"export default (pi) => {
    const entry = (mode) => ({ command: "python3", args: [process.env.SERVER, mode], env: { TOKEN: "${HOME}" }, exposure: "direct" });
    pi.registerMcpServer("early", entry("good"));
    pi.registerMcpServer("t", { command: "of-the-extension" });
    pi.registerMcpServer("bad", {});
    pi.on("session_start", () => pi.registerMcpServer("begun", entry("shop")));
    pi.registerCommand("later", { handler: async () => pi.registerMcpServer("late", entry("good")) });
};"#;

#[cfg(feature = "typescript")]
#[tokio::test]
async fn extensions_add_servers() {
    use pi_test_kit::tool_call;

    let provider = Provider::start([tool_call("1", "mcp__early__env", &json!({})), answer("ok"), answer("ok")]).await;
    let names = |at: usize| {
        let tools: Vec<_> = provider.requests()[at].tools().into_iter().map(str::to_owned).collect();
        ["mcp__early__echo", "mcp__begun__get_order", "mcp__late__echo", "mcp__t__echo"]
            .map(|name| tools.contains(&name.to_owned()))
    };
    // With files that name servers, and without.
    for servers in [json!({}), json!({"t": entry("good")})] {
        let world = World::with(&provider);
        let has_files = servers != json!({});
        if has_files {
            world.write_config("mcp.json", &json!({"mcpServers": servers}));
        }
        let extension = world.cwd().join("registers.ts");
        std::fs::write(&extension, REGISTERS.replace("process.env.SERVER", &json!(crate::server()).to_string()))
            .unwrap();
        let mut pi = world.pi(&["--mode", "rpc", "-e", extension.to_str().unwrap()]).start();
        let before = provider.requests().len();
        pi.send("{\"type\": \"prompt\", \"message\": \"go\"}\n").await;
        let seen = pi.until(|event| event["type"] == "agent_settled").await;
        assert_eq!(names(before), [true, true, false, has_files]);
        if !has_files {
            let home = world.home().to_str().unwrap().to_owned();
            assert!(crate::results(&provider)[0].contains(&home), "variables stand for their values");
        }
        let problems: Vec<_> = seen.iter().filter(|event| event["type"] == "extension_error").collect();
        let named = |words: &str| problems.iter().filter(|event| event["error"].to_string().contains(words)).count();
        assert_eq!(named("\\\"bad\\\" of an extension needs a command or a url"), 1, "{problems:?}");
        // That of a file comes first.
        assert_eq!(named("of-the-extension"), usize::from(!has_files), "{problems:?}");
        provider.answer_with([answer("ok")]);
        pi.send("{\"type\": \"prompt\", \"message\": \"/later\"}\n").await;
        pi.until(|event| event["type"] == "response").await;
        pi.send("{\"type\": \"prompt\", \"message\": \"go\"}\n").await;
        pi.until(|event| event["type"] == "agent_settled").await;
        assert_eq!(names(provider.requests().len() - 1), [true, true, true, has_files]);
        pi.send("{\"type\": \"get_mcp_status\"}\n").await;
        let status = pi.until(|event| event["command"] == "get_mcp_status").await.pop().unwrap();
        let listed = status["data"]["servers"].as_array().unwrap();
        let listed: Vec<_> = listed.iter().map(|server| server["name"].as_str().unwrap()).collect();
        assert!(["early", "t", "late"].iter().all(|name| listed.contains(name)), "{listed:?}");
        pi.close_stdin();
        assert_eq!(pi.finish().await.0, 0);
        provider.answer_with([answer("ok")]);
    }
}
