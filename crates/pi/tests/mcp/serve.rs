//! `pi mcp serve`: the real program, spoken to as a client of MCP speaks.

use std::time::Duration;

use pi_test_kit::{
    Gate, Live, Provider, Reply, World, answer, delta, end, fail, is_running, open, tool_call, wait_until,
};
use serde_json::{Value, json};

use crate::{prompt, results, world};

/// A picture of one red dot.
const DOT: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC";

/// A client that has begun.
struct Client {
    server: Live,
    next: u64,
}

impl Client {
    async fn begin(world: &World, arguments: &[&str], revision: &str) -> Self {
        let mut client = Self { server: world.pi(&[&["mcp", "serve"], arguments].concat()).start(), next: 1 };
        let begun = client
            .ask(
                "initialize",
                &json!({"protocolVersion": revision, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}),
            )
            .await;
        assert_eq!(begun["result"]["protocolVersion"], revision, "{begun}");
        assert_eq!(begun["result"]["serverInfo"]["name"], "pi", "{begun}");
        client.tell("notifications/initialized", &json!({})).await;
        client
    }

    async fn tell(&mut self, method: &str, params: &Value) {
        self.server.send(&format!("{}\n", json!({"jsonrpc": "2.0", "method": method, "params": params}))).await;
    }

    /// Sends a request; its number.
    async fn send(&mut self, method: &str, params: &Value) -> u64 {
        let id = self.next;
        self.next += 1;
        let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        self.server.send(&format!("{request}\n")).await;
        id
    }

    async fn answer(&mut self, id: u64) -> Value {
        self.server.until(|line| line["id"] == id).await.pop().unwrap()
    }

    async fn ask(&mut self, method: &str, params: &Value) -> Value {
        let id = self.send(method, params).await;
        self.answer(id).await
    }

    /// Calls a tool: whether it failed, and its first block.
    async fn call(&mut self, name: &str, arguments: &Value) -> (bool, Value) {
        let answer = self.ask("tools/call", &json!({"name": name, "arguments": arguments})).await;
        let result = &answer["result"];
        (result["isError"] == true, result["content"][0].clone())
    }

    async fn text(&mut self, name: &str, arguments: &Value) -> (bool, String) {
        let (is_error, block) = self.call(name, arguments).await;
        (is_error, block["text"].as_str().unwrap_or_else(|| panic!("{block}")).to_owned())
    }
}

#[tokio::test]
async fn tools_are_listed_and_called_in_every_revision() {
    let world = World::at("http://127.0.0.1:9");
    for revision in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let mut client = Client::begin(&world, &[], revision).await;
        let listed = client.ask("tools/list", &json!({})).await;
        let listed = listed["result"]["tools"].as_array().unwrap();
        let names: Vec<_> = listed.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
        assert_eq!(names, ["read", "bash", "edit", "write", "grep", "find", "ls", "prompt"]);
        let only_read = listed.iter().filter(|tool| tool["annotations"]["readOnlyHint"] == true);
        let only_read: Vec<_> = only_read.map(|tool| tool["name"].as_str().unwrap()).collect();
        assert_eq!(only_read, ["read", "grep", "find", "ls"]);
        assert!(listed.iter().all(|tool| tool["inputSchema"]["type"] == "object" && tool["description"].is_string()));

        let written = client.text("write", &json!({"path": "a.txt", "content": "one\ntwo\n"})).await;
        assert_eq!(written, (false, "Successfully wrote 8 bytes to a.txt".to_owned()));
        assert_eq!(client.text("bash", &json!({"command": "cat a.txt | wc -l"})).await, (false, "2\n".to_owned()));
        let made = client.text("bash", &json!({"command": format!("echo {DOT} | base64 -d > dot.png")})).await;
        assert_eq!(made, (false, "(no output)".to_owned()));
        let read = client.ask("tools/call", &json!({"name": "read", "arguments": {"path": "dot.png"}})).await;
        let image = &read["result"]["content"][1];
        assert_eq!(
            (&image["type"], &image["mimeType"], &image["data"]),
            (&json!("image"), &json!("image/png"), &json!(DOT))
        );

        // What is wrong is for the model to read, but for a tool that nobody has.
        let (is_error, text) = client.text("read", &json!({"path": "absent.txt"})).await;
        assert!(is_error && text.contains("absent.txt"), "{text}");
        let (is_error, text) = client.text("read", &json!({"file": "a.txt"})).await;
        assert!(is_error && text.contains("path"), "{text}");
        let (is_error, text) = client.text("bash", &json!({"command": "exit 3"})).await;
        assert!(is_error && text.contains("exited with code 3"), "{text}");
        let (is_error, text) = client.text("prompt", &json!({"message": "a", "sessionid": "x"})).await;
        assert!(is_error && text.contains("unknown field `sessionid`"), "{text}");
        let refused = client.ask("tools/call", &json!({"name": "rm", "arguments": {}})).await;
        assert_eq!(refused["error"]["message"], "There is no tool \"rm\"; tools/list has them all");
        assert_eq!(client.server.end().await, (0, String::new()));
    }
}

