//! Server-sent events: bytes in, frames out, whatever the chunk boundaries.
//!
//! Nothing here knows what a frame means. Rules of the format: <https://html.spec.whatwg.org/#parsing-an-event-stream>,
//! with one deviation that providers need: an event that the end of the body cuts off before its blank line counts.

use std::ops::Range;

use memchr::{memchr, memchr2};

use super::{Frame, FrameReader};
use crate::error::{AnswerError, Error};

/// No provider sends a frame of this size; a line that never ends must not fill the memory. In bytes.
const LONGEST_FRAME: usize = 64 * 1024 * 1024;
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// An incremental decoder.
///
/// Push bytes, then take frames until there are none; at the end of the body call [`SseDecoder::finish`] and take the
/// rest. Every byte is scanned once, also when one long line arrives in tiny chunks. A frame with one `data` line
/// borrows it from the buffer.
///
/// ```
/// let mut decoder = pi_ai::transport::SseDecoder::new();
/// decoder.push(b"event: greeting\nda");
/// assert!(decoder.next_frame().is_none());
/// decoder.push(b"ta: hello\n\n");
/// let frame = decoder.next_frame().ok_or("no frame")?;
/// assert_eq!((frame.event, frame.data), (Some("greeting"), "hello"));
/// # Ok::<(), &str>(())
/// ```
#[derive(Debug, Default)]
pub struct SseDecoder {
    buffer: Vec<u8>,
    /// Start of the frame under construction: what lies before it is no longer needed.
    frame_start: usize,
    /// Start of the line under construction.
    line_start: usize,
    /// There is no line end between `line_start` and here.
    scanned: usize,
    /// The last line ended with CR: an LF right after it belongs to the same line end.
    after_cr: bool,
    /// The first line was read: a byte order mark can no longer come.
    started: bool,
    ended: bool,
    /// Fields of the frame under construction, as ranges of `buffer`.
    event: Option<Range<usize>>,
    data: Vec<Range<usize>>,
    /// Texts of the frame handed out last, where they could not be borrowed from `buffer`.
    event_text: String,
    data_text: String,
}

impl SseDecoder {
    /// A decoder at the start of a body.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends bytes of the body.
    pub fn push(&mut self, bytes: &[u8]) {
        self.compact();
        self.buffer.extend_from_slice(bytes);
    }

    /// Marks the end of the body: an unterminated line and an unterminated frame count as complete.
    pub fn finish(&mut self) {
        self.ended = true;
    }

    /// The next complete frame. Frames without a `data` line are skipped.
    pub fn next_frame(&mut self) -> Option<Frame<'_>> {
        while let Some(line) = self.next_line() {
            if !line.is_empty() {
                self.read_field(line);
            } else if self.frame_is_complete() {
                return Some(self.take_frame());
            }
        }
        (self.ended && self.frame_is_complete()).then(|| self.take_frame())
    }

    /// Moves the unread bytes to the front once they are the smaller part, so that each byte moves O(1) times.
    fn compact(&mut self) {
        let offset = self.frame_start;
        if offset == 0 || offset < self.buffer.len() - offset {
            return;
        }
        self.buffer.drain(..offset);
        self.frame_start = 0;
        self.line_start -= offset;
        self.scanned -= offset;
        for range in self.event.iter_mut().chain(&mut self.data) {
            *range = range.start - offset..range.end - offset;
        }
    }

    /// The next complete line without its end.
    fn next_line(&mut self) -> Option<Range<usize>> {
        if self.after_cr && self.line_start < self.buffer.len() {
            self.after_cr = false;
            if self.buffer[self.line_start] == b'\n' {
                self.line_start += 1;
                self.scanned = self.line_start;
            }
        }
        let Some(length) = memchr2(b'\n', b'\r', &self.buffer[self.scanned..]) else {
            self.scanned = self.buffer.len();
            let unterminated = self.line_start..self.buffer.len();
            self.line_start = if self.ended { self.buffer.len() } else { self.line_start };
            return (self.ended && !unterminated.is_empty()).then(|| self.without_mark(unterminated));
        };
        let line = self.line_start..self.scanned + length;
        self.after_cr = self.buffer[line.end] == b'\r';
        self.line_start = line.end + 1;
        self.scanned = self.line_start;
        Some(self.without_mark(line))
    }

    fn without_mark(&mut self, mut line: Range<usize>) -> Range<usize> {
        if !std::mem::replace(&mut self.started, true) && self.buffer[line.clone()].starts_with(BYTE_ORDER_MARK) {
            line.start += BYTE_ORDER_MARK.len();
        }
        line
    }

    /// Remembers `event` and `data`; comments and other fields are skipped.
    fn read_field(&mut self, line: Range<usize>) {
        let bytes = &self.buffer[line.clone()];
        let name_length = memchr(b':', bytes).unwrap_or(bytes.len());
        let separator = if bytes[name_length..].starts_with(b": ") { 2 } else { 1 };
        let value = (line.start + name_length + separator).min(line.end)..line.end;
        match &bytes[..name_length] {
            b"data" => self.data.push(value),
            b"event" => self.event = Some(value),
            _ if self.data.is_empty() && self.event.is_none() => self.frame_start = self.line_start,
            _ => {}
        }
    }

    /// Whether a frame with data is pending; a pending frame without data is forgotten.
    fn frame_is_complete(&mut self) -> bool {
        if self.data.is_empty() {
            self.event = None;
            self.frame_start = self.line_start;
        }
        !self.data.is_empty()
    }

    fn take_frame(&mut self) -> Frame<'_> {
        self.frame_start = self.line_start;
        let event = self.event.take().filter(|range| !range.is_empty());
        let event = event.map(|range| text(&self.buffer[range], &mut self.event_text));
        let data = if let [only] = &self.data[..] {
            text(&self.buffer[only.clone()], &mut self.data_text)
        } else {
            let lines: Vec<&[u8]> = self.data.iter().map(|range| &self.buffer[range.clone()]).collect();
            self.data_text = into_text(lines.join(&b'\n'));
            &self.data_text
        };
        self.data.clear();
        Frame { event, data }
    }
}

impl FrameReader for SseDecoder {
    fn push(&mut self, bytes: &[u8]) {
        Self::push(self, bytes);
    }

    fn finish(&mut self) {
        Self::finish(self);
    }

    fn next_frame(&mut self) -> Option<Result<Frame<'_>, Error>> {
        let too_long = self.buffer.len() - self.frame_start > LONGEST_FRAME;
        let frame = Self::next_frame(self).map(Ok);
        let message = "The stream holds a frame of more than 64 MiB.";
        if frame.is_none() && too_long {
            Some(Err(Error::Answer(AnswerError::Decode { message: message.to_owned() })))
        } else {
            frame
        }
    }
}

/// The bytes as text; a copy with replacement characters in `scratch` when they are not UTF-8.
fn text<'a>(bytes: &'a [u8], scratch: &'a mut String) -> &'a str {
    std::str::from_utf8(bytes).unwrap_or_else(|_| {
        *scratch = String::from_utf8_lossy(bytes).into_owned();
        scratch
    })
}

fn into_text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

#[cfg(test)]
#[path = "sse_tests.rs"]
mod tests;
