//! Picks lines from a stream of bytes, in memory that depends on neither the file nor its lines.

use std::fmt;

use memchr::memchr_iter;

use crate::tools::decoder::StreamDecoder;
use crate::tools::truncate::{HeadCut, TruncationLimits, TruncationResult};

/// Lines of a text that comes in pieces. One that ends in LF has another, empty line.
#[derive(Debug)]
pub(super) struct LineScan {
    /// Index of the first line to take, from 0.
    start: usize,
    /// Index of the first line behind.
    end: usize,
    /// LFs so far: the index of the line under way.
    line: usize,
    decoder: StreamDecoder,
    head: HeadCut,
    /// Bytes that may still come for the figures alone.
    count_ahead: usize,
}

/// What a scan found.
#[derive(Debug)]
pub(super) struct Scanned {
    /// The selected lines, as far as they may be shown, with the figures of all of them.
    pub(super) shown: TruncationResult,
    /// Lines of the file.
    pub(super) total: Count,
    /// Lines behind the selection.
    pub(super) behind: Count,
    /// UTF-8 bytes of the first selected line.
    pub(super) first_line: Count,
}

/// A figure, which may not have been counted to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Count {
    Exactly(usize),
    MoreThan(usize),
}

impl LineScan {
    /// Takes the lines `start..end`. Once nothing more can be shown, up to `count_ahead` bytes are read to count what
    /// is left out.
    pub(super) fn new(start: usize, end: usize, count_ahead: usize) -> Self {
        let head = HeadCut::new(TruncationLimits::default());
        Self { start, end: end.max(start), line: 0, decoder: StreamDecoder::default(), head, count_ahead }
    }

    /// Takes the next piece, cut anywhere. `false` means that it is not wanted, nor what follows.
    pub(super) fn push(&mut self, piece: &[u8]) -> bool {
        if self.line >= self.start && (self.line >= self.end || self.head.is_full()) {
            let Some(left) = self.count_ahead.checked_sub(piece.len()) else { return false };
            self.count_ahead = left;
        }
        let (_, rest) = self.advance(piece, self.start);
        if self.line >= self.start {
            let (selected, rest) = self.advance(rest, self.end);
            self.head.push(&self.decoder.decode(selected));
            self.advance(rest, usize::MAX);
        }
        true
    }

    /// What was found; `complete` says whether every piece was taken.
    ///
    /// # Errors
    /// The number of lines, when there are too few for the selection to start.
    pub(super) fn finish(mut self, complete: bool) -> Result<Scanned, usize> {
        let lines = self.line + 1;
        if self.start >= lines {
            return Err(lines);
        }
        self.head.push(&self.decoder.finish());
        let end = self.end.min(lines);
        let (total, behind) = if complete {
            (Count::Exactly(lines), Count::Exactly(lines - end))
        } else {
            (Count::MoreThan(self.line), Count::MoreThan(self.line.saturating_sub(end)))
        };
        let first_line = match self.head.first_line_bytes() {
            bytes if complete || self.line > self.start => Count::Exactly(bytes),
            bytes => Count::MoreThan(bytes),
        };
        Ok(Scanned { shown: self.head.finish(), total, behind, first_line })
    }

    /// Moves on to the line of index `to`: what lies before it, without the LF, and what lies behind.
    fn advance<'a>(&mut self, piece: &'a [u8], to: usize) -> (&'a [u8], &'a [u8]) {
        let wanted = to.saturating_sub(self.line);
        if wanted == 0 {
            return (&[], piece);
        }
        // Counting is much faster than looking at each, and most pieces hold no end of the selection.
        let found = memchr_iter(b'\n', piece).count();
        let line_end = if found < wanted { None } else { memchr_iter(b'\n', piece).nth(wanted - 1) };
        self.line += found.min(wanted);
        line_end.map_or((piece, &[]), |at| (&piece[..at], &piece[at + 1..]))
    }
}

impl Count {
    /// Whether there is anything at all.
    pub(super) fn is_some(self) -> bool {
        self != Self::Exactly(0)
    }

    /// The same with the figure in other words.
    pub(super) fn show(self, figure: impl FnOnce(usize) -> String) -> String {
        match self {
            Self::Exactly(count) => figure(count),
            Self::MoreThan(count) => format!("more than {}", figure(count)),
        }
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.show(|count| count.to_string()))
    }
}
