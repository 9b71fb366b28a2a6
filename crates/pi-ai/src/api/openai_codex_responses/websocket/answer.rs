//! A response as it arrives over a WebSocket, in the bytes of server-sent events.

use std::sync::Arc;

use bytes::Bytes;
use futures::stream::{self, BoxStream, StreamExt};

use crate::error::Error;

use super::call::{Call, Lease};

/// Reads a response; hands the connection back when the body is dropped, unless it failed.
struct Reader {
    call: Arc<Call>,
    lease: Option<Lease>,
}

/// The body of a response that begins with the message `first`.
pub(super) fn body(call: Arc<Call>, lease: Lease, first: &[u8]) -> BoxStream<'static, Result<Bytes, Error>> {
    let reader = Reader { call, lease: Some(lease) };
    let first = stream::iter([Ok(frame(first))]);
    first.chain(stream::unfold(reader, Reader::next)).boxed()
}

impl Reader {
    async fn next(mut self) -> Option<(Result<Bytes, Error>, Self)> {
        let message = self.lease.as_mut()?.connection.socket.receive().await;
        if message.is_err() {
            self.lease = None;
        }
        Some((message.map(|message| frame(&message)), self))
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        if let Some(lease) = self.lease.take() {
            self.call.park(lease);
        }
    }
}

/// A message as one frame, whatever lines it has.
fn frame(message: &[u8]) -> Bytes {
    let mut frame = Vec::with_capacity(message.len() + b"data: \n\n".len());
    for line in message.split(|byte| matches!(byte, b'\n' | b'\r')) {
        frame.extend_from_slice(b"data: ");
        frame.extend_from_slice(line);
        frame.push(b'\n');
    }
    frame.push(b'\n');
    frame.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transport::SseDecoder;

    #[test]
    fn a_message_is_one_frame() {
        for (message, expected) in [
            (r#"{"type":"x"}"#, r#"{"type":"x"}"#),
            ("{\n  \"type\": \"x\"\r\n}\n", "{\n  \"type\": \"x\"\n\n}\n"),
            ("event: y\n\ndata: z", "event: y\n\ndata: z"),
            ("", ""),
        ] {
            let mut decoder = SseDecoder::new();
            decoder.push(&frame(message.as_bytes()));
            let frame = decoder.next_frame().unwrap();
            assert_eq!((frame.event, frame.data), (None, expected));
            assert!(decoder.next_frame().is_none());
        }
    }
}
