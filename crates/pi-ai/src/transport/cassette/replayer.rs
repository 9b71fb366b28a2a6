//! Serves a cassette without network.

use std::fmt;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use async_stream::stream;
use bytes::Bytes;
use futures::future::{BoxFuture, FutureExt};
use futures::stream::{Stream, StreamExt};
use http::{HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;
use tokio::time::Instant;

use super::super::{HttpRequest, HttpResponse, HttpTransport};
use super::exchange::{End, Exchange, RecordedResponse, VERSION};
use super::scrub::Scrubber;
use super::shape::Shape;
use crate::error::Error;

/// A transport that answers from a cassette, in order.
#[derive(Debug)]
pub struct Replayer {
    name: String,
    exchanges: Vec<Arc<Exchange>>,
    next: AtomicUsize,
    /// Where the run first differed from the recording. What comes after that cannot fit either and would only hide
    /// the cause.
    diverged: OnceLock<String>,
    speed: f64,
    scrubber: Scrubber,
}

impl Replayer {
    /// Reads a cassette from a file.
    ///
    /// # Errors
    /// [`Error::Cassette`] naming the file, and the line where one is malformed.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path)
            .map_err(|error| Error::Cassette { message: format!("Cannot read the cassette {name}: {error}") })?;
        Self::parse(&text, name)
    }

    /// Reads a cassette from its text; `name` stands for it in error texts.
    ///
    /// # Errors
    /// [`Error::Cassette`] naming the line that is malformed.
    pub fn parse(text: &str, name: impl Into<String>) -> Result<Self, Error> {
        let name = name.into();
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let exchanges: Result<Vec<_>, _> = lines
            .map(|(index, line)| {
                parse_line(line).map_err(|detail| Error::Cassette {
                    message: format!(
                        "Cassette {name}, line {}: {detail}. Remove the line or record the cassette again.",
                        index + 1
                    ),
                })
            })
            .collect();
        let mut exchanges = exchanges?;
        // Lines are in the order of the ends; requests are answered in the order of the beginnings.
        exchanges.sort_by_key(|exchange| exchange.n);
        Ok(Self {
            name,
            exchanges,
            next: AtomicUsize::new(0),
            diverged: OnceLock::new(),
            speed: 0.0,
            scrubber: Scrubber::new()?,
        })
    }

    /// Multiplies the recorded waiting times: 0, the default, does not wait at all, 1 keeps the recorded pace.
    #[must_use]
    pub fn with_speed(mut self, speed: f64) -> Self {
        self.speed = if speed.is_finite() { speed.max(0.0) } else { 0.0 };
        self
    }

    /// Requests that the cassette can still answer.
    pub fn remaining(&self) -> usize {
        self.exchanges.len().saturating_sub(self.next.load(Ordering::Relaxed))
    }

    /// The model that the first recorded request asks for, where its body or its path (as Google has it) names one.
    pub fn first_model(&self) -> Option<&str> {
        let request = &self.exchanges.first()?.request;
        let in_path = || Some(request.url.split_once("/models/")?.1.split_once(':')?.0);
        request.body.get("model").and_then(Value::as_str).or_else(in_path)
    }

    #[cfg(test)]
    pub(super) fn exchanges_for_test(&self) -> impl Iterator<Item = &str> {
        self.exchanges.iter().map(|exchange| exchange.request.url.as_str())
    }

    /// The recorded exchange for a request, if that has the recorded shape.
    fn find(&self, number: usize, request: &HttpRequest) -> Result<Arc<Exchange>, Error> {
        let Some(exchange) = self.exchanges.get(number - 1) else {
            let held = self.exchanges.len();
            return Err(self.error(number, format!("the cassette ends after {held} requests")));
        };
        let recorded = &exchange.request;
        let body: Value = serde_json::from_slice(&request.body).unwrap_or(Value::Null);
        let ours = Shape::new(request.method.as_str(), &self.scrubber.text(&request.url), &body);
        match ours.difference(&Shape::new(&recorded.method, &recorded.url, &recorded.body)) {
            Some(difference) => Err(self.error(number, difference)),
            None => Ok(Arc::clone(exchange)),
        }
    }

    fn error(&self, number: usize, detail: impl fmt::Display) -> Error {
        Error::Cassette { message: format!("Cassette {}, request {number}: {detail}.", self.name) }
    }

    async fn answer(&self, request: HttpRequest) -> Result<HttpResponse, Error> {
        let start = Instant::now();
        let number = self.next.fetch_add(1, Ordering::Relaxed) + 1;
        if let Some(message) = self.diverged.get() {
            return Err(Error::Cassette { message: message.clone() });
        }
        let exchange = self.find(number, &request).inspect_err(|error| {
            // Of several requests at once the first one counts.
            let _ = self.diverged.set(error.to_string());
        })?;
        let Some(response) = &exchange.response else {
            return Err(match &exchange.end {
                End::Error(detail) => Error::Connection { detail: detail.clone() },
                _ => self.error(number, "the recorded run gave up before an answer came"),
            });
        };
        let truncated = self.error(number, "the recorded run stopped reading here, this one goes on");
        let end = match &exchange.end {
            End::Complete => None,
            End::Truncated => Some(truncated),
            End::Error(detail) => Some(Error::Body { detail: detail.clone() }),
        };
        let body = decode(response).map_err(|detail| self.error(number, detail))?;
        let pace = Pace { start, speed: self.speed };
        pace.reach(response.at).await;
        let (status, headers) = (response.status, headers(response));
        Ok(HttpResponse { status, headers, body: play(body, end, pace).boxed() })
    }
}

impl HttpTransport for Replayer {
    fn send(&self, request: HttpRequest) -> BoxFuture<'_, Result<HttpResponse, Error>> {
        self.answer(request).boxed()
    }
}

fn parse_line(line: &str) -> Result<Arc<Exchange>, String> {
    let exchange: Exchange = serde_json::from_str(line).map_err(|error| error.to_string())?;
    if exchange.cassette != VERSION {
        return Err(format!("format {} is not known, only {VERSION}", exchange.cassette));
    }
    Ok(Arc::new(exchange))
}

fn decode(response: &RecordedResponse) -> Result<Vec<(u64, Bytes)>, String> {
    response.body.iter().map(|piece| Ok((piece.at, piece.bytes()?))).collect()
}

/// Headers that are legal; nothing else could have been recorded.
fn headers(response: &RecordedResponse) -> HeaderMap {
    let parse = |(name, value): (&String, &String)| {
        Some((HeaderName::from_bytes(name.as_bytes()).ok()?, HeaderValue::from_str(value).ok()?))
    };
    response.headers.iter().filter_map(parse).collect()
}

/// When things happen, relative to the request.
#[derive(Debug, Clone, Copy)]
struct Pace {
    start: Instant,
    speed: f64,
}

impl Pace {
    /// Waits until the recorded moment, unless it has passed.
    async fn reach(&self, milliseconds: u64) {
        let after = Duration::try_from_secs_f64(milliseconds as f64 / 1000.0 * self.speed);
        if let Some(moment) = after.ok().and_then(|after| self.start.checked_add(after))
            && moment > Instant::now()
        {
            tokio::time::sleep_until(moment).await;
        }
    }
}

fn play(
    body: Vec<(u64, Bytes)>,
    end: Option<Error>,
    pace: Pace,
) -> impl Stream<Item = Result<Bytes, Error>> + Send + 'static {
    stream! {
        for (at, bytes) in body {
            pace.reach(at).await;
            yield Ok(bytes);
        }
        if let Some(error) = end {
            yield Err(error);
        }
    }
}
