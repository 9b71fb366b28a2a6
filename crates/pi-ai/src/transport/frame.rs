//! What lies between the bytes of a body and a decoder: frames, and what cuts a body into them.

use crate::error::Error;

/// One frame of a stream: a server-sent event, or the like in other framings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Frame<'a> {
    /// Event name; `None` when the frame has none.
    pub event: Option<&'a str>,
    /// Payload text.
    pub data: &'a str,
}

/// Cuts a body into frames, whatever the chunk boundaries: push bytes, then take frames until there are none.
pub(crate) trait FrameReader: Default + Send + 'static {
    /// Appends bytes of the body.
    fn push(&mut self, bytes: &[u8]);

    /// The body ended: what is pending counts as complete, if it can.
    fn finish(&mut self);

    /// The next complete frame.
    ///
    /// # Errors
    /// [`AnswerError::Decode`](crate::AnswerError::Decode) for bytes that cannot be a frame, or for one that is too
    /// long to be held.
    fn next_frame(&mut self) -> Option<Result<Frame<'_>, Error>>;
}
