//! The file that a recording goes to, shared by everybody who records.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use pi_guard::Unpoisoned;
use serde::Serialize;
use serde_json::{Map, Value};

use super::exchange::{Exchange, VERSION};
use super::regular_file::open_regular;
use super::scrub::Scrubber;
use crate::error::Error;

/// The file, shared by all exchanges that are under way.
#[derive(Debug)]
pub(super) struct Tape {
    path: PathBuf,
    file: Mutex<File>,
    /// Requests so far, those of earlier runs included.
    count: AtomicU64,
    /// Why the last line could not be written.
    failure: Mutex<Option<Error>>,
    /// Knows the credentials of all requests so far.
    scrubber: Mutex<Scrubber>,
}

impl Tape {
    /// Opens the file for appending.
    pub(super) fn open(path: &Path) -> Result<Self, Error> {
        let (file, count) = open(path).map_err(|error| cannot_write(path, &error))?;
        Ok(Self {
            path: path.to_owned(),
            file: Mutex::new(file),
            count: AtomicU64::new(count),
            failure: Mutex::default(),
            scrubber: Mutex::new(Scrubber::new()?),
        })
    }

    /// The number of the next request.
    pub(super) fn next_number(&self) -> u64 {
        self.count.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Whether nothing is in the file yet.
    pub(super) fn is_empty(&self) -> bool {
        self.count.load(Ordering::Relaxed) == 0
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Why the last line could not be written.
    pub(super) fn failure(&self) -> Option<Error> {
        self.failure.lock().unpoisoned().clone()
    }

    /// A scrubber for one request, whose credentials must not be in what is written from now on.
    pub(super) fn scrubber_for(&self, request: &super::super::HttpRequest) -> Scrubber {
        let mut all = self.scrubber.lock().unpoisoned();
        let of_request = all.for_request(request);
        all.learn(&of_request);
        of_request
    }

    /// Appends one line in one write. It happens once per model or tool call and goes to the page cache, also from
    /// `drop`, where nothing could be awaited.
    pub(super) fn write(&self, exchange: &Exchange) {
        self.append(serde_json::to_string(exchange));
    }

    fn append(&self, line: serde_json::Result<String>) {
        let line = line.map(|line| line + "\n").map_err(std::io::Error::from);
        let mut file = self.file.lock().unpoisoned();
        if let Err(error) = line.and_then(|line| file.write_all(line.as_bytes())).and_then(|()| file.flush()) {
            let error = cannot_write(&self.path, &error);
            tracing::warn!(%error, "recording failed");
            *self.failure.lock().unpoisoned() = Some(error);
        }
    }
}

/// Writes lines of other kinds than exchanges into a cassette that is being recorded, without secrets.
#[derive(Debug, Clone)]
pub struct Notes(pub(super) Arc<Tape>);

impl Notes {
    /// Appends a line of this kind with the fields of `note`, an object. Where it cannot be written, the next model call
    /// says so.
    pub fn write(&self, kind: &str, note: &impl Serialize) {
        let line = serde_json::to_value(note).and_then(|note| {
            let note = self.0.scrubber.lock().unpoisoned().json(note);
            let mut line = Map::from_iter([("cassette".to_owned(), VERSION.into()), ("kind".to_owned(), kind.into())]);
            if let Value::Object(fields) = note {
                line.extend(fields);
            }
            serde_json::to_string(&line)
        });
        self.0.append(line);
    }
}

/// Opens the file for appending and counts the lines that it has.
fn open(path: &Path) -> std::io::Result<(File, u64)> {
    let mut file = open_regular(path, OpenOptions::new().create(true).append(true).read(true))?;
    let (lines, last) = count_lines(&file)?;
    if last != b'\n' {
        // A line that an earlier run could not finish must not spoil ours.
        file.write_all(b"\n")?;
    }
    Ok((file, lines))
}

/// The lines that are not empty, and the last byte of all; of an empty file a line end. The file may be large.
fn count_lines(file: &File) -> std::io::Result<(u64, u8)> {
    let mut reader = BufReader::with_capacity(1 << 16, file);
    let (mut lines, mut last) = (0, b'\n');
    loop {
        let piece = reader.fill_buf()?;
        if piece.is_empty() {
            return Ok((lines, last));
        }
        for byte in piece {
            lines += u64::from(last == b'\n' && *byte != b'\n');
            last = *byte;
        }
        let read = piece.len();
        reader.consume(read);
    }
}

fn cannot_write(path: &Path, error: &std::io::Error) -> Error {
    Error::Cassette { message: format!("Cannot write the cassette {}: {error}", path.display()) }
}
