//! Arbitrary bytes as server-sent events: the frames must not depend on how the bytes are cut.
#![no_main]

use pi_ai::transport::SseDecoder;

fn frames<'a>(pieces: impl Iterator<Item = &'a [u8]>) -> Vec<(Option<String>, String)> {
    let mut decoder = SseDecoder::new();
    let mut found = Vec::new();
    let mut drain = |decoder: &mut SseDecoder| {
        while let Some(frame) = decoder.next_frame() {
            found.push((frame.event.map(str::to_owned), frame.data.to_owned()));
        }
    };
    for piece in pieces {
        decoder.push(piece);
        drain(&mut decoder);
    }
    decoder.finish();
    drain(&mut decoder);
    found
}

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let Some((&size, bytes)) = input.split_first() else { return };
    let cut = frames(bytes.chunks(usize::from(size).max(1)));
    assert_eq!(cut, frames(std::iter::once(bytes)));
});
