//! Lines of standard input: split at LF only, an optional CR before it dropped, a last line without LF counted.
//!
//! U+2028 and U+2029 are ordinary characters. Reading and parsing happen on a thread of their own: a read that waits for
//! a client must not hold up the end of the program, nor a long line the run. What waits to be taken is bounded; then the
//! thread stops reading, and the client's writes wait.

use std::io::{self, BufRead, BufReader, Read};
use std::sync::Arc;

use memchr::memchr;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

use super::command::Request;

/// The longest line in bytes, its end not counted. It is also how much may wait to be taken.
pub(crate) const MAX_LINE: usize = 64 << 20;
/// A short line counts as so many bytes, so that there are not too many of them.
const LEAST: usize = 1 << 10;

/// Commands as they arrive.
#[derive(Debug)]
pub struct Lines {
    receiver: mpsc::UnboundedReceiver<Incoming>,
    room: Arc<Semaphore>,
}

/// A command, and its place among those that wait. That is free again when the command is started.
#[derive(Debug)]
pub(super) struct Incoming {
    pub(super) request: Request,
    /// Whether the next line had arrived, too, when this one was read.
    pub(super) has_next: bool,
    _place: Option<OwnedSemaphorePermit>,
}

/// A line, or that there was one.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// Without its end.
    Whole(Vec<u8>),
    /// It was skipped.
    TooLong,
}

impl Lines {
    /// The next command; `None` at the end of the input.
    pub(super) async fn next(&mut self) -> Option<Incoming> {
        self.receiver.recv().await
    }
}

impl Drop for Lines {
    fn drop(&mut self) {
        // Ends the thread if it waits for room.
        self.room.close();
    }
}

/// Starts to read. The commands end at the end of the input, or when it cannot be read.
///
/// # Errors
/// When the thread cannot be started.
pub fn read_lines(input: impl Read + Send + 'static) -> io::Result<Lines> {
    let (sender, receiver) = mpsc::unbounded_channel();
    let room = Arc::new(Semaphore::new(MAX_LINE));
    let lines = Lines { receiver, room: Arc::clone(&room) };
    std::thread::Builder::new().name("stdin".to_owned()).spawn(move || {
        let mut input = BufReader::with_capacity(1 << 16, input);
        while let Some(line) = next_line(&mut input, MAX_LINE) {
            let Some(place) = place_for(&line, &room) else { return };
            let request = request_of(&line);
            drop(line);
            let has_next = memchr(b'\n', input.buffer()).is_some();
            if sender.send(Incoming { request, has_next, _place: Some(place) }).is_err() {
                return;
            }
        }
    })?;
    Ok(lines)
}

/// Waits until there is room for the line. `None` when nobody takes lines any more.
fn place_for(line: &Line, room: &Arc<Semaphore>) -> Option<OwnedSemaphorePermit> {
    let length = match line {
        Line::Whole(line) => line.len(),
        Line::TooLong => 0,
    };
    let size = u32::try_from(length.clamp(LEAST, MAX_LINE)).ok()?;
    futures::executor::block_on(Arc::clone(room).acquire_many_owned(size)).ok()
}

fn request_of(line: &Line) -> Request {
    match line {
        Line::Whole(line) => Request::parse(line),
        Line::TooLong => Request::unreadable(format!(
            "the line is longer than {MAX_LINE} bytes ({} MiB) and was skipped; send less in one command",
            MAX_LINE >> 20
        )),
    }
}

/// Reads a line of at most `limit` bytes, and no more than that of a longer one, which is skipped.
pub(crate) fn next_line(input: &mut impl BufRead, limit: usize) -> Option<Line> {
    let mut line = Vec::new();
    // Two more for the line's end. A reading error ends the input just as the client's end does.
    let length = input.by_ref().take(limit as u64 + 2).read_until(b'\n', &mut line).ok()?;
    if length == 0 {
        return None;
    }
    let is_ended = line.ends_with(b"\n");
    if is_ended {
        line.pop();
        if line.ends_with(b"\r") {
            line.pop();
        }
    }
    if line.len() <= limit {
        return Some(Line::Whole(line));
    }
    drop(line);
    if !is_ended {
        skip_line(input).ok()?;
    }
    Some(Line::TooLong)
}

