//! Servers that are reached by an address: real HTTP on loopback, well behaved and bad.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use pi_test_kit::{Provider, answer, tool_call, tool_calls, wait_until};
use serde_json::{Value, json};

use crate::{prompt, results, tools, world};

/// A server that runs until this is dropped.
pub(crate) struct HttpServer {
    child: Child,
    port: String,
    dir: tempfile::TempDir,
}

impl HttpServer {
    /// Starts one that is bad in the way of `mode`.
    pub(crate) fn start(mode: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mcp/http_server.py");
        let mut command = Command::new("python3");
        command.arg("-B").arg(script).arg(mode).arg(dir.path()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut port = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut port).unwrap();
        Self { child, port: port.trim().to_owned(), dir }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}/mcp", self.port)
    }

    /// The entry of a configuration.
    pub(crate) fn entry(&self) -> Value {
        json!({"url": self.url()})
    }

    /// The requests that it got.
    pub(crate) fn log(&self) -> Vec<Value> {
        let log = std::fs::read_to_string(self.dir.path().join("http.log")).unwrap_or_default();
        log.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// How many messages of a method it got.
    pub(crate) fn count(&self, method: &str) -> usize {
        self.log().iter().filter(|line| line["post"] == method).count()
    }
}

impl Drop for HttpServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[tokio::test]
async fn tools_are_called_with_the_headers_of_the_entry() {
    let calls = [("1", "mcp__h__echo", json!({"text": "hello"})), ("2", "mcp__h__grow", json!({}))];
    let provider =
        Provider::start([tool_calls(&calls), tool_call("3", "mcp__h__late", &json!({})), answer("ok")]).await;
    let server = HttpServer::start("good");
    let mut entry = server.entry();
    entry["headers"] = json!({"X-Team": "blue", "Authorization": "!printf 'Bearer %s' s3cret"});
    let world = world(&provider, &json!({"h": entry}));
    let done = prompt(&world, &[]).await;
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    assert_eq!(results(&provider), ["hello", "grown", "here I am"]);
    let requests = provider.requests();
    assert!(!tools(&requests[0]).contains(&"mcp__h__late"));
    assert_eq!(tools(&requests[1]).last(), Some(&"mcp__h__late"));
    let log = server.log();
    let call = log.iter().find(|line| line["post"] == "tools/call").unwrap();
    let headers = &call["headers"];
    assert_eq!((&headers["x-team"], &headers["authorization"]), (&json!("blue"), &json!("Bearer s3cret")));
    assert_eq!(headers["mcp-session-id"], "session-1");
}

#[tokio::test]
async fn each_kind_of_trouble_has_a_sentence_and_costs_only_its_call() {
    let calls = [
        ("1", "mcp__h__die", json!({})),
        ("2", "mcp__h__garbage", json!({})),
        ("3", "mcp__h__huge", json!({})),
        ("4", "mcp__h__hang", json!({})),
        ("5", "mcp__h__echo", json!({"text": "still here"})),
    ];
    let replies = calls.iter().map(|(id, name, arguments)| tool_call(id, name, arguments));
    let provider = Provider::start(replies.chain([answer("ok")])).await;
    let server = HttpServer::start("good");
    let mut entry = server.entry();
    entry["timeout"] = json!(2000);
    let world = world(&provider, &json!({"h": entry}));
    let done = prompt(&world, &[]).await;
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    let results = results(&provider);
    for (result, expected) in results.iter().zip([
        "MCP server \"h\" gave no answer to die that can be read: Client error: error decoding response body",
        "MCP server \"h\" gave no answer to garbage that can be read: unexpected server response: could not parse",
        "MCP server \"h\" gave no answer to huge that can be read: it has more than 16 MB",
        "MCP server \"h\" did not answer the call of hang within 2 s",
        "still here",
    ]) {
        assert!(result.starts_with(expected), "{result}");
    }
    wait_until("the server knows", || server.count("notifications/cancelled") > 0).await;
}

#[tokio::test]
async fn a_late_answer_is_dropped() {
    let provider = Provider::start([tool_call("1", "mcp__h__hang", &json!({}))]).await;
    let server = HttpServer::start("good");
    let world = world(&provider, &json!({"h": server.entry()}));
    let mut pi = world.pi(&["--mode", "rpc", "--no-session"]).start();
    pi.send("{\"type\": \"prompt\", \"message\": \"go\"}\n").await;
    wait_until("the call has arrived", || server.count("tools/call") == 1).await;
    pi.send("{\"type\": \"abort\"}\n").await;
    pi.event("agent_end").await;
    wait_until("it was called off", || server.count("notifications/cancelled") == 1).await;
    provider.answer_with([tool_call("2", "mcp__h__echo", &json!({"text": "next"})), answer("ok")]);
    pi.send("{\"type\": \"prompt\", \"message\": \"again\"}\n").await;
    pi.event("agent_end").await;
    assert_eq!(results(&provider).last().unwrap(), "next");
    pi.close_stdin();
    pi.finish().await;
}

#[tokio::test]
async fn what_is_no_server_is_named() {
    for (mode, expected) in [
        ("500", "h: MCP server \"h\" cannot be used: HTTP 500"),
        ("401", "h: MCP server \"h\" needs a login"),
        ("html", "h: MCP server \"h\" cannot be used: "),
    ] {
        let provider = Provider::start([]).await;
        let server = HttpServer::start(mode);
        let world = world(&provider, &json!({"h": server.entry()}));
        let listed = world.run(&["mcp", "list"]).await;
        assert_eq!(listed.code, Some(1), "{mode}: {}", listed.stdout);
        assert!(listed.stdout.starts_with(expected), "{mode}: {}", listed.stdout);
    }
}
