//! Finds and replaces what must not be written down.
//!
//! Patterns work on raw bytes, because a body may be cut anywhere and need not be text.

use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use http::HeaderMap;
use memchr::memmem;
use regex::bytes::Regex;
use serde_json::Value;

use super::super::HttpRequest;
use crate::error::Error;

/// Takes the place of a secret.
pub(super) const REDACTED: &str = "REDACTED";

/// Headers that carry credentials.
pub(super) const SECRET_HEADERS: &[&str] = &[
    "authorization",
    "x-api-key",
    "api-key",
    "x-goog-api-key",
    "cf-aig-authorization",
    "proxy-authorization",
    "cookie",
    "set-cookie",
    "x-amz-security-token",
];

/// Shapes of secrets; group 1 is the secret. Words start at a boundary or after a JSON escape such as `\n`.
const SHAPES: &[&str] = &[
    // Keys with a prefix of their own.
    concat!(
        r"(?-u)(?:\b|\\[nrtbf]|\\u[0-9a-fA-F]{4})(",
        r"sk-[A-Za-z0-9_-]{16,}|AIza[A-Za-z0-9_-]{30,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|",
        r"glpat-[A-Za-z0-9_-]{16,}|xox[a-z]-[A-Za-z0-9-]{10,}|(?:AKIA|ASIA)[A-Z0-9]{16}|gsk_[A-Za-z0-9]{20,}|",
        r"hf_[A-Za-z0-9]{20,}|xai-[A-Za-z0-9]{20,}|pplx-[A-Za-z0-9]{20,}|ya29\.[A-Za-z0-9_-]{20,}|",
        r"eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{5,})",
    ),
    r"(?i-u)\bbearer\s+([A-Za-z0-9._~+/=-]{8,})",
    // Fields and assignments, also inside JSON inside JSON.
    concat!(
        r"(?i-u)(?:api[_-]?key|access[_-]?token|auth[_-]?token|refresh[_-]?token|id[_-]?token|client[_-]?secret|",
        r"secret[_-]?(?:access[_-]?)?key|secret|password|private[_-]?key)",
        r#"(?:\\*["'])?\s*[:=]\s*(?:\\*["'])?([A-Za-z0-9._~+/=@!$%^&*-]{12,})"#,
    ),
    r#"(?i-u)[?&](?:key|api[_-]?key|(?:access_|auth_)?token|auth|sig|x-amz-(?:signature|credential|security-token))=([^&\s"'#\\<>]+)"#,
    r#"(?-u)://([^/\s"'@:\\]*:[^/\s"'@\\]+)@"#,
    r"(?s-u)-----BEGIN [A-Z ]*PRIVATE KEY-----(.*?)-----END",
];

/// Literal credentials shorter than this are left to the patterns: they would match by chance.
const SHORTEST_LITERAL: usize = 8;

/// Finds secrets by shape, and the credentials of one request by value.
#[derive(Debug, Clone)]
pub(super) struct Scrubber {
    shapes: Arc<[Regex]>,
    literals: Vec<Vec<u8>>,
}

impl Scrubber {
    /// A scrubber that knows shapes only.
    pub(super) fn new() -> Result<Self, Error> {
        let shapes: Result<Vec<_>, _> = SHAPES.iter().map(|shape| Regex::new(shape)).collect();
        let shapes = shapes.map_err(|error| Error::Cassette { message: format!("Cannot scrub secrets: {error}") })?;
        Ok(Self { shapes: shapes.into(), literals: Vec::new() })
    }

    /// This scrubber, knowing also the credentials in the headers of a request.
    pub(super) fn for_request(&self, request: &HttpRequest) -> Self {
        Self { shapes: Arc::clone(&self.shapes), literals: credentials(&request.headers) }
    }

    /// Takes over the credentials that another one knows.
    pub(super) fn learn(&mut self, other: &Self) {
        let new: Vec<_> = other.literals.iter().filter(|literal| !self.literals.contains(literal)).cloned().collect();
        self.literals.extend(new);
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
        let by_shape = self.shapes.iter().flat_map(|shape| shape.captures_iter(bytes));
        let by_shape = by_shape.filter_map(|found| found.get(1)).map(|secret| secret.range());
        let by_value = self.literals.iter().flat_map(|literal| {
            memmem::find_iter(bytes, literal).map(|start| start..start + literal.len()).collect::<Vec<_>>()
        });
        let is_done = |secret: &Range<usize>| &bytes[secret.clone()] == REDACTED.as_bytes();
        let mut found: Vec<_> = by_shape.chain(by_value).filter(|secret| !is_done(secret)).collect();
        found.sort_by_key(|secret| secret.start);
        found.dedup_by(|next, previous| {
            let overlaps = next.start < previous.end;
            if overlaps {
                previous.end = previous.end.max(next.end);
            }
            overlaps
        });
        found
    }
}

/// Text without what has the shape of a secret.
#[cfg(feature = "oauth")]
pub(crate) fn without_secrets(text: &str) -> String {
    // Nothing is better than something unchecked.
    Scrubber::new().map_or_else(|_| REDACTED.to_owned(), |scrubber| scrubber.text(text))
}

/// The values of credential headers, without the scheme in front.
fn credentials(headers: &HeaderMap) -> Vec<Vec<u8>> {
    let values = SECRET_HEADERS.iter().flat_map(|name| headers.get_all(*name));
    let secrets = values.filter_map(|value| value.as_bytes().rsplit(|byte| *byte == b' ').next());
    secrets.filter(|secret| secret.len() >= SHORTEST_LITERAL).map(<[u8]>::to_vec).collect()
}

#[cfg(test)]
#[path = "scrub_tests.rs"]
mod tests;
