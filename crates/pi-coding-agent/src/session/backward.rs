//! Reads the lines of a file from its end towards its start, in pieces of bounded size.

use std::fs::File;
use std::io;

use memchr::memrchr;

use super::bounded_line::{LONGEST, too_long};

/// How much is read at a time, at least, in bytes.
const CHUNK: usize = 1 << 18;

/// The lines of a file, the last one first.
#[derive(Debug)]
pub(super) struct BackwardLines<'f> {
    file: &'f File,
    /// A part of the file; what has been returned is cut off its end.
    buffer: Vec<u8>,
    /// Where the buffer starts in the file.
    start: u64,
    /// Where the line that was returned last starts in the buffer.
    rest: usize,
}

impl<'f> BackwardLines<'f> {
    /// The lines that end before `end`.
    pub(super) fn new(file: &'f File, end: u64) -> Self {
        Self { file, buffer: Vec::new(), start: end, rest: 0 }
    }

    /// The line before the last one returned, without its newline, and its place in the file. The last line of a file need
    /// not end in a newline.
    ///
    /// # Errors
    /// When the file cannot be read, or became shorter; for a line that is longer than any that a program writes.
    pub(super) fn next_back(&mut self) -> io::Result<Option<(u64, &[u8])>> {
        loop {
            let text = &self.buffer[..self.rest];
            let end = text.len() - usize::from(text.ends_with(b"\n"));
            let begin = match memrchr(b'\n', &text[..end]) {
                Some(newline) => newline + 1,
                None if self.start > 0 => {
                    self.read_more()?;
                    continue;
                }
                None if self.rest == 0 => return Ok(None),
                None => 0,
            };
            self.rest = begin;
            return Ok(Some((self.start + begin as u64, &self.buffer[begin..end])));
        }
    }

    /// Puts an earlier part of the file in front of what is left. A long line doubles the size, so that it is not looked
    /// through again and again.
    fn read_more(&mut self) -> io::Result<()> {
        if self.rest as u64 >= LONGEST {
            return Err(too_long());
        }
        let wanted = CHUNK.max(self.rest) as u64;
        let more = usize::try_from(wanted.min(self.start)).map_err(io::Error::other)?;
        let start = self.start - more as u64;
        if self.buffer.len() < more + self.rest {
            self.buffer.resize(more + self.rest, 0);
        }
        self.buffer.copy_within(..self.rest, more);
        read_exact_at(self.file, &mut self.buffer[..more], start)?;
        self.start = start;
        self.rest += more;
        Ok(())
    }
}

/// Reads from a place of a file without moving anybody's position in it.
#[cfg(unix)]
pub(super) fn read_exact_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, offset)
}

/// Reads from a place of a file.
#[cfg(windows)]
pub(super) fn read_exact_at(file: &File, mut buffer: &mut [u8], mut offset: u64) -> io::Result<()> {
    use std::os::windows::fs::FileExt;
    while !buffer.is_empty() {
        let read = match file.seek_read(buffer, offset)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => read,
        };
        buffer = &mut buffer[read..];
        offset += read as u64;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use proptest::prelude::*;

    use super::*;

    fn backward(content: &str) -> Vec<(u64, String)> {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(content.as_bytes()).unwrap();
        let mut lines = BackwardLines::new(&file, content.len() as u64);
        let mut found = vec![];
        while let Some((offset, line)) = lines.next_back().unwrap() {
            found.push((offset, String::from_utf8(line.to_vec()).unwrap()));
        }
        found.reverse();
        found
    }

    fn forward(content: &str) -> Vec<(u64, String)> {
        let mut offset = 0;
        let lines = content.split_inclusive('\n').map(|line| {
            let at = offset;
            offset += line.len() as u64;
            (at, line.strip_suffix('\n').unwrap_or(line).to_owned())
        });
        lines.collect()
    }

    #[test]
    fn long_lines_and_borders_of_chunks() {
        for length in [CHUNK - 2, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK + 7] {
            let long = "x".repeat(length);
            for content in [format!("{long}\n"), format!("a\n{long}\n\nb\n{long}"), format!("{long}\n{long}\nb")] {
                assert_eq!(backward(&content), forward(&content), "{length}");
            }
        }
    }

    proptest! {
        #[test]
        fn the_same_lines_as_forward(content in "([a-c]{0,6}\n?){0,30}") {
            prop_assert_eq!(backward(&content), forward(&content));
        }
    }
}
