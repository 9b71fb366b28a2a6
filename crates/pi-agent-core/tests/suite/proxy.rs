//! An agent whose model calls a proxy makes. The proxy itself is tested in `pi-ai`.

use std::process::Command;
use std::sync::Arc;

use futures::future::BoxFuture;
use futures::{FutureExt, StreamExt};
use pi_agent_core::{
    Agent, AgentOptions, AgentState, FnTool, ProxyOptions, ProxyServer, Tool, ToolOutput, ToolSet, api_stream_fn,
    proxy_stream_fn,
};
use pi_ai::scripted::{self, ScriptedProvider};
use pi_ai::transport::{HttpRequest, HttpResponse, HttpTransport};
use pi_ai::{ApiRegistry, Error};
use serde_json::json;

/// Hands each request to a proxy, without a network.
#[derive(Debug)]
struct InMemory(ProxyServer);

impl HttpTransport for InMemory {
    fn send(&self, request: HttpRequest) -> BoxFuture<'_, Result<HttpResponse, Error>> {
        async move {
            let (parts, body) = self.0.answer(&request.body).await.into_parts();
            let body = body.map(|piece| Ok(piece.unwrap())).boxed();
            Ok(HttpResponse { status: parts.status.as_u16(), headers: parts.headers, body })
        }
        .boxed()
    }
}

#[tokio::test]
async fn an_agent_works_through_the_proxy() {
    let provider = ScriptedProvider::playing([
        scripted::tool_use([scripted::tool_call("c1", "add", json!({"a": 2, "b": 3}))]),
        scripted::message([scripted::text("5")]),
    ]);
    let apis = ApiRegistry::empty();
    apis.register(Arc::new(provider.clone()));
    let models = provider.clone();
    let server = ProxyServer::new(api_stream_fn(Arc::new(apis)), move |request| models.find_model(&request.model.id));
    let options = ProxyOptions::builder().proxy_url("http://proxy").auth_token("t").http(Arc::new(InMemory(server)));
    let parameters = json!({"type": "object", "properties": {"a": {"type": "number"}, "b": {"type": "number"}}});
    let definition = pi_ai::ToolDefinition { name: "add".to_owned(), description: "Adds.".to_owned(), parameters };
    let add = FnTool::new(definition, |call| async move {
        let sum = call.arguments["a"].as_f64().unwrap() + call.arguments["b"].as_f64().unwrap();
        Ok(ToolOutput::text(sum.to_string()))
    });
    let tools = ToolSet::new([Arc::new(add) as Arc<dyn Tool>]);
    let state = AgentState { model: provider.model(), tools, ..AgentState::default() };
    let agent =
        Agent::new(AgentOptions::builder().stream(proxy_stream_fn(options.build())).initial_state(state).build());
    agent.prompt("2 + 3?").await.unwrap();
    let roles: Vec<String> = agent.state().messages.iter().map(|message| message.role().to_owned()).collect();
    assert_eq!(roles, ["user", "assistant", "toolResult", "assistant"]);
    assert_eq!(agent.state().messages[3].as_assistant().unwrap().text(), "5");
}

/// `cargo test` builds examples beside the tests; whoever builds this test alone gets it built here.
#[test]
fn the_example_runs_by_itself() {
    let built = std::env::current_exe().unwrap().parent().unwrap().join("../examples/proxy");
    if !built.exists() {
        let arguments = ["build", "-p", "pi-agent-core", "--example", "proxy"];
        assert!(Command::new(env!("CARGO")).args(arguments).status().unwrap().success());
    }
    let output = Command::new(built).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    insta::assert_snapshot!(String::from_utf8(output.stdout).unwrap(), @r"
    I have no key, but I know who does.

    failed: Proxy error: Unknown token
    ");
}
