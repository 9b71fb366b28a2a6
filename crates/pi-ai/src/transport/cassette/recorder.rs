//! Writes a cassette while requests pass.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use async_stream::stream;
use bytes::Bytes;
use futures::future::{BoxFuture, FutureExt};
use futures::stream::{Stream, StreamExt};
use http::HeaderMap;
use serde_json::Value;
use tokio::time::Instant;

use super::super::{HttpRequest, HttpResponse, HttpTransport};
use super::exchange::{End, Exchange, Piece, RecordedRequest, RecordedResponse, VERSION};
use super::scrub::{REDACTED, SECRET_HEADERS, Scrubber};
use crate::error::Error;

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
}

/// The file, shared by all exchanges that are under way.
#[derive(Debug)]
struct Tape {
    path: PathBuf,
    file: Mutex<File>,
    /// Requests so far, those of earlier runs included.
    count: AtomicU64,
    /// Why the last exchange could not be written.
    failure: Mutex<Option<Error>>,
    scrubber: Scrubber,
}

impl Recorder {
    /// Records what `inner` does. A file that exists is continued.
    ///
    /// # Errors
    /// [`Error::Cassette`] when the file cannot be opened.
    pub fn open(path: &Path, inner: Arc<dyn HttpTransport>) -> Result<Self, Error> {
        let (file, count) = open(path).map_err(|error| failure(path, &error))?;
        let tape = Tape {
            path: path.to_owned(),
            file: Mutex::new(file),
            count: AtomicU64::new(count),
            failure: Mutex::default(),
            scrubber: Scrubber::new()?,
        };
        Ok(Self { inner, tape: Arc::new(tape) })
    }

    async fn record(&self, request: HttpRequest) -> Result<HttpResponse, Error> {
        if let Some(failure) = self.tape.failure.lock().unwrap_or_else(PoisonError::into_inner).clone() {
            return Err(failure);
        }
        let mut take = Take::new(Arc::clone(&self.tape), &request);
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

/// Opens the file for appending and counts the lines that it has.
fn open(path: &Path) -> std::io::Result<(File, u64)> {
    let mut file = OpenOptions::new().create(true).append(true).read(true).open(path)?;
    let mut text = Vec::new();
    file.read_to_end(&mut text)?;
    if text.last().is_some_and(|byte| *byte != b'\n') {
        // A line that an earlier run could not finish must not spoil ours.
        file.write_all(b"\n")?;
    }
    Ok((file, text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).count() as u64))
}

fn failure(path: &Path, error: &std::io::Error) -> Error {
    Error::Cassette { message: format!("Cannot write the cassette {}: {error}", path.display()) }
}

/// What a replay needs to make the same error again.
fn detail(error: &Error) -> String {
    match error {
        Error::Connection { detail } | Error::Body { detail } => detail.clone(),
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
    scrubber: Scrubber,
    start: Instant,
    exchange: Option<Exchange>,
    pieces: Vec<Bytes>,
    times: Vec<u64>,
}

impl Take {
    fn new(tape: Arc<Tape>, request: &HttpRequest) -> Self {
        let scrubber = tape.scrubber.for_request(request);
        let body = scrubber.text(&String::from_utf8_lossy(&request.body));
        let recorded = RecordedRequest {
            method: request.method.to_string(),
            url: scrubber.text(&request.url),
            headers: selected(&request.headers, &scrubber),
            body: serde_json::from_str(&body).unwrap_or(Value::String(body)),
        };
        let n = tape.count.fetch_add(1, Ordering::Relaxed) + 1;
        let exchange = Exchange { cassette: VERSION, n, request: recorded, response: None, end: End::Truncated };
        let (start, exchange) = (Instant::now(), Some(exchange));
        Self { tape, scrubber, start, exchange, pieces: Vec::new(), times: Vec::new() }
    }

    fn elapsed(&self) -> u64 {
        self.start.elapsed().as_millis() as u64
    }

    fn accept(&mut self, response: &HttpResponse) {
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

impl Tape {
    /// Appends one line in one write. It happens once per model call and goes to the page cache, also from `drop`,
    /// where nothing could be awaited.
    fn write(&self, exchange: &Exchange) {
        let line = serde_json::to_string(exchange).map(|line| line + "\n").map_err(std::io::Error::from);
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(error) = line.and_then(|line| file.write_all(line.as_bytes())).and_then(|()| file.flush()) {
            let error = failure(&self.path, &error);
            tracing::warn!(%error, "recording failed");
            *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        }
    }
}

/// The headers worth keeping: harmless ones with their value, credentials by name.
fn selected(headers: &HeaderMap, scrubber: &Scrubber) -> BTreeMap<String, String> {
    let keep = |(name, value): (&http::HeaderName, &http::HeaderValue)| {
        let value = match name.as_str() {
            secret if SECRET_HEADERS.contains(&secret) => REDACTED.to_owned(),
            harmless if HARMLESS_HEADERS.contains(&harmless) => {
                scrubber.text(&String::from_utf8_lossy(value.as_bytes()))
            }
            _ => return None,
        };
        Some((name.as_str().to_owned(), value))
    };
    headers.iter().filter_map(keep).collect()
}
