//! Tests of the driver over real loopback TCP, with the smallest wire format.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;

use futures::FutureExt;
use futures::stream::StreamExt;
use serde_json::json;
use tokio::time::Instant;

use super::*;
use crate::error::AnswerError;
use crate::message::StopReason;
use crate::options::{PayloadHook, ResponseHook};
use crate::testing::{Ran, Reply, Server, TinyFormat, run, tiny_model};

const HELLO: &str = "data: {\"text\":\"Grüß \"}\n\ndata: {\"text\":\"Gott\"}\r\n\r\n: note\n\ndata: {\"end\":true}\n\n";
const ANSWER: [&str; 6] = ["start", "text_start", "text_delta", "text_delta", "text_end", "done"];

fn options() -> StreamOptions {
    StreamOptions { api_key: Some("k3y".into()), ..StreamOptions::default() }
}

fn call(url: &str, options: StreamOptions) -> AssistantMessageStream {
    drive(Arc::new(TinyFormat::default()), tiny_model(url), Context::prompt("hi"), options)
}

async fn ran(replies: impl IntoIterator<Item = Reply>, options: StreamOptions) -> (Ran, Server) {
    let server = Server::start(replies).await;
    (run(call(&server.url(), options)).await, server)
}

#[tokio::test]
async fn an_answer_whatever_the_pieces() {
    for size in [1, 7, 61, 10_000] {
        let reply = HELLO.as_bytes().chunks(size).fold(Reply::stream(), Reply::chunk).end();
        let (ran, _server) = ran([reply], options()).await;
        assert_eq!(ran.kinds, ANSWER, "pieces of {size}");
        assert_eq!(ran.message.text(), "Grüß Gott");
        assert_eq!(ran.message.stop_reason, StopReason::Stop);
    }
}

#[tokio::test]
async fn headers_and_body_of_the_request() {
    let headers = [("X-Format", "mine"), ("ACCEPT", " text/event-stream\n"), ("x-own", "1")];
    let headers = headers.into_iter().map(|(n, v)| (n.to_owned(), v.to_owned())).collect();
    let (_, server) = ran([Reply::events(HELLO)], StreamOptions { headers, ..options() }).await;
    let request = &server.requests()[0];
    assert!(request.head.starts_with("POST /chat HTTP/1.1\r\n"), "{}", request.head);
    for (name, value) in [
        ("authorization", "Bearer k3y"),
        ("x-format", "mine"),
        ("accept", "text/event-stream"),
        ("x-own", "1"),
        ("content-type", "application/json"),
        ("user-agent", concat!("pi/", env!("CARGO_PKG_VERSION"))),
    ] {
        assert_eq!(request.header(name), Some(value), "{name}");
        assert_eq!(request.head.to_lowercase().matches(&format!("\n{name}:")).count(), 1, "{name}");
    }
    assert!(request.body.starts_with("{\"model\":\"tiny-1\",\"messages\":[{"), "{}", request.body);
}

#[tokio::test]
async fn what_fails_before_the_response_is_accepted_has_no_start() {
    let bad_header = |name: &str, value: &str| StreamOptions {
        headers: BTreeMap::from([(name.to_owned(), value.to_owned())]),
        ..options()
    };
    let cancelled = options();
    cancelled.cancel.cancel();
    let failing = |_, _| async { Err("not like this".to_owned()) };
    let cases = [
        (StreamOptions { api_key: Some(" ".into()), ..options() }, "No API key for provider: tiny-co"),
        (bad_header("x y", "1"), "Invalid request header \"x y\": the name has an illegal character"),
        (bad_header("x", "s3cret\nx: y"), "Invalid request header \"x\": the value has an illegal character"),
        (
            StreamOptions { on_payload: Some(PayloadHook::new(failing)), ..options() },
            "on_payload hook failed: not like this",
        ),
        (cancelled, "Request was aborted"),
    ];
    for (options, text) in cases {
        let aborted = options.cancel.is_cancelled();
        let (ran, server) = ran([], options).await;
        assert_eq!(ran.kinds, ["error"]);
        assert_eq!(ran.error(), text);
        assert_eq!(ran.message.stop_reason, if aborted { StopReason::Aborted } else { StopReason::Error });
        assert_eq!(server.connections(), 0);
    }
    for url in ["", "localhost:1234", "http://", "ftp://x"] {
        let ran = run(call(url, options())).await;
        assert!(ran.error().starts_with("Invalid base URL"), "{}", ran.error());
    }
}

#[tokio::test]
async fn a_format_with_ambient_credentials_needs_no_key() {
    let server = Server::start([Reply::events(HELLO)]).await;
    let format = Arc::new(TinyFormat { needs_no_key: true });
    let ran = run(drive(format, tiny_model(&server.url()), Context::default(), StreamOptions::default())).await;
    assert_eq!(ran.kinds, ANSWER);
}

