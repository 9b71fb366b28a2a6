//! One call over a WebSocket.

use pi_ai::transport::ReqwestTransport;
use pi_ai::{Context, ResponseHook, StopReason, StreamOptions, Transport};
use serde_json::{Value, json};
use std::sync::Arc;

use crate::codex::server::{Act, Script, answer};
use crate::codex::{Program, model, next, options, read_until, run};

#[tokio::test]
async fn a_call() {
    let pings = [Act::Ping].into_iter().chain(answer("r1", "Hello")).collect();
    let program = Program::start([Script::Serve(vec![pings])]).await;
    let hook = ResponseHook(Arc::new(|_, _| Box::pin(async { Err("a WebSocket is no HTTP response".to_owned()) })));
    let ran = program.ask(StreamOptions { on_response: Some(hook), ..options(None) }).await;
    ran.assert_says("Hello");
    assert_eq!(ran.kinds, ["start", "text_start", "text_delta", "text_end", "done"]);
    assert_eq!((ran.message.response_id.as_deref(), ran.message.usage.total_tokens), (Some("r1"), 5));
    assert_eq!(ran.diagnostics(), Value::Null);
    let log = program.server.log();
    assert_eq!((log.sockets.len(), log.posts.len()), (1, 0));
    let request = &log.sockets[0].requests[0];
    assert_eq!(request["type"], "response.create");
    assert_eq!(request["input"], json!([{"role": "user", "content": [{"type": "input_text", "text": "hi"}]}]));
    assert_eq!((&request["stream"], &request["store"]), (&json!(true), &json!(false)));
}

#[tokio::test]
async fn the_headers_of_the_handshake() {
    let program = Program::start([1, 2].map(|_| Script::Serve(vec![answer("r1", "Hello")]))).await;
    let own = [("Authorization", "mine"), ("ACCEPT", "mine"), ("originator", "mine"), ("x-own", "mine")];
    let headers = own.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    program.ask(StreamOptions { headers, ..options(None) }).await;
    program.ask(StreamOptions { session_id: None, ..options(None) }).await;
    let log = program.server.log();
    let header = |socket: usize, name: &str| log.sockets[socket].headers.get(name).map(|v| v.to_str().unwrap());
    let authorization = format!("Bearer {}", crate::codex::token("acct"));
    for (name, expected) in [
        ("authorization", Some(authorization.as_str())),
        ("chatgpt-account-id", Some("acct")),
        ("originator", Some("pi")),
        ("openai-beta", Some("responses_websockets=2026-02-06")),
        ("session-id", Some("s")),
        ("x-client-request-id", Some("s")),
        ("x-own", Some("mine")),
        ("content-type", None),
    ] {
        assert_eq!(header(0, name), expected, "{name}");
    }
    // The HTTP client's own.
    assert!(matches!(header(0, "accept"), None | Some("*/*")));
    assert!(header(0, "user-agent").unwrap().starts_with("pi ("));
    let random = header(1, "session-id").unwrap();
    assert_eq!((random.len(), header(1, "x-client-request-id")), (36, Some(random)));
}

/// What the server says about the request is final: server-sent events would not fare better.
#[tokio::test]
async fn an_error_event_is_final() {
    let error = json!({"type": "error", "error": {"type": "t", "message": "no such model"}});
    let script = |text: String| Script::Serve(vec![vec![Act::Send(text), Act::AwaitClose]]);
    let program = Program::start([script(error.to_string()), script("{\"type\":".into())]).await;
    for (expected, socket) in [("Codex error: no such model", 0), ("Invalid Codex WebSocket JSON: ", 1)] {
        let ran = program.ask(options(Transport::Auto)).await;
        assert!(ran.error().starts_with(expected), "{}", ran.error());
        assert_eq!((ran.kinds.as_slice(), ran.diagnostics()), (&["start", "error"][..], Value::Null));
        assert_eq!(program.server.end_of(socket).await, "gone", "the connection is of no use any more");
    }
    assert_eq!((program.server.log().posts.len(), program.stats().websocket_failures), (0, 0));
}

#[tokio::test]
async fn a_key_without_an_account_is_refused_before_anything_is_sent() {
    let program = Program::start([]).await;
    let ran = program.ask(StreamOptions { api_key: Some("sk-something".into()), ..options(None) }).await;
    assert!(ran.error().starts_with("Failed to extract accountId from token"), "{}", ran.error());
    assert!(ran.cause.unwrap().is_auth());
    assert_eq!(ran.kinds, ["error"]);
}

#[tokio::test]
async fn cancelling_closes_the_connection() {
    let waiting = crate::codex::server::interrupted("par", Act::AwaitClose);
    let program = Program::start([
        Script::Serve(vec![waiting.clone()]),
        Script::Serve(vec![waiting]),
        Script::Serve(vec![vec![Act::AwaitClose]]),
        Script::Serve(vec![answer("r1", "Hello")]),
    ])
    .await;
    let cancelled = options(Transport::Auto);
    let mut stream = program.stream(Context::prompt("hi"), cancelled.clone());
    read_until(&mut stream, "text_delta").await;
    cancelled.cancel.cancel();
    let ran = run(stream).await;
    assert_eq!((ran.message.stop_reason.clone(), ran.error()), (StopReason::Aborted, "Request was aborted"));
    assert_eq!((ran.message.text().as_str(), ran.diagnostics()), ("par", Value::Null));
    assert_eq!(program.server.end_of(0).await, "gone");

    let mut dropped = program.stream(Context::prompt("hi"), options(Transport::Auto));
    read_until(&mut dropped, "text_delta").await;
    drop(dropped);
    assert_eq!(program.server.end_of(1).await, "gone");

    let early = options(Transport::Auto);
    let mut stream = program.stream(Context::prompt("hi"), early.clone());
    tokio::select! {
        _ = next(&mut stream) => panic!("no event yet"),
        _ = program.server.saw(|log| log.sockets.get(2).is_some_and(|seen| !seen.requests.is_empty())) => {}
    }
    early.cancel.cancel();
    assert_eq!(run(stream).await.kinds, ["error"]);
    assert_eq!(program.server.end_of(2).await, "gone");

    program.ask(options(Transport::Auto)).await.assert_says("Hello");
    assert_eq!((program.server.log().posts.len(), program.stats().sse_fallbacks), (0, 0));
}

#[tokio::test]
async fn the_proxy_of_other_requests_is_used() {
    let program = Program::start([Script::Serve(vec![answer("r1", "by proxy")])]).await;
    let proxy = program.server.url();
    let http = ReqwestTransport::new(&|name| (name == "http_proxy").then(|| proxy.clone()));
    let options = StreamOptions { http: Some(Arc::new(http)), ..options(Transport::Websocket) };
    let stream =
        pi_ai::Api::stream(&program.api, model("http://codex.invalid/backend-api"), Context::prompt("hi"), options);
    let ran = run(stream).await;
    ran.assert_says("by proxy");
    assert_eq!(ran.diagnostics(), Value::Null);
    assert_eq!(program.server.log().sockets[0].headers["host"], "codex.invalid");
}
