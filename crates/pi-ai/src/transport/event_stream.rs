//! Cuts a body into frames of Amazon's event stream: length, headers, payload, each part under a checksum.
//!
//! The layout of a frame and its checksums are the business of `aws-smithy-eventstream`; here is what that leaves out:
//! any chunk boundary, a bound on what is held, and what the headers mean. Nothing here knows an event.

use aws_smithy_eventstream::frame::read_message_from;
use aws_smithy_types::event_stream::Message;
use bytes::{Bytes, BytesMut};

use super::{Frame, FrameReader};
use crate::error::{AnswerError, Error};

/// A frame's length, its headers' length and the checksum of the two.
const PRELUDE: usize = 12;
/// Longer frames are refused. Amazon's services send payloads of at most 24 MiB.
const LONGEST_FRAME: usize = 32 * 1024 * 1024;
/// As much of a body that is no event stream is shown, in bytes.
const SHOWN: usize = 300;

/// Begins the event name of a frame that reports a failure; the rest is the failure's name.
pub(crate) const FAILURE: &str = "failure:";

/// A reader of frames. `Frame::event` is the event's type, or [`FAILURE`] and the name of an exception.
#[derive(Debug, Default)]
pub(crate) struct EventStreamReader {
    pending: BytesMut,
    /// What the latest frame borrows from.
    event: Option<String>,
    payload: Bytes,
    /// The body cannot be read any further: where a frame ends is lost.
    broken: bool,
    ended: bool,
}

impl FrameReader for EventStreamReader {
    fn push(&mut self, bytes: &[u8]) {
        if !self.broken {
            self.pending.extend_from_slice(bytes);
        }
    }

    /// A frame that is not complete by now never will be.
    fn finish(&mut self) {
        self.ended = true;
    }

    fn next_frame(&mut self) -> Option<Result<Frame<'_>, Error>> {
        match self.next_message() {
            Ok(message) => self.keep(&message?),
            Err(error) => {
                self.broken = true;
                self.pending = BytesMut::new();
                return Some(Err(error));
            }
        }
        Some(match std::str::from_utf8(&self.payload) {
            Ok(data) => Ok(Frame { event: self.event.as_deref(), data }),
            Err(_) => Err(unreadable("a payload is not UTF-8 text")),
        })
    }
}

impl EventStreamReader {
    /// Takes the next complete message off the pending bytes.
    fn next_message(&mut self) -> Result<Option<Message>, Error> {
        let Some((length, _)) = self.pending.split_first_chunk() else { return Ok(None) };
        let length = usize::try_from(u32::from_be_bytes(*length)).unwrap_or(usize::MAX);
        if !(PRELUDE..=LONGEST_FRAME).contains(&length) {
            return self.no_frame(length);
        }
        if self.pending.len() < length {
            return Ok(None);
        }
        let frame = self.pending.split_to(length).freeze();
        read_message_from(frame).map(Some).map_err(|error| unreadable(&error.to_string()))
    }

    /// The bytes are no frame. Text, such as a proxy's page, explains itself once enough of it is there.
    fn no_frame(&self, length: usize) -> Result<Option<Message>, Error> {
        let start = &self.pending[..self.pending.len().min(SHOWN)];
        if !is_text(start) {
            return Err(unreadable(&format!("a frame of {length} bytes is announced")));
        }
        if start.len() < SHOWN && !self.ended {
            return Ok(None);
        }
        Err(unreadable(&format!("it is text: {}", String::from_utf8_lossy(start).trim())))
    }

    /// Keeps what the frame is made of. Failures that the service has modelled are exceptions and have their text in
    /// the payload; others are errors with code and text in headers.
    fn keep(&mut self, message: &Message) {
        self.payload = message.payload().clone();
        self.event = match header(message, ":message-type") {
            Some("exception") => Some(failure(message, ":exception-type")),
            Some("error") => {
                self.payload = header(message, ":error-message").unwrap_or_default().to_owned().into();
                Some(failure(message, ":error-code"))
            }
            _ => header(message, ":event-type").map(str::to_owned),
        };
    }
}

/// Whether the bytes are text, the last character of which may be cut.
fn is_text(bytes: &[u8]) -> bool {
    let is_utf8 = std::str::from_utf8(bytes).map_or_else(|error| error.error_len().is_none(), |_| true);
    is_utf8 && bytes.iter().all(|byte| !byte.is_ascii_control() || byte.is_ascii_whitespace())
}

fn failure(message: &Message, name: &str) -> String {
    format!("{FAILURE}{}", header(message, name).unwrap_or_default())
}

fn header<'a>(message: &'a Message, name: &str) -> Option<&'a str> {
    let header = message.headers().iter().find(|header| header.name().as_str() == name)?;
    header.value().as_string().ok().map(aws_smithy_types::str_bytes::StrBytes::as_str)
}

fn unreadable(detail: &str) -> Error {
    Error::Answer(AnswerError::Decode { message: format!("The response is not a valid AWS event stream: {detail}") })
}

#[cfg(test)]
#[path = "event_stream_tests.rs"]
mod tests;
