//! Serves a cassette without network.

use std::fmt;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures::future::{BoxFuture, FutureExt};
use futures::stream::StreamExt;
use http::{HeaderMap, HeaderName, HeaderValue};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use tokio::time::Instant;

use super::super::{HttpRequest, HttpResponse, HttpTransport};
use super::difference::first_difference;
use super::divergence::Divergence;
use super::exchange::{End, Exchange, RecordedResponse, VERSION};
use super::play::{Over, Pace, decode, play};
use super::regular_file::open_regular;
use super::scrub::Scrubber;
use super::shape::Shape;
use super::tape_clock::TapeClock;
use crate::error::{Error, NetworkError};

/// A transport that answers from a cassette, in order.
#[derive(Debug)]
pub struct Replayer {
    name: String,
    exchanges: Vec<Arc<Exchange>>,
    /// Lines of other kinds.
    notes: Vec<Value>,
    next: AtomicUsize,
    diverged: Divergence,
    speed: f64,
    /// Whether bodies must be the same.
    exact: bool,
    clock: Option<Arc<TapeClock>>,
    scrubber: Scrubber,
}

/// A line of a cassette.
enum Line {
    Exchange(Arc<Exchange>),
    Note(Value),
}

impl Replayer {
    /// Reads a cassette from a file.
    ///
    /// # Errors
    /// [`Error::Cassette`] naming the file, and the line where one is malformed.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let name = path.display().to_string();
        let read = open_regular(path, File::options().read(true)).and_then(std::io::read_to_string);
        let text =
            read.map_err(|error| Error::Cassette { message: format!("Cannot read the cassette {name}: {error}") })?;
        Self::parse(&text, name)
    }

    /// Reads a cassette from its text; `name` stands for it in error texts.
    ///
    /// # Errors
    /// [`Error::Cassette`] naming the line that is malformed.
    pub fn parse(text: &str, name: impl Into<String>) -> Result<Self, Error> {
        let name = name.into();
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let (mut exchanges, mut notes) = (Vec::new(), Vec::new());
        for (index, line) in lines {
            let line = parse_line(line).map_err(|detail| Error::Cassette {
                message: format!(
                    "Cassette {name}, line {}: {detail}. Remove the line or record the cassette again.",
                    index + 1
                ),
            });
            match line? {
                Line::Exchange(exchange) => exchanges.push(exchange),
                Line::Note(note) => notes.push(note),
            }
        }
        // Lines are in the order of the ends; requests are answered in the order of the beginnings.
        exchanges.sort_by_key(|exchange| exchange.n);
        Ok(Self {
            name,
            exchanges,
            notes,
            next: AtomicUsize::new(0),
            diverged: Divergence::default(),
            speed: 0.0,
            exact: false,
            clock: None,
            scrubber: Scrubber::new()?,
        })
    }

    /// Multiplies the recorded waiting times: 0, the default, does not wait at all, 1 keeps the recorded pace.
    #[must_use]
    pub fn with_speed(mut self, speed: f64) -> Self {
        self.speed = if speed.is_finite() { speed.max(0.0) } else { 0.0 };
        self
    }

    /// Has bodies of requests be the recorded ones, but for secrets.
    #[must_use]
    pub fn exact(mut self) -> Self {
        self.exact = true;
        self
    }

    /// Has this clock show the recorded times as the replay goes on.
    #[must_use]
    pub fn with_clock(mut self, clock: Arc<TapeClock>) -> Self {
        self.clock = Some(clock);
        self
    }

    /// The lines of a kind that others than the transport wrote, in the order of the file.
    pub fn notes<'a>(&'a self, kind: &'a str) -> impl Iterator<Item = &'a Value> {
        self.notes.iter().filter(move |note| note["kind"] == kind)
    }

    /// What a cassette is called in error texts.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// For others who replay parts of the run. Once it is set, no request is answered any more.
    pub fn divergence(&self) -> Divergence {
        self.diverged.clone()
    }

    /// The first difference of a value to the recorded one, in words; secrets in it count as the recorded ones do.
    pub fn difference(&self, recorded: &Value, now: &Value) -> Option<String> {
        first_difference(recorded, &self.scrubber.json(now.clone()))
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

    /// A key of the kind that the run was recorded with, as far as the kind changes requests; it opens nothing.
    pub fn stand_in_key(&self) -> &'static str {
        let betas = self.exchanges.first().and_then(|exchange| exchange.request.headers.get("anthropic-beta"));
        // Requests with a subscription have another first system block and other names of tools.
        if betas.is_some_and(|betas| betas.contains("oauth-")) { "sk-ant-oat-replay" } else { "replay" }
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
        let difference = ours.difference(&Shape::new(&recorded.method, &recorded.url, &recorded.body));
        match difference.or_else(|| self.body_difference(request, &recorded.body)) {
            Some(difference) => Err(self.error(number, difference)),
            None => Ok(Arc::clone(exchange)),
        }
    }

    /// Bodies go through what recorded ones went through.
    fn body_difference(&self, request: &HttpRequest, recorded: &Value) -> Option<String> {
        if !self.exact {
            return None;
        }
        let body = self.scrubber.text(&String::from_utf8_lossy(&request.body));
        first_difference(recorded, &serde_json::from_str(&body).unwrap_or(Value::String(body)))
    }

    fn show_time(&self, recorded: Option<i64>) {
        if let (Some(clock), Some(recorded)) = (&self.clock, recorded) {
            clock.show(recorded);
        }
    }

    fn error(&self, number: usize, detail: impl fmt::Display) -> Error {
        Error::Cassette { message: format!("Cassette {}, request {number}: {detail}.", self.name) }
    }

    async fn answer(&self, request: HttpRequest) -> Result<HttpResponse, Error> {
        let start = Instant::now();
        let number = self.next.fetch_add(1, Ordering::Relaxed) + 1;
        if let Some(message) = self.diverged.get() {
            return Err(Error::Cassette { message: message.to_owned() });
        }
        // Of several requests at once the first one counts.
        let exchange = self.find(number, &request).inspect_err(|error| {
            self.diverged.report(error.to_string());
        })?;
        self.show_time(exchange.started);
        let Some(response) = &exchange.response else {
            self.show_time(exchange.ended);
            return Err(match &exchange.end {
                End::Error(detail) => recorded_failure(detail),
                _ => self.error(number, "the recorded run gave up before an answer came"),
            });
        };
        let truncated = self.error(number, "the recorded run stopped reading here, this one goes on");
        let end = match &exchange.end {
            End::Complete => None,
            End::Truncated => Some(truncated),
            End::Error(detail) => Some(Error::Network(NetworkError::Body { detail: detail.clone() })),
        };
        let body = decode(response).map_err(|detail| self.error(number, detail))?;
        let pace = Pace { start, speed: self.speed };
        pace.reach(response.at).await;
        let (status, headers) = (response.status, headers(response));
        let over = Over { clock: self.clock.clone(), ended: exchange.ended };
        Ok(HttpResponse { status, headers, body: play(body, end, pace, over).boxed() })
    }
}

