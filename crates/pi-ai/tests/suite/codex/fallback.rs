//! WebSockets that fail: before the first event the call goes on over server-sent events, later it fails; either way the
//! session is done with WebSockets.

use std::sync::Arc;
use std::time::Duration;

use pi_ai::{StopReason, StreamOptions, Transport};
use serde_json::{Value, json};

use crate::codex::server::{Act, Script, interrupted};
use crate::codex::{Program, Ran, model, options, run};

/// The entry about a failure of these words.
fn diagnostic(message: &str, code: Option<u16>, configured: &str, started: bool, bytes: usize) -> Value {
    let mut error = json!({"name": "Error", "message": message});
    if let Some(code) = code {
        error["code"] = code.into();
    }
    let mut details = json!({"configuredTransport": configured});
    if !started {
        details["fallbackTransport"] = "sse".into();
    }
    details["eventsEmitted"] = started.into();
    let phase = if started { "after_message_stream_start" } else { "before_message_stream_start" };
    details["phase"] = phase.into();
    details["requestBytes"] = bytes.into();
    json!([{"type": "provider_transport_failure", "error": error, "details": details}])
}

/// The length of the body that was sent.
fn bytes(ran: &Ran) -> usize {
    ran.diagnostics()[0]["details"]["requestBytes"].as_u64().unwrap() as usize
}

#[tokio::test]
async fn before_the_first_event() {
    let short = |transport| StreamOptions {
        timeout: Duration::from_millis(400),
        websocket_connect_timeout: Duration::from_millis(300),
        ..options(transport)
    };
    for (script, transport, configured, message, code) in [
        (
            Script::Refuse(403),
            Some(Transport::Auto),
            "auto",
            "WebSocket error: 127.0.0.1:PORT: the server answered 403 Forbidden instead of switching protocols",
            None,
        ),
        (Script::Mute, None, "auto", "WebSocket connect timeout after 300ms", None),
        (
            Script::Serve(vec![vec![Act::AwaitClose]]),
            Some(Transport::Websocket),
            "websocket",
            "WebSocket idle timeout after 400ms",
            None,
        ),
        (
            Script::Serve(vec![vec![Act::Close(1008, "policy")]]),
            Some(Transport::WebsocketCached),
            "websocket-cached",
            "WebSocket closed 1008 policy",
            Some(1008),
        ),
        (Script::Serve(vec![vec![Act::Cut]]), None, "auto", "WebSocket closed 1006", Some(1006)),
    ] {
        let program = Program::start([script]).await;
        let ran = program.ask(short(transport)).await;
        ran.assert_says("by events");
        let port = program.server.url().rsplit(':').next().unwrap().to_owned();
        let log = program.server.log();
        assert_eq!(log.posts.len(), 1);
        let expected = diagnostic(&message.replace("PORT", &port), code, configured, false, bytes(&ran));
        assert_eq!(ran.diagnostics(), expected);
        assert_eq!(bytes(&ran), log.posts[0].body.to_string().len());
        assert!(log.posts[0].head.contains("openai-beta: responses=experimental"));

        let again = program.ask(short(transport)).await;
        again.assert_says("by events");
        assert_eq!(again.diagnostics(), Value::Null, "{message}: nothing failed this time");
        let stats = program.stats();
        assert_eq!((stats.websocket_failures, stats.sse_fallbacks), (1, 2), "{message}");
        assert_eq!(program.server.log().posts.len(), 2);
    }
}

#[tokio::test]
async fn other_sessions_and_calls_without_a_session_are_not_concerned() {
    let answer = || Script::Serve(vec![crate::codex::server::answer("r1", "Hello")]);
    let program = Program::start([Script::Refuse(500), answer(), Script::Refuse(500), answer()]).await;
    program.ask(options(None)).await.assert_says("by events");
    program.ask(StreamOptions { session_id: Some("t".into()), ..options(None) }).await.assert_says("Hello");
    let no_session = || StreamOptions { session_id: None, ..options(None) };
    let ran = program.ask(no_session()).await;
    assert_eq!(ran.diagnostics()[0]["type"], "provider_transport_failure");
    program.ask(no_session()).await.assert_says("Hello");
}

