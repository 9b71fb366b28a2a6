//! UTF-8 that arrives in pieces: characters may be cut anywhere, invalid bytes become U+FFFD.

use std::str::from_utf8;

/// Decodes a stream. The result does not depend on where the pieces are cut.
#[derive(Debug, Default)]
pub(crate) struct StreamDecoder {
    /// Start of a character whose end has not arrived; at most three bytes.
    pending: Vec<u8>,
}

impl StreamDecoder {
    /// Text of this piece, as far as it is complete.
    pub(crate) fn decode(&mut self, piece: &[u8]) -> String {
        let joined;
        let bytes = if self.pending.is_empty() {
            piece
        } else {
            joined = [&self.pending, piece].concat();
            &joined
        };
        let complete = bytes.len() - incomplete_tail(bytes);
        let text = String::from_utf8_lossy(&bytes[..complete]).into_owned();
        self.pending = bytes[complete..].to_vec();
        text
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
