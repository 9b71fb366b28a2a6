//! Reads a stretch of a session file into columns, line by line, without parsing what the entries hold.

use std::fs::File;
use std::io;
use std::ops::Range;

use memchr::memchr;

use super::slots::{Key, key};
use crate::session::backward::read_exact_at;
use crate::session::fast_tree_fields::Light;
use crate::session::kind::Kind;
use crate::session::record::StoredEntry;
use crate::session::salvage::{Fragment, fragments};
use crate::session::scan::LineProblem;

/// How much is read at a time, in bytes.
const CHUNK: usize = 1 << 18;

/// What a stretch of the file holds. Numbers count from its start.
#[derive(Debug, Default)]
pub(super) struct Part {
    pub(super) entries: Vec<PartEntry>,
    /// Entries that hold for the whole file, with their lines.
    pub(super) notes: Vec<StoredEntry>,
    pub(super) problems: Vec<LineProblem>,
    /// Entries in front of which something was lost.
    pub(super) behind_damage: Vec<usize>,
    /// Lines, empty ones included.
    pub(super) lines: usize,
    quick: bool,
}

/// An entry of a stretch.
#[derive(Debug)]
pub(super) struct PartEntry {
    pub(super) offset: u64,
    pub(super) key: Key,
    pub(super) parent: Option<Key>,
    pub(super) length: u32,
    pub(super) kind: Kind,
}

/// How closely lines are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Care {
    /// An entry that is glued to the end of another one is not noticed. Twice as fast.
    Quick,
    /// Every line is looked at to its end.
    Full,
}

/// Reads a range that starts and ends where lines do.
pub(super) fn read_part(file: &File, range: Range<u64>, care: Care) -> io::Result<Part> {
    let mut part = Part { quick: care == Care::Quick, ..Part::default() };
    let mut buffer = vec![0; CHUNK];
    // How much of the buffer holds the start of a line that goes on behind it.
    let mut held = 0;
    let mut at = range.start;
    while at < range.end {
        if held == buffer.len() {
            buffer.resize(2 * held, 0);
        }
        let wanted = usize::try_from(range.end - at).unwrap_or(usize::MAX).min(buffer.len() - held);
        read_exact_at(file, &mut buffer[held..held + wanted], at)?;
        let filled = held + wanted;
        let start = at - held as u64;
        at += wanted as u64;
        let used = part.add_lines(&buffer[..filled], held, start);
        buffer.copy_within(used..filled, 0);
        held = filled - used;
    }
    if held > 0 {
        part.add_line(&buffer[..held], at - held as u64);
    }
    Ok(part)
}

impl Part {
    /// Adds all whole lines of `text`, of which the first `known` bytes have no newline; returns how much that was.
    fn add_lines(&mut self, text: &[u8], known: usize, offset: u64) -> usize {
        let mut start = 0;
        let mut from = known;
        while let Some(newline) = memchr(b'\n', &text[from..]) {
            let end = from + newline;
            self.add_line(&text[start..end], offset + start as u64);
            start = end + 1;
            from = start;
        }
        start
    }

    fn add_line(&mut self, line: &[u8], offset: u64) {
        self.lines += 1;
        let light = if self.quick { Light::read_quickly(line) } else { Light::read(line) };
        match (light, u32::try_from(line.len())) {
            (Some(light), Ok(length)) => self.add_light(light, line, offset, length),
            _ => self.add_unusual(line, offset),
        }
    }

    fn add_light(&mut self, light: Light<'_>, line: &[u8], offset: u64, length: u32) {
        let kind = Kind::of(light.kind);
        let (key, parent) = (key(light.id), light.parent_id.map(key));
        self.entries.push(PartEntry { offset, key, parent, length, kind });
        if kind.is_note()
            && let Ok(note) = StoredEntry::index(String::from_utf8_lossy(line).into())
        {
            self.notes.push(note);
        }
    }

    /// A line that is not written the usual way, or damaged: takes out what can be told to be an entry.
    fn add_unusual(&mut self, line: &[u8], offset: u64) {
        // Editors may put a byte order mark in front of the first line.
        let mark = if offset == 0 && line.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        let (line, offset) = (&line[mark..], offset + mark as u64);
        for Fragment { range, damage } in fragments(line) {
            match damage {
                None => self.add_object(&line[range.clone()], offset + range.start as u64),
                Some(reason) => self.lose(reason),
            }
        }
    }

    fn add_object(&mut self, object: &[u8], offset: u64) {
        let Ok(length) = u32::try_from(object.len()) else { return self.lose("a line of more than 4 GB".to_owned()) };
        match StoredEntry::index(String::from_utf8_lossy(object).into()) {
            // A header is no entry, and a second one does no harm.
            Ok(entry) if entry.kind() == "session" => {}
            Ok(entry) => {
                let kind = Kind::of(entry.kind());
                let (key, parent) = (key(entry.id()), entry.parent_id().map(key));
                self.entries.push(PartEntry { offset, key, parent, length, kind });
                if kind.is_note() {
                    self.notes.push(entry);
                }
            }
            Err(reason) => self.lose(reason.to_owned()),
        }
    }

    fn lose(&mut self, reason: String) {
        self.problems.push(LineProblem { line: self.lines, reason });
        self.behind_damage.push(self.entries.len());
    }
}
