//! From the pieces of a file to a session: header, version, entries. Reading never changes a file.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use super::empty_file::{EmptyFile, begun, name_parts};
use super::header::{CURRENT_VERSION, SessionHeader};
use super::kind::Kind;
use super::migrate::migrate;
use super::record::{StoredEntry, parse_lenient};
use super::salvage::objects;
use super::scan::{LineProblem, Piece, Scan, Tail, scan};
use crate::host::ids::Ids;
use crate::host::open_regular;
use crate::session::Error;

/// A header line may be this long, in bytes, before a file counts as something else.
pub(super) const HEADER_LIMIT: u64 = 1 << 20;

/// A session as read from a file.
#[derive(Debug)]
pub struct LoadedSession {
    /// The first line, migrated to the current version.
    pub header: SessionHeader,
    /// All entries in file order, migrated to the current version.
    pub entries: Vec<StoredEntry>,
    /// Damaged places.
    pub problems: Vec<LineProblem>,
    /// The lines of the file in the current version, when it was of an older one.
    pub(super) migrated: Option<Migrated>,
    /// How the file ends.
    pub(super) tail: Tail,
}

/// A file of an older version.
#[derive(Debug)]
pub(super) struct Migrated {
    /// The version that it has.
    pub(super) from: u64,
    /// Its lines in the current version.
    pub(super) pieces: Vec<Piece>,
}

/// What a file turned out to be.
#[derive(Debug)]
pub(super) enum Content {
    /// A session.
    Session(Box<LoadedSession>),
    /// Nothing at all, or nothing but a header that was never finished.
    Begun(EmptyFile),
    /// Entries of a session whose header is lost, and one to stand for it.
    Headless(SessionHeader),
}

/// Reads a session file without opening it for writing; no lock is taken and nothing is repaired on disk.
/// Version 1 and 2 files are migrated in memory. Blocks.
///
/// # Errors
/// [`Error::Open`] and, for anything that is not a session, [`Error::Invalid`].
pub fn load_session(path: &Path, ids: &dyn Ids) -> Result<LoadedSession, Error> {
    let file = open_regular(path).map_err(|source| Error::Open { path: path.to_owned(), source })?;
    match load(path, &file, ids)? {
        Content::Session(session) => Ok(*session),
        Content::Begun(begun) => Ok(LoadedSession {
            header: begun.header(path),
            entries: Vec::new(),
            problems: Vec::new(),
            migrated: None,
            tail: Tail::Clean,
        }),
        Content::Headless(_) => Err(no_header(path)),
    }
}

/// Reads from an open file.
pub(super) fn load(path: &Path, file: &File, ids: &dyn Ids) -> Result<Content, Error> {
    let failed = |source| Error::Open { path: path.to_owned(), source };
    if let Some(begun) = begun(file).map_err(failed)? {
        return Ok(Content::Begun(begun));
    }
    let scan = scan(BufReader::with_capacity(1 << 18, file)).map_err(failed)?;
    if is_headless(&scan) {
        return Ok(Content::Headless(lost_header(path)));
    }
    interpret(path, scan, ids).map(|session| Content::Session(Box::new(session)))
}

fn interpret(path: &Path, mut scan: Scan, ids: &dyn Ids) -> Result<LoadedSession, Error> {
    let mut header = find_header(path, &scan)?;
    let version = header.version();
    let old = version < CURRENT_VERSION;
    if old {
        migrate(&mut scan, version, ids)?;
        header = find_header(path, &scan)?;
    }
    let Scan { pieces, problems, tail } = scan;
    let mut session = LoadedSession { header, entries: vec![], problems, migrated: None, tail };
    let objects = pieces.iter().filter_map(|piece| match piece {
        Piece::Object(text, line) => Some((text, *line)),
        Piece::Damaged(_) => None,
    });
    for (text, line) in objects.skip(1) {
        session.add_entry(text, line);
    }
    session.migrated = old.then_some(Migrated { from: version, pieces });
    Ok(session)
}

impl LoadedSession {
    fn add_entry(&mut self, text: &str, line: usize) {
        match StoredEntry::index(text.into()) {
            // A second header is no entry and does no harm.
            Ok(entry) if entry.kind() == "session" => {}
            Ok(entry) => self.entries.push(entry),
            Err(reason) => self.problems.push(LineProblem { line, reason: reason.to_owned() }),
        }
    }
}

/// The first object of the file, which must be a header.
fn find_header(path: &Path, scan: &Scan) -> Result<SessionHeader, Error> {
    let first = scan.pieces.iter().find_map(|piece| match piece {
        Piece::Object(text, _) => Some(text),
        Piece::Damaged(_) => None,
    });
    let text = first.ok_or_else(|| invalid(path, "it holds no JSON lines"))?;
    parse_header(text).ok_or_else(|| no_header(path))
}

fn no_header(path: &Path) -> Error {
    invalid(path, "its first line is not a session header")
}

/// Whether a file holds entries of a session, but no header in front of them.
fn is_headless(scan: &Scan) -> bool {
    let first = scan.pieces.iter().find_map(|piece| match piece {
        Piece::Object(text, _) => Some(text),
        Piece::Damaged(_) => None,
    });
    let Some(text) = first.filter(|text| text.contains(r#""parentId""#)) else { return false };
    StoredEntry::index(text.as_str().into()).is_ok_and(|entry| Kind::of(entry.kind()) != Kind::Other)
}

/// What the name of a file tells of its header.
fn lost_header(path: &Path) -> SessionHeader {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let id = name_parts(path).1.unwrap_or_else(|| name.rsplit_once('_').map_or(&*name, |(_, id)| id).to_owned());
    SessionHeader {
        version: Some(CURRENT_VERSION),
        id,
        timestamp: String::new(),
        cwd: String::new(),
        parent_session: None,
        extra: pi_ai::Extra::new(),
    }
}

fn parse_header(text: &str) -> Option<SessionHeader> {
    parse_lenient(text)
}

fn invalid(path: &Path, reason: &str) -> Error {
    Error::Invalid { path: path.to_owned(), reason: reason.to_owned() }
}

/// The header of a file that may be a session; `None` for anything else. Reads no further than needed.
pub(super) fn read_header(path: &Path) -> Option<SessionHeader> {
    let mut reader = BufReader::new(open_regular(path).ok()?.take(HEADER_LIMIT));
    let mut line = Vec::new();
    while reader.read_until(b'\n', &mut line).ok()? > 0 {
        // Editors may put a byte order mark in front of the first line.
        let text = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&line);
        if let Some(object) = objects(text).next() {
            return parse_header(&String::from_utf8_lossy(&text[object]));
        }
        line.clear();
    }
    None
}
