//! Reads the body of an accepted response, one event at a time.
//!
//! Every wait ends with the caller's cancellation or with the stall watchdog, whichever comes first. A body that ends
//! before the message does is a failure.

use bytes::Bytes;
use futures::FutureExt;
use futures::stream::{BoxStream, StreamExt};
use pi_ai::transport::{HttpResponse, Watchdog};
use pi_ai::{AnswerLimit, Error, Halves, StreamOptions, repair_json};
use tokio_util::sync::CancellationToken;

use super::lines::Lines;
use super::rebuild::{Ending, Rebuild};
use super::wire::{PREFIX, WireEvent};

/// A body that is being read.
pub(super) struct Answer {
    /// `None` once it has ended.
    body: Option<BoxStream<'static, Result<Bytes, Error>>>,
    content_type: String,
    lines: Lines,
    halves: Halves,
    limit: AnswerLimit,
    watchdog: Watchdog,
    /// Whether there was an event at all, and whether there was one since the last read.
    any_event: bool,
    progressed: bool,
    cancel: CancellationToken,
}

impl Answer {
    /// Starts reading; from now on the watchdog counts.
    pub(super) fn new(response: HttpResponse, limit: AnswerLimit, options: &StreamOptions) -> Self {
        let content_type = response.headers.get(http::header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
        Self {
            content_type: content_type.unwrap_or("none").to_owned(),
            body: Some(response.body),
            lines: Lines::default(),
            halves: Halves::default(),
            limit,
            watchdog: Watchdog::new(options.stall_timeout),
            any_event: false,
            progressed: false,
            cancel: options.cancel.clone(),
        }
    }

    /// Takes in the next line, or reads more of the body; returns the ending with the last event.
    pub(super) async fn advance(&mut self, message: &mut Rebuild) -> Result<Option<Ending>, Error> {
        if self.cancel.is_cancelled() {
            return Err(Error::Aborted);
        }
        let outcome = match self.decode(message) {
            Ok(None) => self.read(message).await,
            Ok(Some(Step::Skipped)) => Ok(()),
            Ok(Some(Step::Event)) => {
                (self.any_event, self.progressed) = (true, true);
                Ok(())
            }
            Ok(Some(Step::Ended(ending))) => {
                self.release();
                return Ok(Some(*ending));
            }
            Err(error) => Err(error),
        };
        // Whatever went wrong after the caller cancelled went wrong because of it.
        outcome.map(|()| None).map_err(|cause| if self.cancel.is_cancelled() { Error::Aborted } else { cause })
    }

    /// Takes in a line; `None` when more of the body is needed.
    fn decode(&mut self, message: &mut Rebuild) -> Result<Option<Step>, Error> {
        if let Some(line) = self.lines.next_line()? {
            return take_line(line, &mut self.halves, message).map(Some);
        }
        if self.body.is_some() {
            return Ok(None);
        }
        let incomplete = incomplete(self.any_event, &self.content_type);
        match self.lines.rest().map(|line| take_line(line, &mut self.halves, message)) {
            // The last line may lack its end. One that was cut in the middle is no event.
            Some(Ok(step @ (Step::Event | Step::Ended(_)))) => Ok(Some(step)),
            _ => Err(incomplete),
        }
    }

    /// Waits for more of the body.
    async fn read(&mut self, message: &Rebuild) -> Result<(), Error> {
        let Some(body) = &mut self.body else { return Ok(()) };
        self.limit.check(&message.partial())?;
        // Only now: the time that the consumer took for the events is not the server's silence.
        if std::mem::take(&mut self.progressed) {
            self.watchdog.reset();
        }
        let chunk = tokio::select! {
            biased;
            () = self.cancel.cancelled() => return Err(Error::Aborted),
            chunk = body.next() => chunk,
            stalled = self.watchdog.expired() => return Err(stalled),
        };
        match chunk.transpose()? {
            Some(chunk) => {
                self.limit.count(chunk.len());
                self.lines.push(&chunk);
            }
            None => self.body = None,
        }
        Ok(())
    }

    /// Stops reading. One look without waiting: when the end of the body is already here, the connection can be used
    /// again.
    fn release(&mut self) {
        if let Some(mut body) = self.body.take() {
            let _ = body.next().now_or_never();
        }
    }
}

/// What a line was.
enum Step {
    /// Nothing that counts.
    Skipped,
    Event,
    Ended(Box<Ending>),
}

fn take_line(line: &[u8], halves: &mut Halves, message: &mut Rebuild) -> Result<Step, Error> {
    let Some(payload) = line.strip_prefix(PREFIX.as_bytes()) else { return Ok(Step::Skipped) };
    let payload = String::from_utf8_lossy(payload);
    let payload = halves.join(payload.trim());
    if payload.is_empty() {
        return Ok(Step::Skipped);
    }
    // Only a text that cannot be read is repaired: half a character would otherwise cost the whole message.
    let ending = match serde_json::from_str(&payload) {
        Ok(event) => message.apply(event)?,
        Err(error) => {
            message.apply(serde_json::from_str::<WireEvent<'_>>(&repair_json(&payload)).map_err(|_| {
                Error::Decode { message: format!("The proxy sent an event that cannot be read: {error}") }
            })?)?
        }
    };
    Ok(ending.map_or(Step::Event, |ending| Step::Ended(Box::new(ending))))
}

fn incomplete(any_event: bool, content_type: &str) -> Error {
    let message = if any_event {
        "The stream of the proxy ended before the message was complete".to_owned()
    } else {
        format!("The proxy answered without a single event (content type: {content_type}). Check the URL of the proxy.")
    };
    Error::Incomplete { message }
}