impl HttpTransport for Replayer {
    fn send(&self, request: HttpRequest) -> BoxFuture<'_, Result<HttpResponse, Error>> {
        self.answer(request).boxed()
    }
}

/// As much of a line as tells what it is.
#[derive(Deserialize)]
struct Label {
    cassette: Option<u32>,
    kind: Option<IgnoredAny>,
}

fn parse_line(line: &str) -> Result<Line, String> {
    let Label { cassette, kind } = parse(line)?;
    match (cassette, kind) {
        (Some(version), _) if version != VERSION => Err(format!("format {version} is not known, only {VERSION}")),
        (Some(_), Some(_)) => parse(line).map(Line::Note),
        _ => parse(line).map(Line::Exchange),
    }
}

fn parse<'a, T: Deserialize<'a>>(line: &'a str) -> Result<T, String> {
    serde_json::from_str(line).map_err(|error| error.to_string())
}

/// Headers that are legal; nothing else could have been recorded.
fn headers(response: &RecordedResponse) -> HeaderMap {
    let parse = |(name, value): (&String, &String)| {
        Some((HeaderName::from_bytes(name.as_bytes()).ok()?, HeaderValue::from_str(value).ok()?))
    };
    response.headers.iter().filter_map(parse).collect()
}

/// The failure of a request that got no answer, with the text that it had.
fn recorded_failure(detail: &str) -> Error {
    match detail.strip_prefix("Network setup: ") {
        Some(detail) => Error::Network(NetworkError::Setup { detail: detail.to_owned() }),
        None => Error::Network(NetworkError::Connection { detail: detail.to_owned() }),
    }
}
