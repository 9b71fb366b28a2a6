//! Arbitrary text as tool-call arguments: the value must not depend on how the text arrives, and complete JSON must be
//! read as what it is.
#![no_main]

use pi_ai::{PartialJson, parse_streaming_json};

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let Some((&size, bytes)) = input.split_first() else { return };
    let text = String::from_utf8_lossy(bytes);
    let whole = parse_streaming_json(&text);
    let mut partial = PartialJson::default();
    let mut rest = &*text;
    while !rest.is_empty() {
        let (piece, tail) = rest.split_at(rest.ceil_char_boundary(usize::from(size).max(1).min(rest.len())));
        partial.push(piece);
        let _ = partial.value();
        rest = tail;
    }
    assert_eq!(partial.value(), whole);
});
