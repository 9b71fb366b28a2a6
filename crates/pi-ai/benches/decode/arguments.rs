//! One megabyte of tool-call arguments: pushed in pieces of four bytes, against one parse per 64 KiB of what is there.

use std::hint::black_box;

use criterion::{Criterion, Throughput};
use pi_ai::{PartialJson, parse_streaming_json};

const SIZE: usize = 1 << 20;
const STEP: usize = 64 << 10;

/// The arguments of a `write` call.
fn text() -> String {
    let lines: String = (0..).map(|n| format!("line {n}: \\\"quoted\\\" and é\\n")).take(SIZE / 30).collect();
    format!(r#"{{"path":"notes.txt","content":"{lines}"}}"#)
}

pub(crate) fn arguments(criterion: &mut Criterion) {
    let text = text();
    let pieces: Vec<&str> = cut(&text, 4);
    let mut group = criterion.benchmark_group("arguments");
    group.throughput(Throughput::Bytes(text.len() as u64));
    group.bench_function("pieces of 4 bytes", |bencher| {
        bencher.iter(|| {
            let mut json = PartialJson::default();
            pieces.iter().for_each(|piece| json.push(piece));
            black_box(json.value())
        });
    });
    group.bench_function("a parse per 64 KiB", |bencher| {
        bencher.iter(|| {
            let mut end = 0;
            while end < text.len() {
                end = text.ceil_char_boundary((end + STEP).min(text.len()));
                black_box(parse_streaming_json(&text[..end]));
            }
        });
    });
    group.finish();
}

fn cut(mut text: &str, size: usize) -> Vec<&str> {
    let mut pieces = Vec::new();
    while !text.is_empty() {
        let (piece, rest) = text.split_at(text.ceil_char_boundary(size.min(text.len())));
        pieces.push(piece);
        text = rest;
    }
    pieces
}
