//! Tells a script's reports from what it moves, in one stream of bytes cut anywhere.

use bytes::{Buf, Bytes, BytesMut};
use memchr::memmem::Finder;

/// Before and after every record.
const BORDER: u8 = 0x1e;

/// A part of what came from over there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Frame {
    /// What the script moves.
    Data(Bytes),
    /// What the script reports.
    Record(String),
}

/// Takes the stream apart. What comes before the first record is noise: start-up files that print something.
#[derive(Debug)]
pub(super) struct FrameBuffer {
    mark: Finder<'static>,
    held: BytesMut,
    started: bool,
}

impl FrameBuffer {
    /// For a script with this number.
    pub(super) fn new(number: &str) -> Self {
        let mark = [&[BORDER], number.as_bytes(), b" "].concat();
        Self { mark: Finder::new(&mark).into_owned(), held: BytesMut::new(), started: false }
    }

    /// The next bytes; returns what is complete.
    pub(super) fn feed(&mut self, bytes: &[u8]) -> Vec<Frame> {
        self.held.extend_from_slice(bytes);
        let mut frames = Vec::new();
        while let Some(at) = self.mark.find(&self.held) {
            let from = at + self.mark.needle().len();
            let Some(length) = memchr::memchr(BORDER, &self.held[from..]) else {
                self.take(at, &mut frames);
                return frames;
            };
            self.take(at, &mut frames);
            let record = &self.held[self.mark.needle().len()..][..length];
            frames.push(Frame::Record(String::from_utf8_lossy(record).into_owned()));
            self.held.advance(self.mark.needle().len() + length + 1);
            self.started = true;
        }
        let safe = self.held.len() - self.begun_mark();
        self.take(safe, &mut frames);
        frames
    }

    /// What is left when nothing more will come.
    pub(super) fn end(&mut self) -> Option<Frame> {
        let mut frames = Vec::new();
        self.take(self.held.len(), &mut frames);
        frames.pop()
    }

    /// Moves the next `count` bytes out, as data.
    fn take(&mut self, count: usize, frames: &mut Vec<Frame>) {
        let data = self.held.split_to(count).freeze();
        if self.started && !data.is_empty() {
            frames.push(Frame::Data(data));
        }
    }

    /// How many of the last bytes may be the beginning of a mark.
    fn begun_mark(&self) -> usize {
        let mark = self.mark.needle();
        let tail = &self.held[self.held.len().saturating_sub(mark.len() - 1)..];
        // The border is in a mark but once, at its start: only the last one can have begun a mark.
        let last = memchr::memrchr(BORDER, tail).map(|at| &tail[at..]);
        last.filter(|begun| mark.starts_with(begun)).map_or(0, <[u8]>::len)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const NUMBER: &str = "00ff";

    /// All frames of a stream that arrives in pieces of these sizes, over and over; data that follows data joined.
    fn frames_of(stream: &[u8], sizes: &[usize]) -> Vec<Frame> {
        let (mut frames, mut all) = (FrameBuffer::new(NUMBER), Vec::new());
        let (mut rest, mut sizes) = (stream, sizes.iter().cycle());
        while !rest.is_empty() {
            let (piece, next) = rest.split_at(rest.len().min(*sizes.next().unwrap()));
            all.extend(frames.feed(piece));
            rest = next;
        }
        all.extend(frames.end());
        all.into_iter().fold(Vec::new(), |mut joined, frame| {
            match (joined.last_mut(), frame) {
                (Some(Frame::Data(last)), Frame::Data(more)) => *last = [&last[..], &more[..]].concat().into(),
                (_, frame) => joined.push(frame),
            }
            joined
        })
    }

    fn data(bytes: &[u8]) -> Frame {
        Frame::Data(Bytes::copy_from_slice(bytes))
    }

    fn record(text: &str) -> Frame {
        Frame::Record(text.to_owned())
    }

    #[test]
    fn noise_data_and_records() {
        let stream = b"Welcome!\n\x1e00ff start\x1ea\x1e00fe b\x1e\x1e00ff ok\x1ec\x1e00";
        let expected = [record("start"), data(b"a\x1e00fe b\x1e"), record("ok"), data(b"c\x1e00")];
        assert_eq!(frames_of(stream, &[1000]), expected);
    }

    proptest! {
        #[test]
        fn pieces_do_not_matter(
            parts in prop::collection::vec(
                prop_oneof![
                    prop::collection::vec(any::<u8>(), 1..9).prop_map(|bytes| (false, bytes)),
                    "[ -~]{0,9}".prop_map(|text| (true, text.into_bytes())),
                    Just((false, b"\x1e00f".to_vec())),
                    Just((false, b"\x1e\x1e".to_vec())),
                ],
                0..12,
            ),
            sizes in prop::collection::vec(1usize..9, 1..5),
        ) {
            let mut stream = b"noise\x1e00ff start\x1e".to_vec();
            for (is_record, bytes) in parts {
                if is_record {
                    stream.extend([b"\x1e00ff ", &bytes[..], b"\x1e"].concat());
                } else {
                    stream.extend(bytes);
                }
            }
            prop_assert_eq!(frames_of(&stream, &sizes), frames_of(&stream, &[stream.len()]));
        }

        #[test]
        fn nothing_but_a_begun_mark_is_held_back(bytes in prop::collection::vec(0u8..0x1e, 1..99)) {
            let mut frames = FrameBuffer::new(NUMBER);
            frames.feed(b"\x1e00ff start\x1e");
            prop_assert_eq!(frames.feed(&bytes), [data(&bytes)]);
        }
    }
}
