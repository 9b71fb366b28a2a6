//! Whatever goes wrong is the end of a message, with everything that arrived before.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures::future::BoxFuture;
use futures::{FutureExt, StreamExt};
use http::{HeaderMap, Response};
use pi_ai::transport::{HttpRequest, HttpResponse, HttpTransport};
use pi_ai::{Error, StreamOptions};

use crate::proxy::client::read;
use crate::proxy::support::{Memory, Server, call, client, options, pieces, run};

const OPENED: &str = concat!(
    "data: {\"type\":\"start\"}\n\n",
    "data: {\"type\":\"text_start\",\"contentIndex\":0}\n\n",
    "data: {\"type\":\"text_delta\",\"contentIndex\":0,\"delta\":\"so far\"}\n\n",
);

#[tokio::test]
async fn refusals() {
    let cases = [
        (401, "application/json", r#"{"error":"Unknown token"}"#, "Proxy error: Unknown token"),
        (401, "text/plain", "go away", "Proxy error: 401 Unauthorized"),
        (400, "application/json", r#"{"error":{"message":"bad client-token-1"}}"#, "Proxy error: bad REDACTED"),
        (503, "application/json", r#"{"error":""}"#, "Proxy error: 503 Service Unavailable"),
        (500, "application/json", r#"["error"]"#, "Proxy error: 500 Internal Server Error"),
        (599, "text/html", "", "Proxy error: 599"),
    ];
    for (status, content_type, body, expected) in cases {
        let ran = Server::answering(status, content_type, body).await.call().await;
        assert_eq!((ran.error(), ran.kinds().as_str()), (expected, "error"));
        assert_eq!(ran.message.stop_reason.as_str(), "error");
    }
}

#[tokio::test]
async fn events_that_fit_no_block() {
    let event = |kind: &str, fields: &str| format!("data: {{\"type\":\"{kind}\",\"contentIndex\":0{fields}}}\n");
    let delta = ",\"delta\":\"x\"";
    let cases = [
        ("thinking_start", "text_delta", delta, "Received text_delta for non-text content"),
        ("thinking_start", "text_end", "", "Received text_end for non-text content"),
        ("text_start", "thinking_delta", delta, "Received thinking_delta for non-thinking content"),
        ("text_start", "thinking_end", "", "Received thinking_end for non-thinking content"),
        ("text_start", "toolcall_delta", delta, "Received toolcall_delta for non-toolCall content"),
        ("unheard_of", "text_delta", delta, "Received text_delta for non-text content"),
    ];
    for (opening, kind, fields, expected) in cases {
        let ran = read(&format!("{}{}", event(opening, ""), event(kind, fields))).await;
        assert_eq!((ran.error(), ran.message.stop_reason.as_str()), (expected, "error"));
    }
    // The end of a call that was never opened ends nothing.
    let done = "data: {\"type\":\"done\",\"reason\":\"stop\"}\n";
    assert_eq!(read(&format!("{}{done}", event("toolcall_end", ""))).await.kinds(), "done");
}

#[tokio::test]
async fn malformed_events() {
    for line in [
        "data: {\"type\":",
        "data: []",
        "data: {\"type\":\"text_delta\",\"contentIndex\":0}",
        "data: {\"type\":\"text_start\",\"contentIndex\":-1}",
        "data: {}",
    ] {
        let ran = read(&format!("{OPENED}{line}\n")).await;
        assert!(ran.error().starts_with("The proxy sent an event that cannot be read: "), "{line}: {}", ran.error());
        assert_eq!(
            (ran.message.text().as_str(), ran.kinds().as_str()),
            ("so far", "start text_start text_delta error")
        );
    }
}

#[tokio::test]
async fn a_stream_without_an_end() {
    for end in ["", "data: {\"type\":\"do"] {
        let ran = read(&format!("{OPENED}{end}")).await;
        assert_eq!(ran.error(), "The stream of the proxy ended before the message was complete");
        assert_eq!(ran.message.text(), "so far");
    }
}

#[tokio::test]
async fn a_page_instead_of_events() {
    let ran = Server::answering(200, "text/html", "<html>Log in</html>").await.call().await;
    insta::assert_snapshot!(ran.error(), @"The proxy answered without a single event (content type: text/html). Check the URL of the proxy.");
}

#[tokio::test]
async fn a_connection_that_breaks() {
    let server = Server::start(|_, _, _| {
        // The pause lets the first piece out; a broken body would take it along.
        let body = futures::stream::iter([Ok(Bytes::from(OPENED))]).chain(futures::stream::once(async {
            tokio::time::sleep(Duration::from_millis(50)).await;
            Err(io::Error::other("on purpose"))
        }));
        std::future::ready(Response::new(pieces(body)))
    })
    .await;
    let ran = server.call().await;
    assert!(ran.error().starts_with("Connection lost while reading the response: "), "{}", ran.error());
    assert_eq!(ran.message.text(), "so far");
}

#[tokio::test]
async fn nobody_there() {
    let server = Server::answering(200, "text/plain", "").await;
    let url = server.url();
    drop(server);
    let stream = client(&url, "token\nwith a line", Arc::new(Memory(Vec::new())));
    let ran = run(call(&stream, &pi_ai::scripted::model("m").into(), options()).await).await;
    insta::assert_snapshot!(ran.error(), @r#"Invalid request header "Authorization": the token of the proxy holds a character that a header cannot carry"#);
    let http = Arc::new(pi_ai::transport::ReqwestTransport::new(&|_| None));
    let ran = run(call(&client(&url, "token", http), &pi_ai::scripted::model("m").into(), options()).await).await;
    assert!(ran.error().starts_with("Connection error. 127.0.0.1:"), "{}", ran.error());
}

/// Accepts the request, or not even that, and says nothing but pings.
#[derive(Debug)]
struct Silent {
    accepts: bool,
}

impl HttpTransport for Silent {
    fn send(&self, _: HttpRequest) -> BoxFuture<'_, Result<HttpResponse, Error>> {
        if !self.accepts {
            return std::future::pending().boxed();
        }
        let ping = |()| async {
            tokio::time::sleep(Duration::from_secs(10)).await;
            Some((Ok(Bytes::from_static(b": ping\n\n")), ()))
        };
        let body = futures::stream::iter([Ok(Bytes::from(OPENED))]).chain(futures::stream::unfold((), ping)).boxed();
        std::future::ready(Ok(HttpResponse { status: 200, headers: HeaderMap::new(), body })).boxed()
    }
}

#[tokio::test(start_paused = true)]
async fn silence_has_an_end() {
    let limits = StreamOptions { timeout: Duration::from_secs(30), ..options() };
    let cases = [
        (false, "Request timed out. No response headers within 30 s."),
        (true, "Stream timed out: no data from the model for 300 s."),
    ];
    for (accepts, expected) in cases {
        let stream = client("http://nowhere", "t", Arc::new(Silent { accepts }));
        let ran = run(call(&stream, &pi_ai::scripted::model("m").into(), limits.clone()).await).await;
        assert!(ran.error().starts_with(expected), "{}", ran.error());
        assert_eq!(ran.message.text(), if accepts { "so far" } else { "" });
    }
}

/// Platforms without a clock have no timers either: without limits nothing asks for them. This runtime has none.
#[test]
fn without_limits_no_clock_is_needed() {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let unlimited = StreamOptions { timeout: Duration::MAX, stall_timeout: None, ..options() };
    let ran = runtime.block_on(async {
        let body = vec![format!("{OPENED}data: {{\"type\":\"done\",\"reason\":\"stop\"}}\n").into()];
        let stream = client("http://nowhere", "t", Arc::new(Memory(body)));
        run(call(&stream, &pi_ai::scripted::model("m").into(), unlimited).await).await
    });
    assert_eq!((ran.error(), ran.message.text().as_str()), ("", "so far"));
}
