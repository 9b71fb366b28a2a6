//! Writes a cassette while requests pass.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use async_stream::stream;
use bytes::Bytes;
use futures::future::{BoxFuture, FutureExt};
use futures::stream::{Stream, StreamExt};
use http::HeaderMap;
use serde_json::Value;
use tokio::time::Instant;

use super::super::{HttpRequest, HttpResponse, HttpTransport};
use super::exchange::{End, Exchange, Piece, RecordedRequest, RecordedResponse, VERSION};
use super::scrub::{REDACTED, Scrubber};
use super::tape::{Notes, Tape};
use super::tape_clock::TapeClock;
use crate::error::{Error, NetworkError};
use crate::secrets::is_secret_name;

/// Headers that are written down with their value.
const HARMLESS_HEADERS: &[&str] = &[
    "accept",
    "anthropic-beta",
    "anthropic-version",
    "content-type",
    "openai-beta",
    "request-id",
    "retry-after",
    "retry-after-ms",
    "user-agent",
    "x-request-id",
    "x-should-retry",
];

/// A transport that writes down what passes through it.
#[derive(Debug)]
pub struct Recorder {
    inner: Arc<dyn HttpTransport>,
    tape: Arc<Tape>,
    clock: Option<Arc<TapeClock>>,
}

impl Recorder {
    /// Records what `inner` does. A file that exists is continued.
    ///
    /// # Errors
    /// [`Error::Cassette`] when the file cannot be opened.
    pub fn open(path: &Path, inner: Arc<dyn HttpTransport>) -> Result<Self, Error> {
        Ok(Self { inner, tape: Arc::new(Tape::open(path)?), clock: None })
    }

    /// Records what `inner` does into a file of its own.
    ///
    /// # Errors
    /// [`Error::Cassette`] when the file cannot be opened, or holds something already.
    pub fn create(path: &Path, inner: Arc<dyn HttpTransport>) -> Result<Self, Error> {
        let recorder = Self::open(path, inner)?;
        if !recorder.tape.is_empty() {
            let path = recorder.tape.path().display();
            let message = format!("The cassette {path} holds a recording already; name a new file");
            return Err(Error::Cassette { message });
        }
        Ok(recorder)
    }

    /// Sets this clock with every request and every end, and writes down what it shows.
    #[must_use]
    pub fn with_clock(mut self, clock: Arc<TapeClock>) -> Self {
        self.clock = Some(clock);
        self
    }

    /// For writing down other things than exchanges.
    pub fn notes(&self) -> Notes {
        Notes(Arc::clone(&self.tape))
    }

    async fn record(&self, request: HttpRequest) -> Result<HttpResponse, Error> {
        if let Some(failure) = self.tape.failure() {
            return Err(failure);
        }
        let mut take = Take::new(Arc::clone(&self.tape), self.clock.clone(), &request);
        match self.inner.send(request).await {
            Ok(response) => {
                take.accept(&response);
                Ok(HttpResponse { body: pass(take, response.body).boxed(), ..response })
            }
            Err(error) => {
                take.end(End::Error(detail(&error)));
                Err(error)
            }
        }
    }
}

impl HttpTransport for Recorder {
    fn send(&self, request: HttpRequest) -> BoxFuture<'_, Result<HttpResponse, Error>> {
        self.record(request).boxed()
    }

    /// Not this one: what fetches a token, and the token, must not be written down.
    fn for_credentials(&self) -> Option<Arc<dyn HttpTransport>> {
        Some(self.inner.for_credentials().unwrap_or_else(|| Arc::clone(&self.inner)))
    }
}

/// What a replay needs to make the same error again.
fn detail(error: &Error) -> String {
    match error {
        Error::Network(NetworkError::Connection { detail } | NetworkError::Body { detail }) => detail.clone(),
        other => other.to_string(),
    }
}

/// Hands the body through and takes notes.
fn pass(
    mut take: Take,
    mut body: impl Stream<Item = Result<Bytes, Error>> + Unpin + Send + 'static,
) -> impl Stream<Item = Result<Bytes, Error>> + Send + 'static {
    stream! {
        while let Some(chunk) = body.next().await {
            match &chunk {
                Ok(bytes) => take.note(bytes),
                Err(error) => take.end(End::Error(detail(error))),
            }
            yield chunk;
        }
        take.end(End::Complete);
    }
}

/// An exchange that is under way. It is written when it ends, or when it is dropped before that.
struct Take {
    tape: Arc<Tape>,
    clock: Option<Arc<TapeClock>>,
    scrubber: Scrubber,
    start: Instant,
    exchange: Option<Exchange>,
    pieces: Vec<Bytes>,
    times: Vec<u64>,
}

impl Take {
    fn new(tape: Arc<Tape>, clock: Option<Arc<TapeClock>>, request: &HttpRequest) -> Self {
        let scrubber = tape.scrubber_for(request);
        let body = scrubber.text(&String::from_utf8_lossy(&request.body));
        let recorded = RecordedRequest {
            method: request.method.to_string(),
            url: scrubber.text(&request.url),
            headers: selected(&request.headers, &scrubber),
            body: serde_json::from_str(&body).unwrap_or(Value::String(body)),
        };
        let exchange = Exchange {
            cassette: VERSION,
            n: tape.next_number(),
            request: recorded,
            response: None,
            end: End::Truncated,
            started: clock.as_deref().map(TapeClock::tick),
            ended: None,
        };
        let (start, exchange) = (Instant::now(), Some(exchange));
        Self { tape, clock, scrubber, start, exchange, pieces: Vec::new(), times: Vec::new() }
    }

    fn elapsed(&self) -> u64 {
        self.start.elapsed().as_millis() as u64
    }

    fn accept(&mut self, response: &HttpResponse) {
        self.scrubber.learn_headers(&response.headers);
        let headers = selected(&response.headers, &self.scrubber);
        let recorded = RecordedResponse { status: response.status, headers, at: self.elapsed(), body: Vec::new() };
        if let Some(exchange) = &mut self.exchange {
            exchange.response = Some(recorded);
        }
    }

    fn note(&mut self, bytes: &Bytes) {
        self.times.push(self.elapsed());
        self.pieces.push(bytes.clone());
    }

    /// Writes the exchange; only the first end counts.
    fn end(&mut self, end: End) {
        let Some(mut exchange) = self.exchange.take() else { return };
        exchange.ended = self.clock.as_deref().map(TapeClock::tick);
        exchange.end = match end {
            End::Error(text) => End::Error(self.scrubber.text(&text)),
            other => other,
        };
        if let Some(response) = &mut exchange.response {
            let pieces = self.scrubber.pieces(&self.pieces).into_iter();
            response.body = self.times.iter().zip(pieces).map(|(at, bytes)| Piece::new(*at, bytes)).collect();
        }
        self.tape.write(&exchange);
    }
}

impl Drop for Take {
    fn drop(&mut self) {
        self.end(End::Truncated);
    }
}

/// The headers worth keeping: harmless ones with their value, credentials by name.
fn selected(headers: &HeaderMap, scrubber: &Scrubber) -> BTreeMap<String, String> {
    let keep = |(name, value): (&http::HeaderName, &http::HeaderValue)| {
        let value = match name.as_str() {
            harmless if HARMLESS_HEADERS.contains(&harmless) => {
                scrubber.text(&String::from_utf8_lossy(value.as_bytes()))
            }
            secret if value.is_sensitive() || is_secret_name(secret) => REDACTED.to_owned(),
            _ => return None,
        };
        Some((name.as_str().to_owned(), value))
    };
    headers.iter().filter_map(keep).collect()
}
