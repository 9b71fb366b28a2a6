//! Memory of a streaming answer: proportional to its text, whoever does not hold on to `partial`.
//!
//! A binary of its own: the crate that counts replaces the global allocator of whatever links it.
#![allow(clippy::unwrap_used, clippy::panic)] // helpers of a test

use std::sync::Arc;

use allocation_counter::{AllocationInfo, measure};
use bytes::Bytes;
use futures::future::BoxFuture;
use futures::stream::{self, StreamExt};
use pi_ai::transport::{HttpRequest, HttpResponse, HttpTransport, SseDecoder};
use pi_ai::{ApiRegistry, Context, Error, MessageBuilder, Model, Partial, StreamOptions};

/// Length of each delta in bytes.
const DELTA: u64 = "word 0000".len() as u64;
/// As much arrives at once.
const CHUNK: usize = 61;

/// An event stream of so many deltas of one word each.
fn frames(deltas: usize) -> Vec<u8> {
    (0..deltas).flat_map(|n| format!("event: delta\ndata: word {:04}\n\n", n % 1000).into_bytes()).collect()
}

/// What it costs to decode a body and to build the message.
fn cost_of_frames(deltas: usize, look: fn(&Partial)) -> AllocationInfo {
    let body = frames(deltas);
    measure(|| {
        let mut decoder = SseDecoder::new();
        let mut message = MessageBuilder::new(&Model::default(), 0);
        let index = message.start_text();
        for chunk in body.chunks(CHUNK) {
            decoder.push(chunk);
            while let Some(frame) = decoder.next_frame() {
                message.text_delta(index, frame.data);
                while let Some(event) = message.next_event() {
                    event.partial().into_iter().for_each(look);
                }
            }
        }
    })
}

fn assert_frames_are_linear(look: fn(&Partial)) {
    for deltas in [5_000, 50_000] {
        let cost = cost_of_frames(deltas, look);
        // The text grows by doubling, and each event owns a copy of its delta.
        let bound = 6 * DELTA * deltas as u64 + 4096;
        assert!(cost.bytes_total <= bound, "{deltas} deltas allocated {} bytes, allowed {bound}", cost.bytes_total);
        assert!(cost.bytes_max <= 4 * DELTA * deltas as u64 + 4096, "peak of {} bytes", cost.bytes_max);
        assert!(cost.count_total <= 2 * deltas as u64 + 200, "{deltas} deltas made {} allocations", cost.count_total);
    }
}

#[test]
fn whoever_ignores_partial_allocates_the_text_only() {
    assert_frames_are_linear(|_| {});
}

#[test]
fn a_snapshot_that_is_dropped_costs_nothing() {
    assert_frames_are_linear(|partial| drop(partial.snapshot()));
}

/// The counter-test: what the bound must catch.
#[test]
fn a_copy_of_the_text_per_delta_would_be_noticed() {
    let quadratic = cost_of_frames(5_000, |partial| drop(partial.with(pi_ai::AssistantMessage::text)));
    assert!(quadratic.bytes_total > 100_000_000, "{}", quadratic.bytes_total);
}

/// Answers every request with the same chunks.
#[derive(Debug)]
struct Memory(Vec<Bytes>);

impl HttpTransport for Memory {
    fn send(&self, _: HttpRequest) -> BoxFuture<'_, Result<HttpResponse, Error>> {
        let body = stream::iter(self.0.clone()).map(Ok).boxed();
        let response = HttpResponse { status: 200, headers: Default::default(), body };
        Box::pin(std::future::ready(Ok(response)))
    }
}

