//! Arbitrary bytes as the input of a terminal: the keys must not depend on how the bytes are cut, and none is lost.
#![no_main]

use pi_tui::input::{Input, Splitter};

fn inputs<'a>(pieces: impl Iterator<Item = &'a [u8]>) -> Vec<Input> {
    let (mut splitter, mut found) = (Splitter::default(), Vec::new());
    for piece in pieces {
        splitter.feed(piece, &mut found);
    }
    splitter.flush(&mut found);
    found
}

/// The bytes of all keys and answers.
fn bytes_of(inputs: &[Input]) -> usize {
    let length = |input: &Input| match input {
        Input::Key(key) => key.raw.len(),
        Input::Reply(raw) => raw.len(),
        Input::Focus(_) => b"\x1b[I".len(),
        Input::Paste(_) => 0,
    };
    inputs.iter().map(length).sum()
}

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let Some((&size, bytes)) = input.split_first() else { return };
    let whole = inputs(std::iter::once(bytes));
    assert_eq!(inputs(bytes.chunks(usize::from(size).max(1))), whole);
    // Pastes are text, and a key that came twice is there once: without these, every byte is in one of the inputs.
    let types_by_sequence = |input: &Input| matches!(input, Input::Key(key) if key.raw.len() > 3 && key.text.is_some());
    if !bytes.windows(6).any(|window| window == b"\x1b[200~") && !whole.iter().any(types_by_sequence) {
        assert_eq!(bytes_of(&whole), bytes.len());
    }
});
