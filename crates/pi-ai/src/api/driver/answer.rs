//! Reads the body of an accepted response, one frame at a time.
//!
//! Every wait here ends with the caller's cancellation or with the stall watchdog, whichever comes first.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures::future::FutureExt;
use futures::stream::{BoxStream, StreamExt};
use tokio_util::sync::CancellationToken;

use super::preamble::Preamble;
use crate::answer_limit::AnswerLimit;
use crate::api::wire::{Decoder, FrameReader, Progress, WireFormat};
use crate::builder::MessageBuilder;
use crate::error::{AnswerError, Error};
use crate::options::StreamOptions;
use crate::transport::HttpResponse;
use crate::transport::watchdog::Watchdog;

/// A server that leaves the connection open after a complete answer does not hold it up longer than this.
const GRACE: Duration = Duration::from_secs(2);

/// What [`ResponseReader::advance`] achieved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// Events may have been queued; there is more to read.
    More,
    /// The answer is complete and valid.
    Complete,
}

/// A body that is being read.
pub(super) struct ResponseReader<W: WireFormat> {
    format: Arc<W>,
    decoder: W::Decoder,
    status: u16,
    /// `None` once it has ended.
    body: Option<BoxStream<'static, Result<Bytes, Error>>>,
    frames: W::Frames,
    preamble: Preamble,
    limit: AnswerLimit,
    watchdog: Watchdog,
    /// Whether there was progress since the last read.
    progressed: bool,
    cancel: CancellationToken,
}

impl<W: WireFormat> ResponseReader<W> {
    /// Starts reading; from now on the watchdog counts.
    pub(super) fn new(
        format: Arc<W>,
        decoder: W::Decoder,
        response: HttpResponse,
        limit: AnswerLimit,
        options: &StreamOptions,
    ) -> Self {
        Self {
            format,
            decoder,
            status: response.status,
            body: Some(response.body),
            frames: W::Frames::default(),
            preamble: Preamble::default(),
            limit,
            watchdog: Watchdog::new(options.stall_timeout),
            progressed: false,
            cancel: options.cancel.clone(),
        }
    }

    /// Decodes the next frame, or reads more of the body.
    pub(super) async fn advance(&mut self, message: &mut MessageBuilder) -> Result<Step, Error> {
        if self.cancel.is_cancelled() {
            return Err(Error::Aborted);
        }
        let outcome = match self.decode(message) {
            Some(outcome) => outcome,
            None => self.read(message).await,
        };
        // Whatever went wrong after the caller cancelled went wrong because of it.
        outcome.map_err(|cause| if self.cancel.is_cancelled() { Error::Aborted } else { cause })
    }

    /// Tells the decoder that the answer fails.
    pub(super) fn failed(&mut self, cause: &Error, message: &mut MessageBuilder) {
        self.decoder.failed(cause, message);
    }

    /// Feeds the decoder with one frame, or with the end; `None` when more of the body is needed.
    fn decode(&mut self, message: &mut MessageBuilder) -> Option<Result<Step, Error>> {
        let Some(frame) = self.frames.next_frame() else {
            return self.body.is_none().then(|| self.finish(message));
        };
        self.preamble.forget();
        Some(match frame.and_then(|frame| self.decoder.feed(frame, message)) {
            Ok(Progress::Finished) => {
                self.release();
                self.finish(message)
            }
            Ok(progress) => {
                self.progressed |= progress == Progress::Meaningful;
                Ok(Step::More)
            }
            Err(error) => Err(error),
        })
    }

    fn finish(&mut self, message: &mut MessageBuilder) -> Result<Step, Error> {
        if let Some(complaint) = self.preamble.complaint() {
            let message = self.format.http_error(self.status, &complaint);
            return Err(Error::Answer(AnswerError::Provider {
                message: format!("The server did not send an event stream: {message}"),
            }));
        }
        self.decoder.finish(message).map(|()| Step::Complete)
    }

    /// Waits for more of the body.
    async fn read(&mut self, message: &MessageBuilder) -> Result<Step, Error> {
        let Some(body) = &mut self.body else { return Ok(Step::More) };
        self.limit.check(&message.partial())?;
        // Only now: the time that the consumer took for the events is not the server's silence.
        if std::mem::take(&mut self.progressed) {
            self.watchdog.reset();
        }
        let complete = self.decoder.is_complete();
        let chunk = tokio::select! {
            biased;
            () = self.cancel.cancelled() => return Err(Error::Aborted),
            chunk = body.next() => chunk,
            // Made only when it is polled: without limits a call reads no clock.
            () = async { tokio::time::sleep(GRACE).await }, if complete => None,
            // Pings may keep a complete answer's connection open for ever.
            stalled = self.watchdog.expired() => if complete { None } else { return Err(stalled) },
        };
        match chunk {
            Some(Ok(chunk)) => {
                self.limit.count(chunk.len());
                self.preamble.push(&chunk);
                self.frames.push(&chunk);
            }
            Some(Err(broken)) if !complete => return Err(broken),
            Some(Err(_)) | None => {
                self.body = None;
                self.frames.finish();
            }
        }
        Ok(Step::More)
    }

    /// Stops reading. One look without waiting: when the end of the body is already here, the connection can be used
    /// again.
    fn release(&mut self) {
        if let Some(mut body) = self.body.take() {
            let _ = body.next().now_or_never();
        }
    }
}
