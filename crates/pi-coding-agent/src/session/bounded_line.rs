//! A line of a session file, read whole but not at any price: what has no line ends is no session.

use std::io::{self, BufRead, Read};

/// Longest line that is read, in bytes. The answer of a model or a picture is far below.
pub(super) const LONGEST: u64 = 256 << 20;

/// Reads up to the next line end, which is kept, behind what is in `line`. Returns the bytes read, 0 at the end.
///
/// # Errors
/// Those of the reader, and one for a line that is longer than any that a program writes.
pub(super) fn read_whole_line(reader: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<usize> {
    let read = reader.take(LONGEST).read_until(b'\n', line)?;
    if read as u64 == LONGEST && line.last() != Some(&b'\n') {
        return Err(too_long());
    }
    Ok(read)
}

/// There is no such line in any session.
pub(super) fn too_long() -> io::Error {
    io::Error::other("it has a line of more than 256 MB; no session has such lines")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_never_ends_is_no_line() {
        let mut line = Vec::new();
        let mut text = &b"a\nb"[..];
        assert_eq!(read_whole_line(&mut text, &mut line).unwrap(), 2);
        assert_eq!((read_whole_line(&mut text, &mut line).unwrap(), line.as_slice()), (1, &b"a\nb"[..]));
        assert_eq!(read_whole_line(&mut text, &mut line).unwrap(), 0);
        let mut endless = io::BufReader::new(io::repeat(0));
        assert!(read_whole_line(&mut endless, &mut Vec::new()).unwrap_err().to_string().contains("256 MB"));
    }
}
