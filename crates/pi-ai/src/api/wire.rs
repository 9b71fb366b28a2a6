//! What a wire format implements: a request builder and a decoder. The driver does everything else.

use std::sync::Arc;

use http::HeaderMap;
use serde_json::Value;

use crate::context::Context;
use crate::error::Error;
use crate::model::Model;
use crate::options::StreamOptions;
use crate::partial::MessageBuilder;
pub(crate) use crate::transport::Frame;

/// A request in a wire format, before hooks and caller-supplied headers are applied.
#[derive(Debug, Clone)]
pub(crate) struct WireRequest {
    /// Absolute URL.
    pub(crate) url: String,
    /// Authentication, the format's own headers and the model's. The driver adds those of the options.
    pub(crate) headers: HeaderMap,
    /// JSON body in the key order in which it is sent.
    pub(crate) body: Value,
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
pub(crate) trait Decoder: Send + 'static {
    /// Reads one frame.
    ///
    /// # Errors
    /// Ends the stream with that error; the content so far is kept.
    fn feed(&mut self, frame: Frame<'_>, message: &mut MessageBuilder) -> Result<Progress, Error>;

    /// Whether the answer is complete as it stands although more may follow in the same body: a connection that
    /// now falls silent or breaks is no failure, the driver goes on to [`Decoder::finish`].
    fn is_complete(&self) -> bool {
        false
    }

    /// The body ended, or a frame was [`Progress::Finished`]: closes what is open and says whether the answer is
    /// complete. On success the builder holds the final stop reason.
    ///
    /// # Errors
    /// [`Error::Incomplete`] when the terminal event is missing, or the error that the stop reason stands for.
    fn finish(&mut self, message: &mut MessageBuilder) -> Result<(), Error>;

    /// The caller cancelled while the body was being read. A format whose consumers expect it closes what is open
    /// before the terminal event; by default blocks stay as they are.
    fn cancelled(&mut self, _message: &mut MessageBuilder) {}
}

/// One wire format, as the driver uses it.
pub(crate) trait WireFormat: Send + Sync + 'static {
    /// Its decoder.
    type Decoder: Decoder;

    /// Whether a call without an API key is a mistake. Formats with ambient credentials say no.
    fn requires_api_key(&self) -> bool {
        true
    }

    /// Builds the request; `options.api_key` is already resolved.
    ///
    /// # Errors
    /// What is missing or malformed. The stream ends with that error, without a `start` event.
    fn request(&self, model: &Model, context: &Context, options: &StreamOptions) -> Result<WireRequest, Error>;

    /// A fresh decoder for one answer to `context`.
    fn decoder(&self, model: &Arc<Model>, context: &Context, options: &StreamOptions) -> Self::Decoder;

    /// Words an error status the way clients of this format expect it, the status included.
    fn http_error(&self, status: u16, body: &str) -> String;
}
