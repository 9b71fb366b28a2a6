//! Tests of recording and replaying: real traffic over loopback in, the same events out.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use futures::stream::StreamExt;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::time::Instant;

use super::*;
use crate::api::driver::drive;
use crate::context::Context;
use crate::error::Error;
use crate::model::Model;
use crate::options::StreamOptions;
use crate::stream::AssistantMessageStream;
use crate::testing::{Ran, Reply, Server, TinyFormat, run, tiny_model};
use crate::transport::{HttpTransport, ReqwestTransport};

#[path = "exact_tests.rs"]
mod exact;

const HELLO: &str = "data: {\"text\":\"Grüß \"}\n\ndata: {\"text\":\"Gott\"}\n\ndata: {\"end\":true}\n\n";

/// Built at run time: no file of the repository holds the shape of a key.
fn secret() -> String {
    format!("sk-{}", "Ab3dEf6hIj9lMn2pQr5t")
}

fn call(http: &Arc<dyn HttpTransport>, model: &Arc<Model>, prompt: &str) -> AssistantMessageStream {
    let options = StreamOptions { api_key: Some(secret()), http: Some(Arc::clone(http)), ..StreamOptions::default() };
    drive(Arc::new(TinyFormat::default()), Arc::clone(model), Context::prompt(prompt), options)
}

fn direct() -> Arc<dyn HttpTransport> {
    Arc::new(ReqwestTransport::new(&|_| None))
}

struct Studio {
    directory: TempDir,
}

impl Studio {
    fn new() -> Self {
        Self { directory: tempfile::tempdir().unwrap() }
    }

    fn path(&self) -> PathBuf {
        self.directory.path().join("tape.jsonl")
    }

    fn recorder(&self) -> Arc<dyn HttpTransport> {
        Arc::new(Recorder::open(&self.path(), direct()).unwrap())
    }

    fn replayer(&self) -> Arc<dyn HttpTransport> {
        Arc::new(Replayer::open(&self.path()).unwrap())
    }

