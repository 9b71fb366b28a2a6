//! What a wire format implements: a request builder and a decoder. The driver does everything else.

use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use http::HeaderMap;
use serde_json::Value;

use super::payload::Payload;
use crate::builder::MessageBuilder;
use crate::context::Context;
use crate::error::Error;
use crate::model::Model;
use crate::options::StreamOptions;
use crate::transport::retry::{self, Backoff};
pub(crate) use crate::transport::{Frame, FrameReader};
use crate::transport::{HttpRequest, HttpResponse, HttpTransport};

/// A request in a wire format, before hooks and caller-supplied headers are applied.
#[derive(Debug, Clone)]
pub(crate) struct WireRequest {
    /// Absolute URL.
    pub(crate) url: String,
    /// Authentication, the format's own headers and the model's. The driver adds those of the options.
    pub(crate) headers: HeaderMap,
    /// The payload as a hook of the caller sees it; [`WireFormat::wire_body`] makes the body of it.
    pub(crate) body: Payload,
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
    /// The response was accepted, and this comes before its first frame. The message starts here, unless the format has
    /// an event of its own for that.
    fn accepted(&mut self, _headers: &HeaderMap, message: &mut MessageBuilder) {
        message.start();
    }

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
    /// [`AnswerError::Incomplete`](crate::AnswerError::Incomplete) when the terminal event is missing, or the error
    /// that the stop reason stands for.
    fn finish(&mut self, message: &mut MessageBuilder) -> Result<(), Error>;

    /// The answer fails for this reason, [`Error::Aborted`] included. A format whose consumers expect it closes what is
    /// open before the terminal event; by default blocks stay as they are.
    fn failed(&mut self, _cause: &Error, _message: &mut MessageBuilder) {}
}

/// One wire format, as the driver uses it.
pub(crate) trait WireFormat: Send + Sync + 'static {
    /// Its framing, nearly always [`crate::transport::SseDecoder`].
    type Frames: FrameReader;
    /// Its decoder.
    type Decoder: Decoder;

    /// Whether a call without an API key is a mistake. Formats with ambient credentials say no.
    fn requires_api_key(&self) -> bool {
        true
    }

    /// Whether the request goes to a provider. Then the caller's headers and the usual ones are added to it, hooks see it, and
    /// its URL is checked, which comes from a model. Otherwise it is sent as the format makes it.
    fn asks_a_provider(&self) -> bool {
        true
    }

    /// Builds the request; `options.api_key` is already resolved.
    ///
    /// # Errors
    /// What is missing or malformed. The stream ends with that error, without a `start` event.
    fn request(&self, model: &Model, context: &Context, options: &StreamOptions) -> Result<WireRequest, Error>;

    /// The body that is sent, in its key order. Formats whose payload hooks see the shape of the provider's own SDK
    /// translate it here.
    ///
    /// # Errors
    /// When a hook made something of the payload that cannot be translated.
    fn wire_body(&self, payload: Payload) -> Result<Payload, Error> {
        Ok(payload)
    }

    /// The URL of a request whose payload a hook has seen and may have changed, for formats that name the model in the path.
    fn wire_url(&self, url: String, _payload: &Value, _model: &Model) -> String {
        url
    }

    /// Completes a request that is otherwise ready: tokens that must be fetched, signatures over headers and body.
    fn authorize<'a>(
        &'a self,
        request: HttpRequest,
        _model: &'a Model,
        _options: &'a StreamOptions,
    ) -> BoxFuture<'a, Result<HttpRequest, Error>> {
        Box::pin(std::future::ready(Ok(request)))
    }

    /// The transport for a call; `inner` is the caller's or the shared one. A format with a transport of its own wraps it.
    fn transport(
        &self,
        inner: Arc<dyn HttpTransport>,
        _model: &Model,
        _options: &StreamOptions,
    ) -> Arc<dyn HttpTransport> {
        inner
    }

    /// How long response headers are awaited.
    fn header_timeout(&self, options: &StreamOptions) -> Duration {
        options.timeout
    }

    /// How long the body of a response with an error status is read; [`Duration::MAX`] reads no clock.
    fn error_body_timeout(&self, _options: &StreamOptions, usual: Duration) -> Duration {
        usual
    }

    /// How often a request is repeated that failed before its response was accepted.
    fn max_retries(&self, options: &StreamOptions) -> u32 {
        options.max_retries
    }

    /// Whether a response with an error status is worth another try; `body` is its beginning.
    fn is_retryable(&self, status: u16, headers: &HeaderMap, _body: &str) -> bool {
        retry::is_retryable_response(status, headers)
    }

    /// How long the next try waits when the server does not say.
    fn backoff(&self) -> Backoff {
        Backoff::default()
    }

    /// Whether the caller's response hook sees a response.
    fn is_reported(&self, response: &HttpResponse) -> bool {
        (200..300).contains(&response.status)
    }

    /// A fresh decoder for one answer to `context`.
    fn decoder(&self, model: &Arc<Model>, context: &Context, options: &StreamOptions) -> Self::Decoder;

    /// The call is over and its terminal event comes next: what the format learned beside the decoder goes into the
    /// message, what it keeps for the next call is kept. Not called when the stream is dropped before its end.
    fn conclude(&self, _outcome: Result<(), &Error>, _options: &StreamOptions, _message: &mut MessageBuilder) {}

    /// Words an error status the way clients of this format expect it, the status included.
    fn http_error(&self, status: u16, body: &str) -> String;

    /// As [`WireFormat::http_error`], for formats whose servers name the error in a header.
    fn rejected(&self, status: u16, _headers: &HeaderMap, body: &str) -> String {
        self.http_error(status, body)
    }
    /// What the message says of a failure, where it is not the text of its cause.
    fn failure_text(&self, _cause: &Error) -> Option<String> {
        None
    }
}
