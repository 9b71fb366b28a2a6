//! Reads what `rg --json` writes, in pieces cut anywhere.

use std::path::PathBuf;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::{Buf, BytesMut};
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::grep_lines::GrepLines;
use super::transfer::path_of;
use crate::tools::operations::{GrepReport, GrepRequest, OperationError};

/// The events so far.
#[derive(Debug)]
pub(super) struct RgEvents {
    held: BytesMut,
    lines: GrepLines,
    /// Whether the last line has an end.
    has_end: bool,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "type", content = "data", rename_all = "lowercase")]
enum RgEvent {
    Match(RgLine),
    Context(RgLine),
    End(IgnoredAny),
    #[serde(other, deserialize_with = "skipped")]
    Other,
}

fn skipped<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<(), D::Error> {
    IgnoredAny::deserialize(deserializer).map(drop)
}

#[derive(Debug, Deserialize)]
struct RgLine {
    path: Option<RgText>,
    lines: RgText,
    line_number: Option<u64>,
}

/// Text, or the base64 of bytes that are none.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum RgText {
    Text(String),
    Bytes(String),
}

impl RgText {
    fn into_bytes(self) -> Vec<u8> {
        match self {
            Self::Text(text) => text.into_bytes(),
            Self::Bytes(base64) => STANDARD.decode(base64).unwrap_or_default(),
        }
    }
}

impl RgEvents {
    pub(super) fn new(request: &GrepRequest) -> Self {
        Self { held: BytesMut::new(), lines: GrepLines::new(request), has_end: false }
    }

    /// The next bytes. Returns whether nothing more is wanted.
    pub(super) fn feed(&mut self, bytes: &[u8]) -> Result<bool, OperationError> {
        self.held.extend_from_slice(bytes);
        let mut from = 0;
        while let Some(length) = memchr::memchr(b'\n', &self.held[from..]) {
            let event = serde_json::from_slice(&self.held[from..from + length])
                .map_err(|e| OperationError::new(format!("Not understood: what ripgrep reported over there: {e}")))?;
            from += length + 1;
            if self.take(event) {
                return Ok(true);
            }
        }
        self.held.advance(from);
        Ok(false)
    }

    fn take(&mut self, event: RgEvent) -> bool {
        let (line, is_match) = match event {
            RgEvent::Match(line) => (line, true),
            RgEvent::Context(line) => (line, false),
            RgEvent::End(_) => {
                self.lines.end_file(std::mem::take(&mut self.has_end));
                return false;
            }
            RgEvent::Other => return false,
        };
        let path = line.path.map_or_else(PathBuf::new, |path| path_of(path.into_bytes()));
        let text = line.lines.into_bytes();
        self.has_end = text.ends_with(b"\n");
        self.lines.push(&path, line.line_number.unwrap_or_default(), &text, is_match)
    }

    pub(super) fn report(&mut self, is_directory: bool) -> GrepReport {
        self.lines.report(is_directory)
    }
}
