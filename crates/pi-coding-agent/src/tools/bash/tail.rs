//! The end of a command's output, in bounded memory, with the figures of all of it.

use memchr::{memchr_iter, memrchr};

use crate::tools::truncate::{TruncationLimits, TruncationResult, truncate_tail};

/// Decoded text of which only the end is kept.
#[derive(Debug, Default)]
pub(crate) struct OutputTail {
    limits: TruncationLimits,
    text: String,
    /// UTF-8 bytes of everything so far.
    total_bytes: usize,
    /// Lines that ended in LF.
    closed_lines: usize,
    /// UTF-8 bytes of the line that has not ended.
    open_line_bytes: usize,
    /// UTF-8 bytes of the last line that has ended.
    closed_line_bytes: usize,
}

impl OutputTail {
    /// Appends text, and forgets the start when there is twice as much as is worth keeping.
    pub(crate) fn push(&mut self, text: &str) {
        self.count(text);
        self.text.push_str(text);
        // Twice the limit is kept: more than can be shown, so that what is shown does not depend on when we cut.
        let keep = 2 * self.limits.bytes;
        if self.text.len() > 2 * keep {
            let start = self.text.ceil_char_boundary(self.text.len() - keep);
            self.text.drain(..start);
        }
    }

    /// What may be shown now, with the totals of the whole output.
    pub(crate) fn snapshot(&self) -> TruncationResult {
        let shown = truncate_tail(&self.text, self.limits);
        TruncationResult { total_lines: self.total_lines(), total_bytes: self.total_bytes, ..shown }
    }

    /// Whether the output is more than may be shown.
    pub(crate) fn exceeds_limits(&self) -> bool {
        self.total_bytes > self.limits.bytes || self.total_lines() > self.limits.lines
    }

    /// UTF-8 bytes of the last line, LF excluded.
    pub(crate) fn last_line_bytes(&self) -> usize {
        if self.open_line_bytes > 0 { self.open_line_bytes } else { self.closed_line_bytes }
    }

    fn total_lines(&self) -> usize {
        self.closed_lines + usize::from(self.open_line_bytes > 0)
    }

    fn count(&mut self, text: &str) {
        self.total_bytes += text.len();
        self.closed_lines += memchr_iter(b'\n', text.as_bytes()).count();
        match memrchr(b'\n', text.as_bytes()) {
            None => self.open_line_bytes += text.len(),
            Some(end) => {
                let line =
                    memrchr(b'\n', &text.as_bytes()[..end]).map_or(end + self.open_line_bytes, |at| end - at - 1);
                self.closed_line_bytes = line;
                self.open_line_bytes = text.len() - end - 1;
            }
        }
    }
}
