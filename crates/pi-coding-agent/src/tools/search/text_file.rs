//! Searches one file as `rg` does: line by line, in bounded memory, with UTF-16 recognised by its byte order mark.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use grep_regex::RegexMatcher;
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder};
use rustix::fs::OFlags;

use super::lines::{LineRequest, Lines};
use super::long_lines::{Breaks, Pieces};
use super::prefilter::FilePrefilter;
use super::stop::Stop;
use crate::host::open_regular;
use crate::tools::operations::GrepMatch;

/// As much of a file is read at first, in bytes. Files that have no more are looked through at once.
const HEAD: usize = 64 << 10;

/// Searches files one after the other; each thread has its own.
#[derive(Debug)]
pub(super) struct FileSearch<'a> {
    matcher: RegexMatcher,
    sieve: FilePrefilter,
    searcher: Searcher,
    wanted: LineRequest,
    stop: &'a Stop,
    /// Room for the start of a file.
    head: Vec<u8>,
}

impl<'a> FileSearch<'a> {
    pub(super) fn new(matcher: RegexMatcher, sieve: FilePrefilter, wanted: LineRequest, stop: &'a Stop) -> Self {
        let searcher = SearcherBuilder::new()
            .line_number(true)
            .before_context(wanted.context)
            .after_context(wanted.context)
            .build();
        Self { matcher, sieve, searcher, wanted, stop, head: Vec::new() }
    }

    /// Searches a file that the model has named: also a binary one, to its end.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(super) fn named(&mut self, path: &Path) -> io::Result<Vec<GrepMatch>> {
        self.searcher.set_binary_detection(BinaryDetection::none());
        self.search(path, open_regular(path)?).map(|(found, _)| found)
    }

    /// Searches a file that was come across, up to where it turns out to be binary. Returns the bytes of the text, too.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(super) fn met(&mut self, path: &Path) -> io::Result<(Vec<GrepMatch>, usize)> {
        let mut file = open(path)?;
        let mut head = std::mem::take(&mut self.head);
        let found = self.search_behind(path, &mut file, &mut head);
        self.head = head;
        found
    }

    /// Searches a file after a look at its start.
    fn search_behind(
        &mut self,
        path: &Path,
        file: &mut File,
        head: &mut Vec<u8>,
    ) -> io::Result<(Vec<GrepMatch>, usize)> {
        head.resize(HEAD, 0);
        let read = read_up_to(file, head)?;
        let (head, is_whole) = (&head[..read], read < HEAD);
        if is_whole && !self.sieve.lets_pass(head) {
            return Ok((Vec::new(), 0));
        }
        self.searcher.set_binary_detection(BinaryDetection::quit(0));
        self.search(path, head.chain(file))
    }

    fn search(&mut self, path: &Path, file: impl Read) -> io::Result<(Vec<GrepMatch>, usize)> {
        let breaks = Breaks::default();
        let file = Pieces::new(file, self.stop, &breaks);
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

/// Fills the buffer as far as the file goes; returns the bytes read.
fn read_up_to(file: &mut File, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match file.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(filled)
}
