//! Collects the matching lines of one file, each with the lines around it.

use std::collections::VecDeque;
use std::io;
use std::path::Path;

use grep_searcher::{Searcher, Sink, SinkContext, SinkFinish, SinkMatch};

use super::long_lines::{Breaks, breaks_before};
use crate::tools::operations::GrepMatch;

/// Most bytes of a line that are kept. A model sees 500 UTF-16 units of it, which never take more.
const LINE: usize = 2048;

/// What is wanted of a file.
#[derive(Debug, Clone, Copy)]
pub(super) struct LineRequest {
    /// Most matching lines.
    pub(super) limit: usize,
    /// Lines around each.
    pub(super) context: usize,
    /// Bytes of text after which no more matches are taken.
    pub(super) bytes: usize,
}

/// Receives the lines.
#[derive(Debug)]
pub(super) struct Lines<'a> {
    path: &'a Path,
    wanted: LineRequest,
    breaks: &'a Breaks,
    found: Vec<GrepMatch>,
    /// Matches before this one have all the lines after them.
    complete: usize,
    /// Lines that were seen last, as many as may come before a match.
    recent: VecDeque<(u64, String)>,
    last_line: u64,
    has_line_end: bool,
    bytes: usize,
}

impl<'a> Lines<'a> {
    pub(super) fn new(path: &'a Path, wanted: LineRequest, breaks: &'a Breaks) -> Self {
        let (found, recent) = (Vec::new(), VecDeque::new());
        Self { path, wanted, breaks, found, complete: 0, recent, last_line: 0, has_line_end: false, bytes: 0 }
    }

    /// Matches, and the bytes of their text.
    pub(super) fn into_found(self) -> (Vec<GrepMatch>, usize) {
        (self.found, self.bytes)
    }

    /// Takes a line; says whether more are wanted.
    fn take(&mut self, line: Option<u64>, offset: u64, bytes: &[u8], is_match: bool) -> bool {
        let line = line.unwrap_or_default() - breaks_before(self.breaks, offset);
        self.has_line_end = bytes.ends_with(b"\n");
        // A further piece of a line that was cut because it is too long.
        if line == self.last_line {
            return true;
        }
        self.last_line = line;
        let text = plain(bytes);
        self.add_after(&text);
        if is_match && !self.has_enough() {
            self.add_match(line, &text);
        }
        self.remember(line, text);
        !self.has_enough() || self.complete < self.found.len()
    }

    fn has_enough(&self) -> bool {
        self.found.len() >= self.wanted.limit || self.bytes >= self.wanted.bytes
    }

    fn add_after(&mut self, text: &str) {
        for found in &mut self.found[self.complete..] {
            found.after.push(text.to_owned());
            self.bytes += text.len();
        }
        let is_complete = |found: &GrepMatch| found.after.len() >= self.wanted.context;
        self.complete += self.found[self.complete..].iter().take_while(|found| is_complete(found)).count();
    }

    fn add_match(&mut self, line: u64, text: &str) {
        let is_near = |seen: u64| seen + self.wanted.context as u64 >= line;
        let before: Vec<String> =
            self.recent.iter().filter(|(seen, _)| is_near(*seen)).map(|(_, text)| text.clone()).collect();
        self.bytes += text.len() + self.path.as_os_str().len() + before.iter().map(String::len).sum::<usize>();
        self.found.push(GrepMatch {
            path: self.path.to_owned(),
            line,
            text: text.to_owned(),
            before,
            after: Vec::new(),
        });
        if self.wanted.context == 0 {
            self.complete = self.found.len();
        }
    }

    fn remember(&mut self, line: u64, text: String) {
        if self.wanted.context > 0 {
            if self.recent.len() == self.wanted.context {
                self.recent.pop_front();
            }
            self.recent.push_back((line, text));
        }
    }
}

impl Sink for Lines<'_> {
    type Error = io::Error;

    fn matched(&mut self, _: &Searcher, line: &SinkMatch<'_>) -> Result<bool, io::Error> {
        Ok(self.take(line.line_number(), line.absolute_byte_offset(), line.bytes(), true))
    }

    fn context(&mut self, _: &Searcher, line: &SinkContext<'_>) -> Result<bool, io::Error> {
        Ok(self.take(line.line_number(), line.absolute_byte_offset(), line.bytes(), false))
    }

    /// Matches that still wait for lines are at the end of the file. Clients expect the empty line that follows the
    /// last line end as context.
    fn finish(&mut self, _: &Searcher, end: &SinkFinish) -> Result<(), io::Error> {
        if self.has_line_end && end.binary_byte_offset().is_none() {
            self.add_after("");
        }
        Ok(())
    }
}

/// The text of a line: no line end, no carriage return, invalid UTF-8 replaced.
pub(in crate::tools) fn plain(line: &[u8]) -> String {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let kept: Vec<u8> = line.iter().copied().filter(|byte| *byte != b'\r').take(LINE).collect();
    String::from_utf8(kept).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned())
}
