//! What a delta costs: server-sent events through decoder and message builder.
//!
//! Time per element must be the same for 5,000 and 50,000 deltas, also for a consumer that takes a snapshot of the
//! message at every delta and drops it at once. Run with `cargo bench -p pi-ai`.

#![allow(missing_docs, reason = "criterion's macros generate undocumented items")]

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use pi_ai::transport::SseDecoder;
use pi_ai::{MessageBuilder, Model};

/// As much arrives at once, in bytes: a TLS record holds up to four times that.
const CHUNK: usize = 4096;

/// An event stream of so many deltas of one word each.
fn body(deltas: usize) -> Vec<u8> {
    (0..deltas).flat_map(|n| format!("event: delta\ndata: word {}\n\n", n % 1000).into_bytes()).collect()
}

/// Decodes a body, builds the message, and shows every event's handle to `look`.
fn consume(body: &[u8], look: impl Fn(&pi_ai::Partial)) -> usize {
    let mut decoder = SseDecoder::new();
    let mut message = MessageBuilder::new(&Model::default(), 0);
    let index = message.start_text();
    for chunk in body.chunks(CHUNK) {
        decoder.push(chunk);
        while let Some(frame) = decoder.next_frame() {
            message.text_delta(index, frame.data);
            while let Some(event) = message.next_event() {
                event.partial().into_iter().for_each(&look);
            }
        }
    }
    message.partial().with(|message| message.text().len())
}

fn stream(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("stream");
    for deltas in [5_000, 50_000] {
        let body = body(deltas);
        group.throughput(Throughput::Elements(deltas as u64));
        group.bench_with_input(BenchmarkId::new("ignore partial", deltas), &body, |bencher, body| {
            bencher.iter(|| consume(body, |_| {}));
        });
        group.bench_with_input(BenchmarkId::new("snapshot per delta", deltas), &body, |bencher, body| {
            bencher.iter(|| {
                consume(body, |partial| {
                    black_box(partial.snapshot());
                })
            });
        });
    }
    group.finish();
}

criterion_group!(benches, stream);
criterion_main!(benches);