#[tokio::test]
async fn the_hooks_see_and_replace() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let on_payload = {
        let seen = Arc::clone(&seen);
        PayloadHook::new(move |payload, model: Arc<Model>| {
            seen.lock().unwrap().push(format!("{} {}", payload["model"], model.id));
            async { Ok(Some(json!({ "replaced": true }))) }
        })
    };
    let on_response = {
        let seen = Arc::clone(&seen);
        ResponseHook(Arc::new(move |response, _| {
            seen.lock().unwrap().push(format!("{} {}", response.status, response.headers["x-id"]));
            async { Ok(()) }.boxed()
        }))
    };
    let options = StreamOptions { on_payload: Some(on_payload), on_response: Some(on_response), ..options() };
    let (ran, server) = ran([Reply::events(HELLO)], options).await;
    assert_eq!(ran.kinds, ANSWER);
    assert_eq!(server.requests()[0].body, "{\"replaced\":true}");
    assert_eq!(*seen.lock().unwrap(), ["\"tiny-1\" tiny-1", "200 7"]);
}

#[tokio::test]
async fn a_response_hook_is_not_called_for_errors_and_may_fail() {
    let failing = || ResponseHook(Arc::new(|_, _| async { Err("no".to_owned()) }.boxed()));
    let with_hook = || StreamOptions { on_response: Some(failing()), ..options() };
    let (error, _server) = ran([Reply::plain(404, "", "gone")], with_hook()).await;
    assert_eq!(error.error(), "404 gone");
    let (refused, _server) = ran([Reply::events(HELLO)], with_hook()).await;
    assert_eq!((refused.kinds.as_slice(), refused.error()), (&["error"][..], "on_response hook failed: no"));
}

#[tokio::test]
async fn error_statuses_are_worded_by_the_format() {
    let (ran, server) = ran([Reply::plain(429, "retry-after: 7\r\n", "slow down")], options()).await;
    assert_eq!(ran.kinds, ["error"]);
    assert_eq!(ran.error(), "429 slow down");
    let Some(Error::Answer(AnswerError::Http { status: 429, retry_after, .. })) = ran.cause else {
        panic!("{:?}", ran.cause)
    };
    assert_eq!(retry_after, Some(Duration::from_secs(7)));
    assert_eq!(server.requests().len(), 1, "no retries by default");
}

#[tokio::test]
async fn error_bodies_are_bounded() {
    let (ran, _server) = ran([Reply::plain(500, "", &"x".repeat(1_000_000))], options()).await;
    assert_eq!(ran.error().len(), "500 ".len() + 64 * 1024);
}

#[tokio::test]
async fn retries_wait_as_long_as_the_server_asks_at_most_as_long_as_allowed() {
    let replies = [
        Reply::plain(503, "retry-after-ms: 1\r\n", "busy"),
        Reply::silent().cut(),
        Reply::plain(400, "x-should-retry: true\r\nretry-after: 100000\r\n", "again"),
        Reply::events(HELLO),
    ];
    let options = StreamOptions { max_retries: 3, max_retry_delay: Duration::from_millis(2), ..options() };
    let (ran, server) = ran(replies, options).await;
    assert_eq!(ran.kinds, ANSWER);
    let requests = server.requests();
    assert_eq!(requests.len(), 4);
    assert!(requests.iter().all(|request| request.body == requests[0].body));
}

#[tokio::test]
async fn retries_end() {
    let busy = || Reply::plain(529, "retry-after-ms: 0\r\n", "busy");
    let (ran, server) = ran([busy(), busy(), busy()], StreamOptions { max_retries: 1, ..options() }).await;
    assert_eq!((ran.error(), server.requests().len()), ("529 busy", 2));
}

#[tokio::test]
async fn a_hook_that_will_not_look_is_not_called() {
    let wanted = Arc::new(Mutex::new(false));
    let on_payload = {
        let wanted = Arc::clone(&wanted);
        let hook = PayloadHook::new(|_, _| async { Ok(Some(json!({ "replaced": true }))) });
        hook.only_when(move || *wanted.lock().unwrap())
    };
    let options = StreamOptions { on_payload: Some(on_payload), ..options() };
    for is_wanted in [false, true] {
        *wanted.lock().unwrap() = is_wanted;
        let (_, server) = ran([Reply::events(HELLO)], options.clone()).await;
        assert_eq!(server.requests()[0].body.contains("replaced"), is_wanted);
    }
}

