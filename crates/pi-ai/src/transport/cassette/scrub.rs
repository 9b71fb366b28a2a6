//! Replaces what must not be written down: in texts, in JSON, and in bodies that arrived in pieces.

use std::ops::Range;

use bytes::Bytes;
use serde_json::Value;

use super::super::HttpRequest;
use crate::error::Error;
pub(super) use crate::secrets::REDACTED;
use crate::secrets::{Secrets, Shapes, known, merged};

/// Finds secrets by shape, the credentials of one request by value, and those that the process knows.
#[derive(Debug, Clone)]
pub(super) struct Scrubber {
    shapes: Shapes,
    secrets: Secrets,
}

impl Scrubber {
    /// A scrubber that knows shapes only.
    pub(super) fn new() -> Result<Self, Error> {
        Ok(Self { shapes: Shapes::new()?, secrets: Secrets::default() })
    }

    /// This scrubber, knowing also the credentials of a request.
    pub(super) fn for_request(&self, request: &HttpRequest) -> Self {
        let mut secrets = Secrets::default();
        secrets.add_headers(&request.headers);
        secrets.add_url(&request.url);
        Self { shapes: self.shapes.clone(), secrets }
    }

    /// Takes over the credentials that another one knows.
    pub(super) fn learn(&mut self, other: &Self) {
        self.secrets.extend(&other.secrets);
    }

    /// Knows also the credentials that the headers of a response set.
    pub(super) fn learn_headers(&mut self, headers: &http::HeaderMap) {
        self.secrets.add_headers(headers);
    }

    /// JSON without its secrets: text by text, then as a whole, where names of fields tell more.
    pub(super) fn json(&self, value: Value) -> Value {
        let scrubbed = self.texts(value);
        // A secret that seems to span texts is none.
        serde_json::from_str(&self.text(&scrubbed.to_string())).unwrap_or(scrubbed)
    }

    fn texts(&self, value: Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.text(&text)),
            Value::Array(items) => items.into_iter().map(|item| self.texts(item)).collect(),
            Value::Object(fields) => fields.into_iter().map(|(key, value)| (key, self.texts(value))).collect(),
            other => other,
        }
    }

    /// Text without its secrets.
    pub(super) fn text(&self, text: &str) -> String {
        let pieces = self.pieces(&[Bytes::copy_from_slice(text.as_bytes())]);
        String::from_utf8_lossy(&pieces.concat()).into_owned()
    }

    /// Bytes that arrived in pieces, without their secrets. A secret may span pieces: its replacement stands where it
    /// began.
    pub(super) fn pieces(&self, pieces: &[Bytes]) -> Vec<Vec<u8>> {
        let whole = pieces.concat();
        let secrets = self.find(&whole);
        let mut start = 0;
        let scrub = |piece: &Bytes| {
            let end = start + piece.len();
            let mut kept = Vec::with_capacity(piece.len());
            let mut at = start;
            let first = secrets.partition_point(|secret| secret.end <= start);
            for secret in secrets[first..].iter().take_while(|secret| secret.start < end) {
                if secret.start >= start {
                    kept.extend_from_slice(&whole[at..secret.start]);
                    kept.extend_from_slice(REDACTED.as_bytes());
                }
                at = secret.end.min(end);
            }
            kept.extend_from_slice(&whole[at..end]);
            start = end;
            kept
        };
        pieces.iter().map(scrub).collect()
    }

    /// Where the secrets are: sorted, without overlaps.
    pub(super) fn find(&self, bytes: &[u8]) -> Vec<Range<usize>> {
        let is_done = |secret: &Range<usize>| &bytes[secret.clone()] == REDACTED.as_bytes();
        let known = known().map(|known| known.find(bytes)).unwrap_or_default();
        let found = self.shapes.find(bytes).into_iter().chain(self.secrets.find(bytes)).chain(known);
        merged(found.filter(|secret| !is_done(secret)).collect())
    }
}

#[cfg(test)]
#[path = "scrub_tests.rs"]
mod tests;
