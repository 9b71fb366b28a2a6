//! What a delta costs: from the bytes of a body to the events of a message.
//!
//! Time per element must be the same for 5,000 and 50,000 deltas, also for a consumer that takes a snapshot of the
//! message at every delta and drops it at once. `frames` is decoder and message builder alone, `anthropic` a whole call
//! through registry, driver and wire format. Run with `cargo bench -p pi-ai`.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    reason = "criterion's macros generate undocumented items; benches may panic"
)]

use std::hint::black_box;
use std::sync::Arc;

use bytes::Bytes;
use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use futures::future::BoxFuture;
use futures::stream::{self, StreamExt};
use pi_ai::transport::{HttpRequest, HttpResponse, HttpTransport, SseDecoder};
use pi_ai::{ApiRegistry, Context, Error, MessageBuilder, Model, Partial, StreamOptions};

/// As much arrives at once, in bytes: a TLS record holds up to four times that.
const CHUNK: usize = 4096;
const SIZES: [usize; 2] = [5_000, 50_000];

/// What a consumer does with the handle that comes with each event.
type Look = fn(&Partial);
const LOOKS: [(&str, Look); 2] = [
    ("ignore partial", |_| {}),
    ("snapshot per delta", |partial| {
        black_box(partial.snapshot());
    }),
];

/// A stream of so many deltas of one word each, as Anthropic sends them.
fn body(deltas: usize) -> Bytes {
    let delta = |n: usize| {
        let text = format!("word {} ", n % 1000);
        let delta =
            format!(r#"{{"type":"content_block_delta","index":0,"delta":{{"type":"text_delta","text":"{text}"}}}}"#);
        format!("event: content_block_delta\ndata: {delta}\n\n")
    };
    let start = concat!(
        "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"m\",\"usage\":{}}}\n\n",
        "event: content_block_start\n",
        "data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n",
    );
    let end = concat!(
        "event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":{}}\n\n",
        "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n",
    );
    (start.to_owned() + &(0..deltas).map(delta).collect::<String>() + end).into()
}

/// Decodes a body and builds a message whose text are the frames.
fn frames(body: &[u8], look: Look) -> usize {
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
    message.partial().with(|message| message.text().len())
}

/// Answers every request with the same body.
#[derive(Debug)]
struct Memory(Bytes);

impl HttpTransport for Memory {
    fn send(&self, _: HttpRequest) -> BoxFuture<'_, Result<HttpResponse, Error>> {
        let body = self.0.clone();
        let chunks = (0..body.len()).step_by(CHUNK).map(move |at| Ok(body.slice(at..(at + CHUNK).min(body.len()))));
        let response = HttpResponse { status: 200, headers: Default::default(), body: stream::iter(chunks).boxed() };
        Box::pin(std::future::ready(Ok(response)))
    }
}

/// A whole call.
async fn anthropic(registry: &ApiRegistry, http: Arc<Memory>, look: Look) -> usize {
    let text = str::to_owned;
    let (api, base_url) = (text("anthropic-messages"), text("http://127.0.0.1:9"));
    let model = Model { id: text("m"), provider: text("anthropic"), api, base_url, ..Model::default() };
    let options = StreamOptions { http: Some(http), api_key: Some(text("key")), ..StreamOptions::default() };
    let mut events = registry.stream(Arc::new(model), Context::prompt("hi"), options).unwrap();
    while let Some(event) = events.next().await {
        event.partial().into_iter().for_each(look);
    }
    let message = events.result().await;
    assert_eq!(message.error_message, None);
    message.text().len()
}

fn measure(criterion: &mut Criterion) {
    let registry = ApiRegistry::builtin();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    for deltas in SIZES {
        let body = body(deltas);
        let http = Arc::new(Memory(body.clone()));
        for (name, look) in LOOKS {
            let mut group = criterion.benchmark_group(name);
            group.throughput(Throughput::Elements(deltas as u64));
            group.bench_with_input(BenchmarkId::new("frames", deltas), &body, |bencher, body| {
                bencher.iter(|| frames(body, look));
            });
            group.bench_with_input(BenchmarkId::new("anthropic", deltas), &http, |bencher, http| {
                let call = |http| runtime.block_on(anthropic(&registry, http, look));
                bencher.iter_batched(|| Arc::clone(http), call, BatchSize::SmallInput);
            });
            group.finish();
        }
    }
}

criterion_group!(benches, measure);
criterion_main!(benches);