#[tokio::test]
async fn slow_headers_time_out() {
    // The first request of a process also makes the client, which may take longer than the limit here.
    let (warm, _server) = ran([Reply::events(HELLO)], options()).await;
    assert_eq!(warm.kinds, ANSWER);
    let options = StreamOptions { timeout: Duration::from_millis(300), ..options() };
    let (ran, server) = ran([Reply::silent().await_close()], options).await;
    assert_eq!(ran.kinds, ["error"]);
    assert_eq!(ran.error(), "Request timed out. No response headers within 0.3 s.");
    server.client_closed().await;
}

#[tokio::test]
async fn pings_do_not_feed_the_watchdog() {
    let ping = b": ping\n\ndata: {\"ping\":true}\n\n";
    let reply = Reply::stream().chunk(b"data: {\"text\":\"par\"}\n\n");
    let reply = (0..100).fold(reply, |reply, _| reply.chunk(ping).sleep(20)).chunk(HELLO.as_bytes()).end();
    let options = StreamOptions { stall_timeout: Some(Duration::from_millis(200)), ..options() };
    let (ran, _server) = ran([reply], options).await;
    assert_eq!(ran.kinds, ["start", "text_start", "text_delta", "error"]);
    assert!(ran.error().starts_with("Stream timed out"), "{}", ran.error());
    assert_eq!(ran.message.text(), "par");
}

/// The consumer takes longer than the stall limit for one event: that is not the server's silence.
#[tokio::test]
async fn a_slow_consumer_is_not_a_stalled_server() {
    let reply = Reply::stream().chunk(b"data: {\"text\":\"a\"}\n\n").sleep(400).chunk(b": ping\n\n");
    let reply = reply.chunk(b"data: {\"text\":\"b\"}\n\ndata: {\"end\":true}\n\n").end();
    let server = Server::start([reply]).await;
    let options = StreamOptions { stall_timeout: Some(Duration::from_millis(300)), ..options() };
    let mut stream = call(&server.url(), options);
    while let Some(event) = stream.next().await {
        if event.kind() == "text_delta" {
            tokio::time::sleep(Duration::from_millis(450)).await;
        }
    }
    let message = stream.final_message().unwrap();
    assert_eq!((message.text().as_str(), &message.error_message), ("ab", &None));
}

#[tokio::test]
async fn a_cut_connection_keeps_what_arrived() {
    let reply = Reply::stream().chunk(b"data: {\"text\":\"par\"}\n\ndata: {\"te").cut();
    let (ran, _server) = ran([reply], options()).await;
    assert_eq!(ran.kinds, ["start", "text_start", "text_delta", "error"]);
    assert!(ran.error().starts_with("Connection lost while reading the response:"), "{}", ran.error());
    assert_eq!(ran.message.text(), "par");
}

#[tokio::test]
async fn a_body_that_ends_early_is_incomplete() {
    let (ran, _server) = ran([Reply::events("data: {\"text\":\"par\"}\n\n")], options()).await;
    assert_eq!((ran.kinds.last(), ran.error()), (Some(&"error"), "Stream ended before end"));
}

#[tokio::test]
async fn an_error_in_the_stream_comes_after_the_events_before_it() {
    let body = "data: {\"text\":\"par\"}\n\ndata: {\"error\":\"overloaded\"}\n\n";
    let (ran, _server) = ran([Reply::events(body)], options()).await;
    assert_eq!(ran.kinds, ["start", "text_start", "text_delta", "error"]);
    assert_eq!(ran.error(), "overloaded");
}

#[tokio::test]
async fn a_finished_answer_does_not_wait_for_the_end_of_the_body() {
    let (ran, server) = ran([Reply::stream().chunk(HELLO.as_bytes()).await_close()], options()).await;
    assert_eq!(ran.kinds, ANSWER);
    server.client_closed().await;
}

#[tokio::test]
async fn bodies_that_are_no_stream_say_what_they_are() {
    for (body, expected) in
        [("{\"error\":{\"message\":\"no credit\"}}", "no credit"), ("<!doctype html><title>Log in</title>", "Log in")]
    {
        let (ran, _server) = ran([Reply::plain(200, "content-type: text/html\r\n", body)], options()).await;
        assert_eq!(ran.kinds, ["start", "error"]);
        assert!(ran.error().starts_with("The server did not send an event stream: 200 "), "{}", ran.error());
        assert!(ran.error().contains(expected), "{}", ran.error());
    }
    let (other, _server) = ran([Reply::plain(200, "", "{\"hello\":\"world\"}")], options()).await;
    assert_eq!(other.error(), "Stream ended before end", "left to the format");
}

