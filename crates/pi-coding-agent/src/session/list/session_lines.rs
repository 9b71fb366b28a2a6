//! A session file as its header and its lines.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::Value;

use super::lines::for_each_line;
use super::parsed_entry::objects_of;
use crate::host::open_regular;
use crate::session::header::SessionHeader;

/// A file without a header in so many bytes is no session.
const HEADER_LIMIT: usize = 1 << 20;

/// Gives `each` the lines of a session, from the one with the header on, until it breaks or `stop` is set.
///
/// Returns the header; `None` if the file is no session or cannot be read to its end, if its header is not `wanted`, or
/// if `stop` was set. `buffer` is working space.
pub(in crate::session) fn read_session(
    path: &Path,
    buffer: &mut Vec<u8>,
    stop: &AtomicBool,
    wanted: impl Fn(&SessionHeader) -> bool,
    mut each: impl FnMut(&[u8]) -> ControlFlow<()>,
) -> Option<SessionHeader> {
    let mut header = None;
    let mut bytes = 0;
    let is_session = Cell::new(false);
    let file = BoundedFile { file: open_regular(path).ok()?, is_session: &is_session, left: HEADER_LIMIT };
    let stopped = || stop.load(Ordering::Relaxed);
    let read = for_each_line(file, buffer, |line| {
        if stopped() {
            return ControlFlow::Break(());
        }
        if header.is_none() {
            header = match look_for_header(line) {
                Found::Header(found) if wanted(&found) => Some(found),
                Found::Nothing if bytes < HEADER_LIMIT => None,
                Found::Header(_) | Found::Nothing | Found::Other => return ControlFlow::Break(()),
            };
            bytes += line.len();
            is_session.set(header.is_some());
        }
        if header.is_some() { each(line) } else { ControlFlow::Continue(()) }
    });
    read.ok()?;
    header.map(|header| *header).filter(|_| !stopped())
}

/// A file of which no more than its beginning is read until it turns out to be a session: it may be anything, of any
/// length and without line ends.
struct BoundedFile<'a> {
    file: File,
    is_session: &'a Cell<bool>,
    /// Bytes that may be read before.
    left: usize,
}

impl Read for BoundedFile<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.is_session.get() {
            return self.file.read(buffer);
        }
        let most = buffer.len().min(self.left);
        let read = self.file.read(&mut buffer[..most])?;
        self.left -= read;
        Ok(read)
    }
}

enum Found {
    Header(Box<SessionHeader>),
    /// No object at all.
    Nothing,
    /// An object that is no header, so the file is no session.
    Other,
}

fn look_for_header(line: &[u8]) -> Found {
    let Some(object) = objects_of(line).into_iter().next() else { return Found::Nothing };
    if object.get("type").and_then(Value::as_str) != Some("session") {
        return Found::Other;
    }
    serde_json::from_value(Value::Object(object)).map_or(Found::Other, Found::Header)
}