/// A stream as Anthropic sends it: text, or the arguments of a tool call.
fn answer(deltas: usize, is_call: bool) -> Vec<Bytes> {
    let event = |data: String| format!("event: {}\ndata: {data}\n\n", data.split('"').nth(3).unwrap());
    let block =
        if is_call { r#"{"type":"tool_use","id":"t","name":"write","input":{}}"# } else { r#"{"type":"text"}"# };
    let (kind, field) = if is_call { ("input_json_delta", "partial_json") } else { ("text_delta", "text") };
    let delta = |text: String| {
        let delta = format!(r#"{{"type":"{kind}","{field}":"{text}"}}"#);
        event(format!(r#"{{"type":"content_block_delta","index":0,"delta":{delta}}}"#))
    };
    let mut text = event(r#"{"type":"message_start","message":{"id":"m","usage":{}}}"#.to_owned());
    text += &event(format!(r#"{{"type":"content_block_start","index":0,"content_block":{block}}}"#));
    if is_call {
        text += &delta(r#"{\"text\":\""#.to_owned());
    }
    text.extend((0..deltas).map(|n| delta(format!("word {:04}", n % 1000))));
    if is_call {
        text += &delta(r#"\"}"#.to_owned());
    }
    text += &event(r#"{"type":"content_block_stop","index":0}"#.to_owned());
    text += &event(r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{}}"#.to_owned());
    text += &event(r#"{"type":"message_stop"}"#.to_owned());
    text.as_bytes().chunks(CHUNK).map(Bytes::copy_from_slice).collect()
}

/// A tool call as Google sends it: every piece of a string says where it belongs; some come back to an earlier place.
fn call_in_pieces(deltas: usize) -> Vec<Bytes> {
    let event = |call: String| format!("data: {{\"candidates\":[{{\"content\":{{\"parts\":[{call}]}}}}]}}\r\n\r\n");
    let mut text = event(r#"{"functionCall":{"name":"write","willContinue":true}}"#.to_owned());
    text.extend((0..deltas).map(|n| {
        let place = if n < deltas / 2 { 0 } else { n % 2 };
        let piece = format!(r#"{{"jsonPath":"$.texts[{place}].text","stringValue":"word {:04}"}}"#, n % 1000);
        event(format!(r#"{{"functionCall":{{"partialArgs":[{piece}],"willContinue":true}}}}"#))
    }));
    text +=
        "data: {\"candidates\":[{\"content\":{\"parts\":[{\"functionCall\":{}}]},\"finishReason\":\"STOP\"}]}\r\n\r\n";
    text.as_bytes().chunks(CHUNK).map(Bytes::copy_from_slice).collect()
}

/// What a whole call through registry, driver and wire format costs.
fn cost_of_call(api: &str, body: Vec<Bytes>, deltas: usize, look: fn(&Partial)) -> AllocationInfo {
    let http = Arc::new(Memory(body));
    let (registry, text) = (ApiRegistry::builtin(), str::to_owned);
    let (api, base_url) = (text(api), text("http://127.0.0.1:9"));
    let model = Arc::new(Model { id: text("m"), provider: text("p"), api, base_url, ..Model::default() });
    let options = StreamOptions { http: Some(http), api_key: Some(text("key")), ..StreamOptions::default() };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    measure(|| {
        runtime.block_on(async {
            let mut events = registry.stream(model, Context::prompt("hi"), options).unwrap();
            while let Some(event) = events.next().await {
                event.partial().into_iter().for_each(look);
            }
            let message = events.result().await;
            assert_eq!(message.error_message, None);
            assert!(serde_json::to_string(&*message).unwrap().len() as u64 > DELTA * deltas as u64);
        });
    })
}

/// Ten times the deltas allocate ten times as much, fixed costs aside.
fn assert_call_is_linear(api: &str, body: fn(usize) -> Vec<Bytes>, look: fn(&Partial)) {
    let cost = |deltas| cost_of_call(api, body(deltas), deltas, look).bytes_total;
    let (small, large) = (cost(3_000), cost(30_000));
    let ratio = large as f64 / small as f64;
    assert!(ratio < 11.0, "{small} and {large} bytes: {ratio}");
}

#[test]
fn a_call_is_linear_in_its_text() {
    let text = |deltas| answer(deltas, false);
    assert_call_is_linear("anthropic-messages", text, |_| {});
    assert_call_is_linear("anthropic-messages", text, |partial| drop(partial.snapshot()));
}

/// Only for whoever ignores `partial`: a snapshot in the middle of the arguments is a copy of them.
#[test]
fn a_call_is_linear_in_the_arguments_of_a_tool_call() {
    assert_call_is_linear("anthropic-messages", |deltas| answer(deltas, true), |_| {});
    assert_call_is_linear("google-generative-ai", call_in_pieces, |_| {});
}