/// Cancels once `ready` says so; the server must see the connection close.
async fn cancelled_when(reply: Reply, ready: impl AsyncFnOnce(&Server, &mut AssistantMessageStream)) -> Ran {
    let server = Server::start([reply]).await;
    let options = StreamOptions { max_retries: 5, ..options() };
    let cancel = options.cancel.clone();
    let mut stream = call(&server.url(), options);
    ready(&server, &mut stream).await;
    cancel.cancel();
    let ran = tokio::time::timeout(Duration::from_secs(10), run(stream)).await.expect("cancellation is prompt");
    assert_eq!((ran.message.stop_reason.as_str(), ran.error()), ("aborted", "Request was aborted"));
    ran
}

#[tokio::test]
async fn cancel_while_waiting_for_headers() {
    let ran = cancelled_when(Reply::silent().await_close(), async |server, stream| {
        tokio::select! { _ = stream.next() => panic!("no event yet"), () = server.received(1) => {} }
    });
    assert_eq!(ran.await.kinds, ["error"]);
}

#[tokio::test]
async fn cancel_during_a_retry_delay() {
    let busy = Reply::plain(503, "retry-after: 50\r\n", "");
    let start = Instant::now();
    let ran = cancelled_when(busy, async |server, stream| {
        tokio::select! { _ = stream.next() => panic!("no event yet"), () = server.received(1) => {} }
        assert!(tokio::time::timeout(Duration::from_millis(50), stream.next()).await.is_err());
    });
    assert_eq!(ran.await.kinds, ["error"]);
    assert!(start.elapsed() < Duration::from_secs(40));
}

#[tokio::test]
async fn cancel_while_reading_an_error_body() {
    let reply = Reply::plain(400, "content-length: 100\r\n", "").await_close();
    let ran = cancelled_when(reply, async |server, stream| {
        tokio::select! { _ = stream.next() => panic!("no event yet"), () = server.received(1) => {} }
    });
    assert_eq!(ran.await.kinds, ["error"]);
}

#[tokio::test]
async fn cancel_in_the_stream() {
    let reply = Reply::stream().chunk(b"data: {\"text\":\"par\"}\n\n").await_close();
    let ran =
        cancelled_when(reply, async |_, stream| while stream.next().await.expect("a delta").kind() != "text_delta" {});
    let ran = ran.await;
    assert_eq!((ran.kinds.as_slice(), ran.message.text().as_str()), (&["error"][..], "par"));
}

/// Frames that have arrived but were not looked at do not count after cancellation.
#[tokio::test]
async fn cancel_between_two_frames_of_one_chunk() {
    let ran =
        cancelled_when(
            Reply::events(HELLO),
            async |_, stream| {
                while stream.next().await.expect("a delta").kind() != "text_delta" {}
            },
        );
    assert_eq!(ran.await.message.text(), "Grüß ");
}

#[tokio::test]
async fn cancel_in_a_hook() {
    let pending = PayloadHook::new(|_, _| std::future::pending());
    let options = StreamOptions { on_payload: Some(pending), ..options() };
    let cancel = options.cancel.clone();
    let stream = call("http://127.0.0.1:9", options);
    let (ran, ()) = tokio::join!(run(stream), async { cancel.cancel() });
    assert_eq!(ran.error(), "Request was aborted");
}

#[tokio::test]
async fn dropping_the_stream_closes_the_connection() {
    let waits: [(Reply, usize); 2] =
        [(Reply::silent().await_close(), 0), (Reply::stream().chunk(b"data: {\"text\":\"par\"}\n\n").await_close(), 3)];
    for (reply, events) in waits {
        let server = Server::start([reply]).await;
        let mut stream = call(&server.url(), options());
        for _ in 0..events {
            stream.next().await.unwrap();
        }
        tokio::select! { _ = stream.next() => panic!("no further event"), () = server.received(1) => {} }
        drop(stream);
        tokio::time::timeout(Duration::from_secs(10), server.client_closed()).await.expect("the connection closes");
    }
}

#[tokio::test]
async fn nothing_happens_before_the_first_poll() {
    let server = Server::start([]).await;
    let stream = call(&server.url(), options());
    tokio::time::sleep(Duration::from_millis(20)).await;
    drop(stream);
    assert_eq!(server.connections(), 0);
}

#[tokio::test]
async fn connection_failures_name_host_and_cause() {
    // Port 9 is the discard service, which nobody runs.
    let ran = run(call("http://user:pa55word@127.0.0.1:9/v1?key=s3cret", options())).await;
    assert_eq!(ran.kinds, ["error"]);
    assert!(ran.error().starts_with("Connection error. 127.0.0.1:9: "), "{}", ran.error());
    assert!(ran.error().to_lowercase().contains("refused"), "{}", ran.error());
    assert!(!ran.error().contains("pa55word") && !ran.error().contains("s3cret"), "{}", ran.error());
}
