//! What is pasted, until its end comes.

use memchr::memmem;

/// What a terminal sends before pasted text.
pub(super) const BEGIN: &[u8] = b"\x1b[200~";
/// What it sends after it.
const END: &[u8] = b"\x1b[201~";
/// More than that is given in pieces: a program that never ends a paste must not take all memory.
const MOST: usize = 64 << 20;

/// Pasted text that has not ended.
#[derive(Debug, Default)]
pub(super) struct Paste {
    bytes: Vec<u8>,
}

/// What became of a paste.
pub(super) enum Pasted<'a> {
    /// It goes on. All bytes were taken; the text is what was too much to be kept.
    Open(Option<String>),
    /// It has ended; the bytes after its end.
    Whole(String, &'a [u8]),
}

impl Paste {
    /// Takes bytes up to the end of the paste. The end is found wherever it was cut.
    pub(super) fn take<'a>(&mut self, bytes: &'a [u8]) -> Pasted<'a> {
        self.take_up_to(bytes, MOST)
    }

    fn take_up_to<'a>(&mut self, bytes: &'a [u8], most: usize) -> Pasted<'a> {
        let known = self.bytes.len();
        let from = known.saturating_sub(END.len() - 1);
        self.bytes.extend_from_slice(bytes);
        if let Some(found) = memmem::find(&self.bytes[from..], END) {
            let rest = from + found + END.len() - known;
            self.bytes.truncate(from + found);
            return Pasted::Whole(text(std::mem::take(&mut self.bytes)), &bytes[rest..]);
        }
        let too_much = (self.bytes.len() > most).then(|| {
            let rest = self.bytes.split_off(piece(&self.bytes));
            text(std::mem::replace(&mut self.bytes, rest))
        });
        Pasted::Open(too_much)
    }
}

/// Bytes that neither cut a character nor the end of the paste.
fn piece(bytes: &[u8]) -> usize {
    let end = bytes.len().saturating_sub(END.len() - 1);
    let is_start = |at: &usize| bytes.get(*at).is_some_and(|byte| byte & 0xc0 != 0x80);
    // What has no start within four bytes is no text anyway.
    (end.saturating_sub(3)..=end).rev().find(is_start).unwrap_or(end)
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_long_comes_in_pieces() {
        let pasted = "aé日👍\u{1b}[20".repeat(50);
        let bytes = [pasted.as_bytes(), END, b"rest"].concat();
        for size in 1..20 {
            let (mut paste, mut found, mut pieces, mut rest) = (Paste::default(), String::new(), 0, Vec::new());
            let mut ended = false;
            for chunk in bytes.chunks(size) {
                match if ended { Pasted::Whole(String::new(), chunk) } else { paste.take_up_to(chunk, 40) } {
                    Pasted::Open(None) => {}
                    Pasted::Open(Some(piece)) => {
                        found += &piece;
                        pieces += 1;
                    }
                    Pasted::Whole(text, left) => {
                        ended = true;
                        found += &text;
                        rest.extend_from_slice(left);
                    }
                }
            }
            assert_eq!((found.as_str(), rest.as_slice()), (pasted.as_str(), &b"rest"[..]), "in pieces of {size}");
            assert!(pieces > 10);
        }
    }
}