#[tokio::test]
async fn what_is_offered_can_be_chosen() {
    let world = World::at("http://127.0.0.1:9");
    for (arguments, expected) in
        [(&["--tools", "read,ls", "--no-prompt"][..], &["read", "ls"][..]), (&["--no-tools"], &["prompt"])]
    {
        let mut client = Client::begin(&world, arguments, "2025-11-25").await;
        let listed = client.ask("tools/list", &json!({})).await;
        let names: Vec<_> =
            listed["result"]["tools"].as_array().unwrap().iter().map(|tool| tool["name"].clone()).collect();
        assert_eq!(names, expected);
        client.server.end().await;
    }
    for (arguments, problem) in [
        (&["--tools", "reed"][..], "Unknown tool name: reed. The tools are read, bash, edit"),
        (&["--no-tools", "--no-prompt"], "leave nothing to offer"),
    ] {
        let done = world.run(&[&["mcp", "serve"], arguments].concat()).await;
        assert_eq!((done.code, done.stdout.as_str()), (Some(1), ""), "{arguments:?}");
        assert!(done.stderr.contains(problem), "{}", done.stderr);
    }
    // A client that says nothing, one that does not begin, and one that is none.
    let begins_late = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}\n";
    for (said, expected) in [("", 0), (begins_late, 1), ("hello\n", 0)] {
        let done = world.pi(&["mcp", "serve"]).stdin(said).run().await;
        assert_eq!((done.code, done.stderr.as_str()), (Some(0), ""), "{said}");
        let errors = done.stdout.lines().filter(|line| line.contains("\"error\""));
        assert_eq!((done.stdout.lines().count(), errors.count()), (expected, expected), "{said}: {}", done.stdout);
    }
}

const HANGS: &str = "echo $$ > pid; echo begun; sleep 1000";

#[tokio::test]
async fn a_call_ends_when_it_is_taken_back_and_with_the_client() {
    let world = World::at("http://127.0.0.1:9");
    let pid = world.cwd().join("pid");
    for leaves in [false, true] {
        let mut client = Client::begin(&world, &[], "2025-11-25").await;
        let hangs = json!({"name": "bash", "arguments": {"command": HANGS}, "_meta": {"progressToken": "p"}});
        let id = client.send("tools/call", &hangs).await;
        let told = client.server.until(|line| line["method"] == "notifications/progress").await.pop().unwrap();
        assert_eq!((&told["params"]["progressToken"], &told["params"]["message"]), (&json!("p"), &json!("begun")));
        wait_until("the command runs", || is_running(&pid)).await;
        if leaves {
            assert_eq!(client.server.end().await.0, 0);
        } else {
            client.tell("notifications/cancelled", &json!({"requestId": id})).await;
            wait_until("the command is dead", || !is_running(&pid)).await;
            assert_eq!(client.text("bash", &json!({"command": "echo on"})).await, (false, "on\n".to_owned()));
            client.server.signal(rustix::process::Signal::TERM);
            assert_eq!(client.server.finish().await.0, 143);
        }
        wait_until("the command is dead", || !is_running(&pid)).await;
        std::fs::remove_file(&pid).unwrap();
    }
}

