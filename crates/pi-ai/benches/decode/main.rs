//! What reading an answer costs, in bytes of its body per second, for every wire format: `events` from the bytes to the
//! events of the message through the public API, `parse` the same payloads through plain `serde_json::from_slice` into
//! the structs that a client library would have. The first should take at most twice as long as the second.
//!
//! `arguments` measures another invariant: tool-call arguments that arrive in tiny pieces cost what few large ones cost. Run
//! with `cargo bench -p pi-ai --bench decode`.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::panic,
    reason = "criterion's macros generate undocumented items; benches may panic"
)]

mod arguments;
mod bodies;
mod payloads;

use std::hint::black_box;
use std::sync::Arc;

use bytes::Bytes;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use futures::future::BoxFuture;
use futures::stream::{self, StreamExt};
use pi_ai::transport::{HttpRequest, HttpResponse, HttpTransport};
use pi_ai::{ApiRegistry, Context, Error, Model, StopReason, StreamOptions, Transport};

use bodies::{Body, bodies};

/// Bytes that arrive at once: a quarter of the largest TLS record.
const PIECE: usize = 4096;
/// A key that every format accepts: its payload names an account, as that of a ChatGPT subscription does.
const KEY: &str = "e30.eyJodHRwczovL2FwaS5vcGVuYWkuY29tL2F1dGgiOnsiY2hhdGdwdF9hY2NvdW50X2lkIjoiYWNjdCJ9fQ.sig";

/// Answers every request with the same body.
#[derive(Debug)]
struct Canned(Vec<Bytes>);

impl HttpTransport for Canned {
    fn send(&self, _: HttpRequest) -> BoxFuture<'_, Result<HttpResponse, Error>> {
        let body = stream::iter(self.0.clone()).map(Ok).boxed();
        Box::pin(async { Ok(HttpResponse { status: 200, headers: http::HeaderMap::new(), body }) })
    }
}

fn options(body: &Body) -> StreamOptions {
    let pieces = body.bytes.chunks(PIECE).map(Bytes::copy_from_slice).collect();
    StreamOptions {
        api_key: Some(KEY.into()),
        http: Some(Arc::new(Canned(pieces))),
        transport: Some(Transport::Sse),
        env: [("AWS_BEDROCK_SKIP_AUTH".to_owned(), "1".to_owned())].into(),
        ..StreamOptions::default()
    }
}

fn model(api: &str) -> Arc<Model> {
    let base_url = "http://model.example".into();
    Arc::new(Model {
        id: "model".into(),
        api: api.into(),
        provider: "bench".into(),
        base_url,
        max_tokens: 1,
        ..Model::default()
    })
}

/// Reads an answer and looks at every event.
async fn read(apis: &ApiRegistry, model: &Arc<Model>, options: &StreamOptions) -> usize {
    let mut stream = apis.stream(Arc::clone(model), Context::prompt("hi"), options.clone()).unwrap();
    let mut events = 0;
    while let Some(event) = stream.next().await {
        events += 1;
        black_box(event);
    }
    let answer = stream.result().await;
    assert_eq!(answer.stop_reason, StopReason::Stop, "{:?}", answer.error_message);
    events
}

fn decoding(criterion: &mut Criterion) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let apis = ApiRegistry::builtin();
    for body in bodies() {
        if apis.get(body.api).is_none() {
            continue;
        }
        let (model, options) = (model(body.api), options(&body));
        let mut group = criterion.benchmark_group(body.api);
        group.throughput(Throughput::Bytes(body.bytes.len() as u64));
        group.bench_function("events", |bencher| {
            bencher.iter(|| runtime.block_on(read(&apis, &model, &options)));
        });
        group.bench_function("parse", |bencher| {
            bencher.iter(|| body.payloads.iter().for_each(|payload| (body.parse)(payload)));
        });
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20).warm_up_time(std::time::Duration::from_millis(500)).measurement_time(std::time::Duration::from_secs(2));
    targets = decoding, arguments::arguments
}
criterion_main!(benches);
