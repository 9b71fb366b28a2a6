//! Lines of standard input: split at LF only, an optional CR before it dropped, a last line without LF counted.
//!
//! U+2028 and U+2029 are ordinary characters. Reading happens on a thread of its own: a read that waits for a
//! client must not hold up the end of the program.

use std::io::{self, BufRead, BufReader, Read};

use tokio::sync::mpsc;

/// Lines that may wait to be taken.
const BACKLOG: usize = 64;

/// Starts to read. The channel closes at the end of the input, or when it cannot be read.
///
/// # Errors
/// When the thread cannot be started.
pub fn read_lines(input: impl Read + Send + 'static) -> io::Result<mpsc::Receiver<Vec<u8>>> {
    let (lines, receiver) = mpsc::channel(BACKLOG);
    std::thread::Builder::new().name("stdin".to_owned()).spawn(move || {
        let mut input = BufReader::with_capacity(1 << 16, input);
        while let Some(line) = next_line(&mut input) {
            if lines.blocking_send(line).is_err() {
                return;
            }
        }
    })?;
    Ok(receiver)
}

fn next_line(input: &mut impl BufRead) -> Option<Vec<u8>> {
    let mut line = Vec::new();
    // A reading error ends the input just as the client's end does.
    let length = input.read_until(b'\n', &mut line).ok()?;
    if length == 0 {
        return None;
    }
    if line.ends_with(b"\n") {
        line.pop();
        if line.ends_with(b"\r") {
            line.pop();
        }
    }
    Some(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn lines_end_at_lf_only() {
        let input = "one\r\n\ntwo\u{2028}still two\nthree\rstill three\nlast".as_bytes();
        let mut lines = read_lines(input).unwrap();
        let mut seen = Vec::new();
        while let Some(line) = lines.recv().await {
            seen.push(String::from_utf8(line).unwrap());
        }
        assert_eq!(seen, ["one", "", "two\u{2028}still two", "three\rstill three", "last"]);
    }
}