#[tokio::test]
async fn a_task_is_done_in_a_session_that_is_kept() {
    let call = tool_call("t1", "bash", &json!({"command": "echo done > made"}));
    let provider = Provider::start([
        call,
        answer("first answer"),
        answer("second answer"),
        fail(400, "invalid_request_error", "too much of it"),
    ])
    .await;
    let world = World::with(&provider);
    let mut client = Client::begin(&world, &["--", "--no-extensions"], "2025-11-25").await;
    let task = json!({"name": "prompt", "arguments": {"message": "--do it"}, "_meta": {"progressToken": 7}});
    let id = client.send("tools/call", &task).await;
    let lines = client.server.until(|line| line["id"] == id).await;
    let steps = lines.iter().filter(|line| line["method"] == "notifications/progress");
    let steps: Vec<_> = steps.map(|line| line["params"]["message"].clone()).collect();
    assert_eq!(steps, ["bash echo done > made"]);
    let result = &lines.last().unwrap()["result"];
    assert_eq!(
        (&result["isError"], &result["content"][0]["text"]),
        (&json!(false), &json!("first answer")),
        "{result}"
    );
    assert!(world.cwd().join("made").exists());
    let session = &result["structuredContent"]["sessionId"];
    assert!(session.is_string(), "{result}");
    assert_eq!(provider.requests()[0].body["messages"][0]["content"][0]["text"], "--do it");

    let more = json!({"message": "go on", "sessionId": session, "thinking": "low"});
    assert_eq!(client.text("prompt", &more).await, (false, "second answer".to_owned()));
    assert_eq!(world.session_files().len(), 1);
    assert_eq!(provider.requests()[2].body["messages"].as_array().unwrap().len(), 5);
    // The provider's words, and those of pi.
    let (is_error, text) = client.text("prompt", &json!({"message": "fail"})).await;
    assert!(is_error && text.contains("too much of it"), "{text}");
    let (is_error, text) = client.text("prompt", &json!({"message": "x", "model": "nobody/nothing"})).await;
    assert!(is_error && text.contains("nobody/nothing"), "{text}");
    let (is_error, text) = client.text("prompt", &json!({"message": "x", "sessionId": "absent"})).await;
    assert!(is_error && text.contains("absent"), "{text}");
    client.server.end().await;
}

#[tokio::test]
async fn a_task_ends_when_it_is_taken_back() {
    let gate = Gate::new();
    let hanging = Reply::stream(&(open() + &delta("begun"))).wait(&gate).then(&(delta("over") + &end())).end();
    let provider = Provider::start([hanging, answer("next")]).await;
    let world = World::with(&provider);
    let mut client = Client::begin(&world, &[], "2025-11-25").await;
    let id = client.send("tools/call", &json!({"name": "prompt", "arguments": {"message": "go"}})).await;
    wait_until("the model is asked", || provider.requests().len() == 1).await;
    client.tell("notifications/cancelled", &json!({"requestId": id})).await;
    let children = format!("/proc/{0}/task/{0}/children", client.server.id());
    let runs = || {
        let children = std::fs::read_to_string(&children).unwrap_or_default();
        children.split_whitespace().any(|pid| {
            let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&line).contains("--event-detail")
        })
    };
    wait_until("the task is over", || !runs()).await;
    assert_eq!(client.text("prompt", &json!({"message": "again"})).await, (false, "next".to_owned()));
    tokio::time::timeout(Duration::from_secs(60), client.server.end()).await.unwrap();
}

#[tokio::test]
async fn pi_uses_the_tools_of_another_pi() {
    let provider = Provider::start([tool_call("1", "mcp__other__ls", &json!({})), answer("ok")]).await;
    let program = env!("CARGO_BIN_EXE_pi");
    let world = world(&provider, &json!({"other": {"command": program, "args": ["mcp", "serve", "--tools", "ls"]}}));
    world.write("seen.txt", "x");
    let done = prompt(&world, &[]).await;
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    assert_eq!(results(&provider), ["seen.txt"]);
}

#[tokio::test]
async fn a_call_that_cannot_be_read_is_told_apart_from_an_unknown_method() {
    let world = World::at("http://127.0.0.1:9");
    let mut client = Client::begin(&world, &[], "2025-06-18").await;
    for (method, code) in [("tools/call", -32602), ("tools/throw", -32601)] {
        let answer = client.ask(method, &json!({})).await;
        assert_eq!(answer["error"]["code"], code, "{answer}");
    }
    client.server.close_stdin();
    client.server.finish().await;
}
