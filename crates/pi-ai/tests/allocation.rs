//! Memory of a streaming answer: proportional to its text, whoever does not hold on to `partial`.
//!
//! A binary of its own: the crate that counts replaces the global allocator of whatever links it.

use allocation_counter::{AllocationInfo, measure};
use pi_ai::transport::SseDecoder;
use pi_ai::{MessageBuilder, Model, Partial};

/// An event stream of so many deltas of one word each.
fn body(deltas: usize) -> Vec<u8> {
    (0..deltas).flat_map(|n| format!("event: delta\ndata: word {:04}\n\n", n % 1000).into_bytes()).collect()
}

/// What it costs to decode a body in chunks of 61 bytes and to build the message.
fn cost(deltas: usize, look: impl Fn(&Partial)) -> AllocationInfo {
    let body = body(deltas);
    measure(|| {
        let mut decoder = SseDecoder::new();
        let mut message = MessageBuilder::new(&Model::default(), 0);
        let index = message.start_text();
        for chunk in body.chunks(61) {
            decoder.push(chunk);
            while let Some(frame) = decoder.next_frame() {
                message.text_delta(index, frame.data);
                while let Some(event) = message.next_event() {
                    event.partial().into_iter().for_each(&look);
                }
            }
        }
    })
}

fn assert_linear(look: impl Fn(&Partial) + Copy) {
    const TEXT_PER_DELTA: u64 = "word 0000".len() as u64;
    for deltas in [5_000, 50_000] {
        let cost = cost(deltas, look);
        // The text grows by doubling, and each event owns a copy of its delta.
        let bound = 6 * TEXT_PER_DELTA * deltas as u64 + 4096;
        assert!(cost.bytes_total <= bound, "{deltas} deltas allocated {} bytes, allowed {bound}", cost.bytes_total);
        assert!(cost.bytes_max <= 4 * TEXT_PER_DELTA * deltas as u64 + 4096, "peak of {} bytes", cost.bytes_max);
        assert!(cost.count_total <= 2 * deltas as u64 + 200, "{deltas} deltas made {} allocations", cost.count_total);
    }
}

#[test]
fn whoever_ignores_partial_allocates_the_text_only() {
    assert_linear(|_| {});
}

#[test]
fn a_snapshot_that_is_dropped_costs_nothing() {
    assert_linear(|partial| drop(partial.snapshot()));
}

/// The counter-test: what the bound must catch.
#[test]
fn a_copy_of_the_text_per_delta_would_be_noticed() {
    let quadratic = cost(5_000, |partial| drop(partial.with(pi_ai::AssistantMessage::text)));
    assert!(quadratic.bytes_total > 100_000_000, "{}", quadratic.bytes_total);
}
