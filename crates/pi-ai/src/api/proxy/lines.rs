//! Lines of a body, whatever the chunk boundaries. Nothing here knows what a line means.

use std::ops::Range;

use memchr::memchr;

use crate::api::wire::{Frame, FrameReader};
use crate::error::{AnswerError, Error};

/// No event is as large; a line that never ends must not fill the memory. In bytes.
const LONGEST_LINE: usize = 64 * 1024 * 1024;

/// The event name of the one frame that the end of the body cut off before the end of its line.
pub(super) const UNFINISHED: &str = "unfinished";

/// Cuts bytes into lines at `\n`, each of them a frame. Every byte is scanned once, also when a long line arrives in tiny chunks.
#[derive(Debug, Default)]
pub(super) struct Lines {
    buffer: Vec<u8>,
    /// Start of the line under construction.
    start: usize,
    /// There is no line end between `start` and here.
    scanned: usize,
    ended: bool,
    /// Text of the line handed out last, where its bytes are not quite text.
    text: String,
}

impl Lines {
    /// Appends bytes of the body.
    fn append(&mut self, bytes: &[u8]) {
        // Each byte moves O(1) times: only once the unread ones are the smaller part.
        if self.start > self.buffer.len() / 2 {
            self.buffer.drain(..self.start);
            self.scanned -= self.start;
            self.start = 0;
        }
        self.buffer.extend_from_slice(bytes);
    }

    /// The next complete line without its end.
    fn next_line(&mut self) -> Result<Option<Range<usize>>, Error> {
        let Some(length) = memchr(b'\n', &self.buffer[self.scanned..]) else {
            self.scanned = self.buffer.len();
            if self.buffer.len() - self.start > LONGEST_LINE {
                return Err(Error::Answer(AnswerError::Decode {
                    message: "The proxy sent a line of more than 64 MiB.".to_owned(),
                }));
            }
            return Ok(None);
        };
        let line = self.start..self.scanned + length;
        self.start = line.end + 1;
        self.scanned = self.start;
        Ok(Some(line))
    }

    /// What follows the last line end, once the body is over.
    fn rest(&mut self) -> Option<Range<usize>> {
        let start = std::mem::replace(&mut self.start, self.buffer.len());
        self.scanned = self.start;
        (start < self.buffer.len()).then_some(start..self.buffer.len())
    }

    /// A line as text. What is none is replaced.
    fn text(&mut self, line: Range<usize>) -> &str {
        match std::str::from_utf8(&self.buffer[line.clone()]) {
            Ok(text) => text,
            Err(_) => {
                self.text = String::from_utf8_lossy(&self.buffer[line]).into_owned();
                &self.text
            }
        }
    }
}

impl FrameReader for Lines {
    fn push(&mut self, bytes: &[u8]) {
        self.append(bytes);
    }

    fn finish(&mut self) {
        self.ended = true;
    }

    fn next_frame(&mut self) -> Option<Result<Frame<'_>, Error>> {
        match self.next_line() {
            Ok(Some(line)) => Some(Ok(Frame { event: None, data: self.text(line) })),
            Ok(None) if self.ended => {
                let rest = self.rest()?;
                Some(Ok(Frame { event: Some(UNFINISHED), data: self.text(rest) }))
            }
            Ok(None) => None,
            Err(error) => Some(Err(error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn lines(chunks: &[&[u8]]) -> Vec<Vec<u8>> {
        let mut lines = Lines::default();
        let mut found = Vec::new();
        for chunk in chunks {
            lines.push(chunk);
            while let Some(line) = lines.next_frame() {
                found.push(line.unwrap().data.as_bytes().to_vec());
            }
        }
        lines.finish();
        found.extend(lines.next_frame().map(|line| line.unwrap().data.as_bytes().to_vec()));
        found
    }

    proptest! {
        #[test]
        fn chunk_boundaries_do_not_matter(text in "[ab\n]{0,60}", cuts in prop::collection::vec(0usize..60, 0..8)) {
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(text.len())).collect();
            cuts.extend([0, text.len()]);
            cuts.sort_unstable();
            let chunks: Vec<&[u8]> = cuts.windows(2).map(|pair| &text.as_bytes()[pair[0]..pair[1]]).collect();
            let mut expected: Vec<Vec<u8>> = text.split('\n').map(|line| line.as_bytes().to_vec()).collect();
            expected.pop_if(|last| last.is_empty());
            prop_assert_eq!(lines(&chunks), expected);
        }
    }

    #[test]
    fn a_line_that_never_ends_is_refused() {
        let mut lines = Lines::default();
        lines.push(&vec![b'x'; LONGEST_LINE + 1]);
        assert!(lines.next_frame().is_some_and(|line| line.is_err()));
    }
}
