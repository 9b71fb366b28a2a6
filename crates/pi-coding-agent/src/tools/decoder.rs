//! UTF-8 that arrives in pieces: characters may be cut anywhere, invalid bytes become U+FFFD.

use std::borrow::Cow;
use std::str::from_utf8;

/// Decodes a stream. The result does not depend on where the pieces are cut.
#[derive(Debug, Default)]
pub(crate) struct StreamDecoder {
    /// Start of a character whose end has not arrived; at most three bytes.
    pending: Vec<u8>,
}

impl StreamDecoder {
    /// Text of this piece, as far as it is complete. Valid text is not copied.
    pub(crate) fn decode<'a>(&mut self, piece: &'a [u8]) -> Cow<'a, str> {
        if self.pending.is_empty() {
            let (complete, rest) = piece.split_at(piece.len() - incomplete_tail(piece));
            self.pending.extend_from_slice(rest);
            return String::from_utf8_lossy(complete);
        }
        let joined = [&self.pending, piece].concat();
        let (complete, rest) = joined.split_at(joined.len() - incomplete_tail(&joined));
        self.pending = rest.to_vec();
        String::from_utf8_lossy(complete).into_owned().into()
    }

    /// What is left when no more bytes come.
    pub(crate) fn finish(&mut self) -> String {
        String::from_utf8_lossy(&std::mem::take(&mut self.pending)).into_owned()
    }
}

/// Bytes at the end that start a character without completing it.
fn incomplete_tail(bytes: &[u8]) -> usize {
    let starts = |n: &usize| bytes[bytes.len() - n..].first().is_some_and(|byte| *byte >= 0xc0);
    let Some(len) = (1..=bytes.len().min(3)).find(starts) else { return 0 };
    match from_utf8(&bytes[bytes.len() - len..]) {
        // No `error_len` means that more bytes could complete the character.
        Err(e) if e.valid_up_to() == 0 && e.error_len().is_none() => len,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn decoding_in_pieces_is_decoding_the_whole(
            bytes in prop::collection::vec(any::<u8>(), 0..60),
            size in 1usize..5,
        ) {
            let mut decoder = StreamDecoder::default();
            let mut text: String = bytes.chunks(size).map(|piece| decoder.decode(piece).into_owned()).collect();
            text += &decoder.finish();
            prop_assert_eq!(text, String::from_utf8_lossy(&bytes));
        }
    }
}
