//! Reads a file whose lines may be too long for memory: puts a line break into them every few megabytes and remembers
//! where, so that line numbers stay right.

use std::cell::RefCell;
use std::io::{self, Read};

use memchr::memrchr;

use super::stop::Stop;

/// Longest line that is searched in one piece, in bytes. A match across the border of two pieces is not found.
const PIECE: u64 = 4 << 20;

/// Where breaks were put in: offsets in what was read.
pub(super) type Breaks = RefCell<Vec<u64>>;

/// The reader. It ends early when the search is stopped.
#[derive(Debug)]
pub(super) struct Pieces<'a, R> {
    inner: R,
    stop: &'a Stop,
    breaks: &'a Breaks,
    /// Bytes given out.
    given: u64,
    /// Bytes since the last line break.
    run: u64,
    /// In UTF-16 a line break is two bytes; such files are left as they are.
    whole: bool,
}

impl<'a, R: Read> Pieces<'a, R> {
    pub(super) fn new(inner: R, stop: &'a Stop, breaks: &'a Breaks) -> Self {
        Self { inner, stop, breaks, given: 0, run: 0, whole: false }
    }

    fn put_break(&mut self, buffer: &mut [u8]) -> usize {
        buffer[0] = b'\n';
        self.breaks.borrow_mut().push(self.given);
        (self.run, self.given) = (0, self.given + 1);
        1
    }
}

impl<R: Read> Read for Pieces<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() || self.stop.is_set() {
            return Ok(0);
        }
        if self.run == PIECE && !self.whole {
            return Ok(self.put_break(buffer));
        }
        let room = if self.whole { usize::MAX } else { (PIECE - self.run) as usize };
        let most = buffer.len().min(room);
        let read = self.inner.read(&mut buffer[..most])?;
        let bytes = &buffer[..read];
        if self.given == 0 {
            self.whole = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
        }
        self.given += read as u64;
        self.run = memrchr(b'\n', bytes).map_or(self.run + read as u64, |at| (read - at - 1) as u64);
        Ok(read)
    }
}

/// Breaks before the line that starts at `offset`.
///
/// A byte order mark is read but not searched, so that offsets of the search may be a little smaller than ours.
pub(super) fn breaks_before(breaks: &Breaks, offset: u64) -> u64 {
    const MARK: u64 = 4;
    breaks.borrow().partition_point(|at| *at < offset + MARK) as u64
}