    fn lines(&self) -> Vec<Value> {
        let text = std::fs::read_to_string(self.path()).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

fn shown(ran: &Ran) -> String {
    format!("{:?} {:?} {} {}", ran.kinds, ran.message.content, ran.message.stop_reason.as_str(), ran.error())
}

#[tokio::test]
async fn what_was_recorded_is_replayed_event_by_event() {
    let studio = Studio::new();
    let split = HELLO.as_bytes().chunks(7).fold(Reply::stream(), |reply, piece| reply.chunk(piece).sleep(1)).end();
    let replies = [
        split,
        Reply::plain(503, "retry-after: 1\r\n", "busy"),
        Reply::stream().chunk(b"data: {\"text\":\"par\"}\n\n").cut(),
        Reply::silent().cut(),
        Reply::plain(200, "", "<html>"),
    ];
    let server = Server::start(replies).await;
    let model = tiny_model(&server.url());
    let recorder = studio.recorder();
    let mut recorded = Vec::new();
    for prompt in ["a", "b", "c", "d", "e"] {
        recorded.push(shown(&run(call(&recorder, &model, prompt)).await));
    }
    drop(server);
    let replayer = studio.replayer();
    for (prompt, recorded) in ["another", "prompt", "does", "not", "matter"].into_iter().zip(&recorded) {
        assert_eq!(shown(&run(call(&replayer, &model, prompt)).await), *recorded);
    }
    assert!(recorded[0].contains("Grüß Gott") && recorded[2].contains("par"), "{recorded:?}");
    let ends: Vec<String> = studio.lines().iter().map(|line| line["end"].to_string()).collect();
    assert_eq!(ends[1], "\"complete\"");
    assert!(ends[2].contains("error") && ends[3].contains("error"), "{ends:?}");
}

#[tokio::test]
async fn a_line_holds_the_exchange_without_secrets() {
    let studio = Studio::new();
    let echo = format!("data: {{\"text\":\"{}\"}}\n\ndata: {{\"end\":true}}\n\n", secret());
    let (first, second) = echo.as_bytes().split_at(25);
    let server = Server::start([Reply::stream().chunk(first).sleep(5).chunk(second).end()]).await;
    let model = tiny_model(&format!("{}/v1", server.url()));
    let prompt = format!("my key is {} and my other one is api_key=0123456789abcdef", secret());
    assert!(
        run(call(&studio.recorder(), &model, &prompt)).await.message.text().contains(&secret()),
        "only the file is scrubbed"
    );
    let text = std::fs::read_to_string(studio.path()).unwrap();
    assert!(
        !text.contains(&secret()) && !text.contains(&secret()[12..]) && !text.contains("0123456789abcdef"),
        "{text}"
    );
    let line = &studio.lines()[0];
    assert_eq!((&line["cassette"], &line["n"]), (&json!(1), &json!(1)));
    let user_agent = concat!("pi/", env!("CARGO_PKG_VERSION"));
    assert_eq!(
        line["request"]["headers"],
        json!({ "accept": "application/json", "authorization": "REDACTED", "content-type": "application/json",
                "user-agent": user_agent })
    );
    assert_eq!(
        line["request"]["body"]["messages"][0]["content"],
        "my key is REDACTED and my other one is api_key=REDACTED"
    );
    assert_eq!(line["response"]["headers"], json!({ "content-type": "text/event-stream" }));
    let pieces = line["response"]["body"].as_array().unwrap();
    assert_eq!(pieces[0]["text"], "data: {\"text\":\"REDACTED");
    assert!(pieces[1]["at"].as_u64() >= pieces[0]["at"].as_u64());
}

#[tokio::test]
async fn bytes_that_are_no_text_survive() {
    let studio = Studio::new();
    // One byte at a time: the umlauts are cut in two.
    let reply = HELLO.as_bytes().chunks(1).fold(Reply::stream(), |reply, piece| reply.chunk(piece).sleep(1)).end();
    let server = Server::start([reply]).await;
    let model = tiny_model(&server.url());
    run(call(&studio.recorder(), &model, "hi")).await;
    let pieces = studio.lines()[0]["response"]["body"].to_string();
    assert!(pieces.contains("base64"), "{pieces}");
    assert_eq!(run(call(&studio.replayer(), &model, "hi")).await.message.text(), "Grüß Gott");
}

#[tokio::test]
async fn an_exchange_that_is_dropped_half_way_is_marked() {
    let studio = Studio::new();
    let half = Reply::stream().chunk(b"data: {\"text\":\"par\"}\n\n").await_close();
    let server = Server::start([half, Reply::silent().await_close()]).await;
    let model = tiny_model(&server.url());
    let recorder = studio.recorder();
    let mut stream = call(&recorder, &model, "hi");
    while stream.next().await.unwrap().kind() != "text_delta" {}
    drop(stream);
    let mut stream = call(&recorder, &model, "hi");
    tokio::select! { _ = stream.next() => panic!("no answer"), () = server.received(2) => {} }
    drop(stream);
    let lines = studio.lines();
    assert_eq!(
        (&lines[0]["end"], &lines[1]["end"], &lines[1]["response"]),
        (&json!("truncated"), &json!("truncated"), &Value::Null)
    );

    let replayer = studio.replayer();
    let first = run(call(&replayer, &model, "hi")).await;
    assert_eq!(first.message.text(), "par");
    assert!(
        first.error().ends_with("request 1: the recorded run stopped reading here, this one goes on."),
        "{}",
        first.error()
    );
    let second = run(call(&replayer, &model, "hi")).await;
    assert!(
        second.error().ends_with("request 2: the recorded run gave up before an answer came."),
        "{}",
        second.error()
    );
}

#[tokio::test]
async fn a_run_that_diverges_is_told_where() {
    let studio = Studio::new();
    let server = Server::start([Reply::events(HELLO), Reply::events(HELLO)]).await;
    let model = tiny_model(&server.url());
    let recorder = studio.recorder();
    for _ in 0..2 {
        run(call(&recorder, &model, "hi")).await;
    }
    let replayer = studio.replayer();
    run(call(&replayer, &model, "hi")).await;
    let other = Arc::new(Model { id: "tiny-2".into(), ..(*model).clone() });
    let name = studio.path().display().to_string();
    let diverged = run(call(&replayer, &other, "hi")).await;
    let expected = "the model was \"tiny-1\" in the recording and is \"tiny-2\" now";
    assert_eq!(diverged.error(), format!("Cassette {name}, request 2: {expected}."));
    assert!(matches!(diverged.cause, Some(Error::Cassette { .. })));
    let after = run(call(&replayer, &model, "hi")).await;
    assert_eq!(after.error(), diverged.error(), "the first difference explains the later ones");
    let replayer = studio.replayer();
    run(call(&replayer, &model, "hi")).await;
    run(call(&replayer, &model, "hi")).await;
    let exhausted = run(call(&replayer, &model, "hi")).await;
    assert_eq!(exhausted.error(), format!("Cassette {name}, request 3: the cassette ends after 2 requests."));
}

#[tokio::test]
async fn a_cassette_is_continued() {
    let studio = Studio::new();
    let server = Server::start([Reply::events(HELLO), Reply::events(HELLO)]).await;
    let model = tiny_model(&server.url());
    run(call(&studio.recorder(), &model, "hi")).await;
    // The last line of a run that was killed.
    let torn = std::fs::read_to_string(studio.path()).unwrap() + "{\"cassette\":1,";
    std::fs::write(studio.path(), torn).unwrap();
    run(call(&studio.recorder(), &model, "hi")).await;
    let text = std::fs::read_to_string(studio.path()).unwrap();
    let last: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    assert_eq!(last["n"], 3);
    let error = Replayer::open(&studio.path()).unwrap_err().to_string();
    assert!(error.contains("line 2: EOF while parsing") && error.contains("Remove the line"), "{error}");
}

#[test]
fn malformed_cassettes_name_the_line() {
    let error = |text: &str| Replayer::parse(text, "x.jsonl").unwrap_err().to_string();
    assert!(error("\n{}\n").starts_with("Cassette x.jsonl, line 2: missing field"), "{}", error("\n{}\n"));
    let new = json!({ "cassette": 2, "n": 1, "end": "complete",
                      "request": { "method": "POST", "url": "", "headers": {}, "body": null } });
    assert!(error(&new.to_string()).starts_with("Cassette x.jsonl, line 1: format 2 is not known"));
    let missing = Replayer::open(std::path::Path::new("/nowhere/x.jsonl")).unwrap_err().to_string();
    assert!(missing.starts_with("Cannot read the cassette /nowhere/x.jsonl: "), "{missing}");
    let unwritable = Recorder::open(std::path::Path::new("/nowhere/x.jsonl"), direct()).unwrap_err().to_string();
    assert!(unwritable.starts_with("Cannot write the cassette /nowhere/x.jsonl: "), "{unwritable}");
}

#[test]
fn requests_are_answered_in_the_order_in_which_they_began() {
    let line = |n: u64| {
        json!({ "cassette": 1, "n": n, "end": "complete",
                "request": { "method": "POST", "url": format!("http://h/{n}"), "headers": {}, "body": null } })
        .to_string()
    };
    let replayer = Replayer::parse(&[line(2), line(1)].join("\n"), "x").unwrap();
    let urls: Vec<_> = replayer.exchanges_for_test().collect();
    assert_eq!(urls, ["http://h/1", "http://h/2"]);
    assert_eq!(replayer.remaining(), 2);
}

#[tokio::test(start_paused = true)]
async fn the_recorded_pace_can_be_kept() {
    let line = json!({ "cassette": 1, "n": 1, "end": "complete",
        "request": { "method": "POST", "url": "http://h/chat", "headers": {},
                     "body": { "model": "tiny-1", "messages": [{ "role": "user" }] } },
        "response": { "status": 200, "headers": {}, "at": 1000,
                      "body": [{ "at": 1500, "text": "data: {\"text\":\"x\"}\n\n" },
                               { "at": 4000, "base64": "ZGF0YTogeyJlbmQiOnRydWV9Cgo=" }] } });
    for (speed, expected) in [(0.0, 0), (1.0, 4000), (0.5, 2000), (f64::NAN, 0)] {
        let replayer = Replayer::parse(&line.to_string(), "x").unwrap().with_speed(speed);
        let start = Instant::now();
        let ran = run(call(&(Arc::new(replayer) as Arc<dyn HttpTransport>), &tiny_model("http://h"), "hi")).await;
        assert_eq!(ran.message.text(), "x", "{}", ran.error());
        assert_eq!(start.elapsed(), Duration::from_millis(expected));
    }
}
