//! No input makes the client panic, hang, or end otherwise than in one terminal event.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures::FutureExt;
use futures::future::BoxFuture;
use futures::stream::{self, StreamExt};
use http::HeaderMap;
use pi_ai::Error;
use pi_ai::transport::{HttpRequest, HttpResponse, HttpTransport};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::proxy::support::{Memory, Ran, call, client, options, run};

fn read(chunks: Vec<Bytes>) -> Ran {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    runtime.block_on(async {
        let stream = client("http://nowhere", "t", Arc::new(Memory(chunks)));
        let reading = async { run(call(&stream, &pi_ai::scripted::model("m").into(), options()).await).await };
        tokio::time::timeout(Duration::from_secs(60), reading).await.expect("an end")
    })
}

/// One end, at the end, and a message that says the same.
fn assert_sound(ran: &Ran) {
    let is_end = |event: &Value| matches!(event["type"].as_str(), Some("done" | "error"));
    assert_eq!(ran.events.iter().filter(|event| is_end(event)).count(), 1);
    assert!(is_end(ran.events.last().unwrap()));
    assert_eq!(ran.message.stop_reason.is_failure(), ran.message.error_message.is_some());
}

/// Events that are nearly right: any kind with any fields.
fn event() -> impl Strategy<Value = Value> {
    let kind = prop::sample::select(vec![
        "start",
        "text_start",
        "text_delta",
        "text_end",
        "thinking_start",
        "thinking_delta",
        "thinking_end",
        "toolcall_start",
        "toolcall_delta",
        "toolcall_end",
        "block",
        "news",
    ]);
    let index = prop_oneof![8 => (0..3u64).prop_map(Value::from), 1 => any::<u64>().prop_map(Value::from)];
    let text = prop_oneof![".{0,6}", Just("{\"a\":".to_owned()), Just("[1,".to_owned()), Just("}".to_owned())];
    let block = prop::sample::select(vec![
        Value::Null,
        json!({"type": "text", "text": "whole"}),
        json!({"type": "thinking", "thinking": "whole", "redacted": true}),
        json!({"type": "toolCall", "id": "i", "name": "n", "arguments": {"whole": true}}),
        json!({"type": "hologram"}),
        json!(3),
    ]);
    (kind, index, text, block, any::<u8>()).prop_map(|(kind, index, text, block, keep)| {
        let mut event = json!({"type": kind, "contentIndex": index, "delta": text, "id": "i", "toolName": "n"});
        if kind == "block" || keep % 4 == 0 {
            event["block"] = block;
        }
        // Few events lack something that they need.
        if keep > 250 {
            event.as_object_mut().unwrap().remove("delta");
        }
        event
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn any_bytes(chunks in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..40), 0..8)) {
        assert_sound(&read(chunks.into_iter().map(Bytes::from).collect()));
    }

    #[test]
    fn any_payloads(lines in prop::collection::vec("(data: )?.{0,40}", 0..8)) {
        assert_sound(&read(vec![lines.join("\n").into()]));
    }

    #[test]
    fn any_order_of_events(events in prop::collection::vec(event(), 0..24), ends in any::<bool>(), cut in any::<prop::sample::Index>()) {
        let mut body: String = events.iter().map(|event| format!("data: {event}\n\n")).collect();
        if ends {
            body += "data: {\"type\":\"done\",\"reason\":\"toolUse\",\"usage\":null}\n\n";
        } else if !body.is_empty() {
            let at = cut.index(body.len());
            body = String::from_utf8_lossy(&body.as_bytes()[..at]).into_owned();
        }
        assert_sound(&read(vec![body.into()]));
    }
}

/// A proxy that never stops.
#[derive(Debug)]
struct Endless {
    start: &'static str,
    repeated: Bytes,
}

impl HttpTransport for Endless {
    fn send(&self, _: HttpRequest) -> BoxFuture<'_, Result<HttpResponse, Error>> {
        let start = stream::iter([Ok(Bytes::from_static(self.start.as_bytes()))]);
        let body = start.chain(stream::repeat(self.repeated.clone()).map(Ok)).boxed();
        std::future::ready(Ok(HttpResponse { status: 200, headers: HeaderMap::new(), body })).boxed()
    }
}

#[tokio::test]
async fn hostile_an_endless_answer_is_stopped_and_kept() {
    let text = "x".repeat(64 * 1024);
    let delta =
        |kind: &str| Bytes::from(format!("data: {{\"type\":\"{kind}\",\"contentIndex\":0,\"delta\":\"{text}\"}}\n"));
    for (start, repeated, is_kept) in [
        ("data: {\"type\":\"text_start\",\"contentIndex\":0}\n", delta("text_delta"), true),
        ("data: {\"type\":\"thinking_start\",\"contentIndex\":0}\n", delta("thinking_delta"), true),
        (
            "data: {\"type\":\"toolcall_start\",\"contentIndex\":0,\"id\":\"i\",\"toolName\":\"n\"}\n\
             data: {\"type\":\"toolcall_delta\",\"contentIndex\":0,\"delta\":\"{\\\"a\\\":\\\"\"}\n",
            delta("toolcall_delta"),
            true,
        ),
        ("", Bytes::from(": nothing\n".repeat(10_000)), false),
    ] {
        let stream = client("http://nowhere", "t", Arc::new(Endless { start, repeated }));
        let ran = run(call(&stream, &pi_ai::scripted::model("m").into(), options()).await).await;
        assert_sound(&ran);
        assert!(ran.error().starts_with("The answer was stopped at 16 MiB"), "{}", ran.error());
        let kept = serde_json::to_string(&ran.message.content).unwrap().len();
        assert_eq!(kept >= 16 << 20, is_kept, "{kept} bytes are kept");
    }
}
