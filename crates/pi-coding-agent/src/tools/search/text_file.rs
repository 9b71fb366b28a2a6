//! Searches one file as `rg` does: line by line, in bounded memory, with UTF-16 recognised by its byte order mark.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use grep_regex::RegexMatcher;
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder};
use rustix::fs::OFlags;

use super::lines::{Lines, Wanted};
use super::pieces::{Breaks, Pieces};
use super::stop::Stop;
use crate::tools::operations::GrepMatch;

/// Searches files one after the other; each thread has its own.
#[derive(Debug)]
pub(super) struct FileSearch<'a> {
    matcher: RegexMatcher,
    searcher: Searcher,
    wanted: Wanted,
    stop: &'a Stop,
}

impl<'a> FileSearch<'a> {
    pub(super) fn new(matcher: RegexMatcher, wanted: Wanted, stop: &'a Stop) -> Self {
        let searcher = SearcherBuilder::new()
            .line_number(true)
            .before_context(wanted.context)
            .after_context(wanted.context)
            .build();
        Self { matcher, searcher, wanted, stop }
    }

    /// Searches a file that the model has named: also a binary one, to its end.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(super) fn named(&mut self, path: &Path) -> io::Result<Vec<GrepMatch>> {
        self.searcher.set_binary_detection(BinaryDetection::none());
        self.search(path).map(|(found, _)| found)
    }

    /// Searches a file that was come across, up to where it turns out to be binary. Returns the bytes of the text, too.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(super) fn met(&mut self, path: &Path) -> io::Result<(Vec<GrepMatch>, usize)> {
        self.searcher.set_binary_detection(BinaryDetection::quit(0));
        self.search(path)
    }

    fn search(&mut self, path: &Path) -> io::Result<(Vec<GrepMatch>, usize)> {
        let breaks = Breaks::default();
        let file = Pieces::new(open(path)?, self.stop, &breaks);
        let mut lines = Lines::new(path, self.wanted, &breaks);
        self.searcher.search_reader(&self.matcher, file, &mut lines)?;
        Ok(lines.into_found())
    }
}

/// Opens a file in such a way that one that has become a pipe, or pretends to be a file as some below `/proc` do, fails
/// instead of blocking.
fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).custom_flags(OFlags::NONBLOCK.bits() as i32).open(path)
}
