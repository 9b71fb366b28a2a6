//! What a wire format's `decode.rs` implements, and what the driver feeds it.

use crate::error::Error;
use crate::partial::MessageBuilder;

/// One frame of a stream: a server-sent event, or the like in other framings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Frame<'a> {
    /// Event name; `None` when the frame has none.
    pub(crate) event: Option<&'a str>,
    /// Payload text.
    pub(crate) data: &'a str,
}

/// What a frame meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Progress {
    /// Something of the answer arrived: the stall watchdog starts over.
    Meaningful,
    /// A ping, a comment, an unknown event: the watchdog keeps counting.
    KeepAlive,
    /// The answer is complete; the rest of the body need not be read.
    Finished,
}

/// A state machine that reads frames and tells the builder what they mean. No I/O, no clock.
pub(crate) trait Decoder: Send {
    /// Reads one frame.
    ///
    /// # Errors
    /// Ends the stream with that error; the content so far is kept.
    fn feed(&mut self, frame: Frame<'_>, message: &mut MessageBuilder) -> Result<Progress, Error>;

    /// The body ended, or a frame was [`Progress::Finished`]: closes what is open and says whether the answer is
    /// complete. On success the builder holds the final stop reason.
    ///
    /// # Errors
    /// [`Error::Incomplete`] when the terminal event is missing, or the error that the stop reason stands for.
    fn finish(&mut self, message: &mut MessageBuilder) -> Result<(), Error>;
}
