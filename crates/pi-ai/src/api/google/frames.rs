//! Framing: server-sent events, after which (or instead of which) a bare JSON value may come. The service reports an
//! error that way when it has already begun to answer.

use memchr::memchr2;

use crate::api::wire::{Frame, FrameReader};
use crate::error::{AnswerError, Error};
use crate::transport::SseDecoder;

/// A value that never ends must not fill the memory. In bytes.
const LONGEST_VALUE: usize = 64 * 1024 * 1024;

/// Cuts an answer into frames.
#[derive(Debug, Default)]
pub(crate) struct GoogleFrames {
    events: SseDecoder,
    /// The bytes so far end inside a line.
    in_line: bool,
    /// The bare value: everything from a line on that begins as no event's line does.
    value: Option<Vec<u8>>,
    /// Text of the value, once the body has ended.
    value_text: String,
    ended: bool,
}

impl GoogleFrames {
    /// Where a line begins with a JSON object or array.
    fn find_value(&mut self, bytes: &[u8]) -> Option<usize> {
        let mut at = 0;
        while at < bytes.len() {
            if !self.in_line && matches!(bytes[at], b'{' | b'[') {
                return Some(at);
            }
            self.in_line = true;
            let Some(length) = memchr2(b'\n', b'\r', &bytes[at..]) else { break };
            at += length + 1;
            self.in_line = false;
        }
        None
    }
}

impl FrameReader for GoogleFrames {
    fn push(&mut self, bytes: &[u8]) {
        if let Some(value) = &mut self.value {
            value.extend_from_slice(bytes);
            return;
        }
        match self.find_value(bytes) {
            Some(at) => {
                self.events.push(&bytes[..at]);
                // What is pending before a bare value was not meant to go on.
                self.events.finish();
                self.value = Some(bytes[at..].to_vec());
            }
            None => self.events.push(bytes),
        }
    }

    fn finish(&mut self) {
        self.events.finish();
        self.ended = true;
    }

    fn next_frame(&mut self) -> Option<Result<Frame<'_>, Error>> {
        if let Some(event) = FrameReader::next_frame(&mut self.events) {
            return Some(event);
        }
        let too_long = self.value.as_ref().is_some_and(|value| value.len() > LONGEST_VALUE);
        if too_long {
            let message = "The stream holds a JSON value of more than 64 MiB.";
            return Some(Err(Error::Answer(AnswerError::Decode { message: message.to_owned() })));
        }
        let value = self.value.take_if(|_| self.ended)?;
        self.value_text = String::from_utf8_lossy(&value).into_owned();
        Some(Ok(Frame { event: None, data: &self.value_text }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames(body: &str, split: usize) -> Vec<String> {
        let mut reader = GoogleFrames::default();
        let mut found = Vec::new();
        for piece in body.as_bytes().chunks(split) {
            reader.push(piece);
            while let Some(frame) = reader.next_frame() {
                found.push(frame.unwrap().data.to_owned());
            }
        }
        reader.finish();
        while let Some(frame) = reader.next_frame() {
            found.push(frame.unwrap().data.to_owned());
        }
        found
    }

    #[test]
    fn events_and_a_bare_value() {
        for (body, expected) in [
            ("data: {\"a\":1}\r\n\r\ndata: 2\n\n", vec!["{\"a\":1}", "2"]),
            ("data: 1\n\n{\"error\":{\n}}\n", vec!["1", "{\"error\":{\n}}\n"]),
            ("data: 1\n{\"error\":1}", vec!["1", "{\"error\":1}"]),
            ("[{\"a\":1},\r\n{\"a\":2}]", vec!["[{\"a\":1},\r\n{\"a\":2}]"]),
            (": {\n\nevent: [\n\ndata: x{\n\n", vec!["x{"]),
            ("data: 1\r{", vec!["1", "{"]),
            ("", vec![]),
        ] {
            for split in [1, 2, 3, 7, 1000] {
                assert_eq!(frames(body, split), expected, "{body:?} in pieces of {split}");
            }
        }
    }
}
