//! A file as lines, without ever holding more of it than a chunk or its longest line.

use std::io::{self, Read};
use std::ops::ControlFlow;

use memchr::memchr2;

/// What is read at once, in bytes.
const CHUNK: usize = 256 << 10;
/// Longer lines are left out, in bytes. No known writer comes near it.
const LINE_LIMIT: usize = 64 << 20;
/// A buffer that a long line made larger than this is given back.
const KEPT: usize = 4 * CHUNK;

/// Calls `each` with every line that is not blank, until it breaks. Lines end in `\n`, `\r\n` or `\r`; the last may lack
/// its end. A byte order mark is no part of the first. `buffer` is working space; one that is reused saves time.
pub(in crate::session) fn for_each_line(
    mut file: impl Read,
    buffer: &mut Vec<u8>,
    mut each: impl FnMut(&[u8]) -> ControlFlow<()>,
) -> io::Result<()> {
    let mut filled = 0;
    let mut lines = Lines { mark_possible: true, skipping: false };
    loop {
        make_room(buffer, filled);
        let read = match file.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let scanned = filled;
        filled += read;
        let ControlFlow::Continue(used) = lines.take(&buffer[..filled], scanned, &mut each) else { return Ok(()) };
        buffer.copy_within(used..filled, 0);
        filled -= used;
    }
    if let Some(rest) = buffer.get(..filled) {
        let _ = lines.give(rest, &mut each);
    }
    if buffer.len() > KEPT {
        buffer.truncate(CHUNK);
        buffer.shrink_to_fit();
    }
    Ok(())
}

fn make_room(buffer: &mut Vec<u8>, filled: usize) {
    if buffer.len() < filled + CHUNK / 2 {
        buffer.resize((2 * filled).max(CHUNK), 0);
    }
}

struct Lines {
    mark_possible: bool,
    /// Whether the bytes up to the next end of line belong to one that is too long.
    skipping: bool,
}

impl Lines {
    /// Gives away the whole lines of `bytes`, of which the first `scanned` have no end of line. Returns how many bytes
    /// are done with.
    fn take(
        &mut self,
        bytes: &[u8],
        scanned: usize,
        each: &mut impl FnMut(&[u8]) -> ControlFlow<()>,
    ) -> ControlFlow<(), usize> {
        let mut start = 0;
        let mut from = scanned;
        while let Some(found) = memchr2(b'\n', b'\r', &bytes[from..]) {
            let end = from + found;
            self.skipping |= end - start > LINE_LIMIT;
            self.give(&bytes[start..end], each)?;
            start = end + 1;
            from = start;
        }
        if bytes.len() - start > LINE_LIMIT {
            self.skipping = true;
            start = bytes.len();
        }
        ControlFlow::Continue(start)
    }

    fn give(&mut self, line: &[u8], each: &mut impl FnMut(&[u8]) -> ControlFlow<()>) -> ControlFlow<()> {
        let marked = std::mem::take(&mut self.mark_possible);
        let line = line.strip_prefix(b"\xef\xbb\xbf").filter(|_| marked).unwrap_or(line);
        if std::mem::take(&mut self.skipping) || line.is_empty() {
            return ControlFlow::Continue(());
        }
        each(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads no more than so many bytes at once.
    struct Slow<'a>(&'a [u8], usize);

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let size = self.1.min(buffer.len());
            self.0.read(&mut buffer[..size])
        }
    }

    fn lines(text: &[u8], at_once: usize) -> Vec<String> {
        let mut found = vec![];
        for_each_line(Slow(text, at_once), &mut Vec::new(), |line| {
            found.push(String::from_utf8_lossy(line).into_owned());
            ControlFlow::Continue(())
        })
        .unwrap();
        found
    }

    #[test]
    fn lines_end_in_any_way_and_wherever_reads_end() {
        for (text, expected) in [
            ("", vec![]),
            ("\n\r\n\r", vec![]),
            ("a\nb\r\nc\rd", vec!["a", "b", "c", "d"]),
            ("\u{feff}a\n\u{feff}b\n", vec!["a", "\u{feff}b"]),
            ("a\u{2028}b\n", vec!["a\u{2028}b"]),
        ] {
            for at_once in [1, 2, 3, 100] {
                assert_eq!(lines(text.as_bytes(), at_once), expected, "{text:?} by {at_once}");
            }
        }
    }

    #[test]
    fn long_lines_fit_and_too_long_ones_are_left_out() {
        let long = "x".repeat(3 * CHUNK);
        assert_eq!(lines(format!("a\n{long}\nb").as_bytes(), usize::MAX), ["a", &long, "b"]);
        let mut endless = vec![b'x'; LINE_LIMIT + 2 * CHUNK];
        endless.extend(b"\nb\n");
        assert_eq!(lines(&endless, usize::MAX), ["b"]);
    }

    #[test]
    fn whoever_has_enough_says_so() {
        let mut count = 0;
        for_each_line(&b"a\nb\nc\n"[..], &mut Vec::new(), |_| {
            count += 1;
            if count == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
        .unwrap();
        assert_eq!(count, 2);
    }
}