/// Throws away everything up to the end of the line.
fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffer = input.fill_buf()?;
        if buffer.is_empty() {
            return Ok(());
        }
        let (count, ended) = memchr(b'\n', buffer).map_or((buffer.len(), false), |at| (at + 1, true));
        input.consume(count);
        if ended {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn lines(input: &[u8], limit: usize, buffer: usize) -> Vec<Line> {
        let mut input = BufReader::with_capacity(buffer, input);
        std::iter::from_fn(|| next_line(&mut input, limit)).collect()
    }

    #[test]
    fn lines_end_at_lf_only() {
        let input = "one\r\n\ntwo\u{2028}still two\nthree\rstill three\nlast".as_bytes();
        let expected = ["one", "", "two\u{2028}still two", "three\rstill three", "last"];
        assert_eq!(lines(input, 100, 7), expected.map(|line| Line::Whole(line.into())));
    }

    #[test]
    fn a_line_that_is_too_long_costs_only_itself() {
        let whole = |text: &str| Line::Whole(text.into());
        for (input, expected) in [
            ("12345\r\n1\n", vec![whole("12345"), whole("1")]),
            ("123456\n1\n", vec![Line::TooLong, whole("1")]),
            ("123456\r\n1\n", vec![Line::TooLong, whole("1")]),
            ("1234567\n1\n", vec![Line::TooLong, whole("1")]),
            ("1234567890123456789\n1", vec![Line::TooLong, whole("1")]),
            ("1234567", vec![Line::TooLong]),
            ("12345", vec![whole("12345")]),
            ("12345\r", vec![Line::TooLong]),
        ] {
            for buffer in [1, 3, 64] {
                assert_eq!(lines(input.as_bytes(), 5, buffer), expected, "{input:?}");
            }
        }
    }

    #[tokio::test]
    async fn every_line_becomes_a_request() {
        let mut lines = read_lines(&b"{\"type\":\"abort\"}\n\nlast"[..]).unwrap();
        let mut names = Vec::new();
        while let Some(incoming) = lines.next().await {
            names.push(incoming.request.name.unwrap());
        }
        assert_eq!(names, ["abort", "parse", "parse"]);
    }

    #[tokio::test]
    async fn what_waits_is_bounded() {
        // Every line counts as a kibibyte, so the last of these has no room.
        let count = MAX_LINE / LEAST + 1;
        let (reader, mut writer) = io::pipe().unwrap();
        let feeding = std::thread::spawn(move || {
            use std::io::Write;
            writer.write_all(&vec![b'\n'; count]).unwrap();
        });
        let mut lines = read_lines(reader).unwrap();
        feeding.join().unwrap();
        // The thread takes a place before it sends, so an empty room does not yet mean that all were sent.
        while lines.receiver.len() < count - 1 {
            tokio::task::yield_now().await;
        }
        assert_eq!(lines.room.available_permits(), 0);
        assert_eq!(lines.receiver.len(), count - 1);
        for _ in 0..count {
            assert!(lines.next().await.is_some());
        }
        assert!(lines.next().await.is_none());
    }

    proptest! {
        #[test]
        fn any_bytes_are_split_at_lf(input in prop::collection::vec(prop::sample::select(b"ab\r\n\xff\xe2\x80\xa8".to_vec()), 0..40), buffer in 1usize..9) {
            let mut expected: Vec<&[u8]> = input.split(|byte| *byte == b'\n').collect();
            let tail = expected.pop().unwrap_or_default();
            let mut expected: Vec<Line> =
                expected.into_iter().map(|line| line.strip_suffix(b"\r").unwrap_or(line)).map(|line| Line::Whole(line.into())).collect();
            if !tail.is_empty() {
                expected.push(Line::Whole(tail.into()));
            }
            prop_assert_eq!(lines(&input, 100, buffer), expected);
        }
    }
}