#[tokio::test]
async fn after_the_first_event() {
    for (act, message, code) in [
        (Act::Close(1011, "internal"), "WebSocket closed 1011 internal", Some(1011)),
        (Act::Close(1009, ""), "WebSocket closed 1009 message too big", Some(1009)),
        (Act::Cut, "WebSocket closed 1006", Some(1006)),
    ] {
        let program = Program::start([Script::Serve(vec![interrupted("par", act)])]).await;
        let ran = program.ask(options(Transport::Auto)).await;
        assert_eq!((ran.message.stop_reason.clone(), ran.error()), (StopReason::Error, message));
        assert_eq!(ran.kinds, ["start", "text_start", "text_delta", "error"]);
        assert_eq!(ran.message.text(), "par");
        assert_eq!(ran.diagnostics(), diagnostic(message, code, "auto", true, bytes(&ran)));
        assert!(ran.cause.as_ref().unwrap().is_retryable());
        program.ask(options(Transport::Auto)).await.assert_says("by events");
        let stats = program.stats();
        assert_eq!((stats.requests, stats.websocket_failures, stats.sse_fallbacks), (1, 1, 1));
    }
}

#[tokio::test]
async fn silence_after_the_first_event() {
    let program = Program::start([Script::Serve(vec![interrupted("par", Act::AwaitClose)])]).await;
    let stall_timeout = Some(Duration::from_millis(300));
    let ran = program.ask(StreamOptions { stall_timeout, ..options(None) }).await;
    assert!(ran.error().starts_with("Stream timed out"), "{}", ran.error());
    assert_eq!(ran.diagnostics(), diagnostic(ran.error(), None, "auto", true, bytes(&ran)));
    assert_eq!(program.server.end_of(0).await, "gone");
    program.ask(options(None)).await.assert_says("by events");
}

#[tokio::test]
async fn where_nothing_listens_both_ways_fail_and_the_message_tells_of_the_first() {
    let api = pi_ai::OpenAiCodexResponses::new();
    // Port 9 is the discard service, which nobody runs.
    let stream = pi_ai::Api::stream(&api, model("http://127.0.0.1:9"), pi_ai::Context::prompt("hi"), options(None));
    let ran = run(stream).await;
    assert_eq!(ran.kinds, ["error"]);
    assert!(ran.error().starts_with("Connection error. 127.0.0.1:9: "), "{}", ran.error());
    let first = ran.diagnostics()[0]["error"]["message"].as_str().unwrap().to_owned();
    assert!(first.starts_with("WebSocket error: 127.0.0.1:9: ") && first.contains("refused"), "{first}");
}

/// An error status after a fallback: retried over server-sent events only.
#[tokio::test]
async fn retries_do_not_try_the_websocket_again() {
    let program = Program::start([Script::Refuse(500)]).await;
    program.server.reply(503, "busy");
    let options = StreamOptions { session_id: None, max_retries: 1, random: Arc::new(NoDelay), ..options(None) };
    let ran = program.ask(options).await;
    ran.assert_says("by events");
    assert_eq!((ran.message.diagnostics.as_ref().map(Vec::len), program.server.log().posts.len()), (Some(1), 2));
}

/// Chance that shortens a delay as far as it goes.
#[derive(Debug)]
struct NoDelay;

impl pi_ai::Random for NoDelay {
    fn next_u64(&self) -> u64 {
        u64::MAX
    }
}

/// Whatever answers a handshake must prove that it understood it.
#[tokio::test]
async fn an_upgrade_that_is_no_websocket() {
    let transport = OtherProtocol(pi_ai::transport::ReqwestTransport::shared());
    let program = Program::start([]).await;
    let ran = program.ask(StreamOptions { http: Some(Arc::new(transport)), ..options(None) }).await;
    ran.assert_says("by events");
    let message = "WebSocket error: the server switched protocols, but not to this WebSocket";
    assert_eq!(ran.diagnostics()[0]["error"]["message"], message);
}

/// Upgrades to a connection that says nothing.
#[derive(Debug)]
struct OtherProtocol(Arc<dyn pi_ai::transport::HttpTransport>);

impl pi_ai::transport::HttpTransport for OtherProtocol {
    fn send(
        &self,
        request: pi_ai::transport::HttpRequest,
    ) -> futures::future::BoxFuture<'_, Result<pi_ai::transport::HttpResponse, pi_ai::Error>> {
        self.0.send(request)
    }

    fn upgrade(
        &self,
        _: pi_ai::transport::HttpRequest,
    ) -> Option<futures::future::BoxFuture<'_, Result<pi_ai::transport::Upgraded, pi_ai::Error>>> {
        let headers = [("sec-websocket-accept", "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")];
        let headers = headers.into_iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()));
        let upgraded = pi_ai::transport::Upgraded { headers: headers.collect(), io: Box::new(tokio::io::empty()) };
        Some(Box::pin(async { Ok(upgraded) }))
    }
}
