//! An index over all entries of a session: made by one pass over the file, kept up to date by appending.
//!
//! It holds offsets, not lines: reading those is `store.rs`.

mod notes;
mod part;
mod slots;

use std::fs::File;
use std::io;
use std::ops::Range;
use std::thread;

use memchr::memchr;

pub(super) use self::notes::Label;
use self::notes::Notes;
use self::part::{Care, Part, read_part};
pub(super) use self::slots::{EntryLocation, Key, SlotNumber, Slots, key};
use super::backward::read_exact_at;
use super::record::StoredEntry;
use super::scan::LineProblem;

/// Below this size in bytes a second thread costs more than it brings.
const WORTH_A_THREAD: u64 = 4 << 20;
/// More threads do not read faster.
const MOST_THREADS: u64 = 8;
/// Up to this size in bytes care costs next to nothing.
const READ_WITH_CARE: u64 = 8 << 20;
/// What was read is put into the index after so many bytes, so that it is not all there twice.
const ROUND: u64 = 64 << 20;

/// Everything that is known of all entries.
#[derive(Debug, Default)]
pub(super) struct EntryIndex {
    slots: Slots,
    notes: Notes,
    problems: Vec<LineProblem>,
    lines: usize,
}

impl EntryIndex {
    /// Reads the first `end` bytes of a file.
    ///
    /// A big file is first read quickly. Where that misses an entry, another one lacks its parent, and then it is read
    /// again with care.
    pub(super) fn read(file: &File, end: u64) -> io::Result<Self> {
        let care = if end <= READ_WITH_CARE { Care::Full } else { Care::Quick };
        let index = Self::read_with(file, end, care)?;
        if care == Care::Quick && index.slots.has_orphans() {
            return Self::read_with(file, end, Care::Full);
        }
        Ok(index)
    }

    fn read_with(file: &File, end: u64, care: Care) -> io::Result<Self> {
        let mut index = Self::default();
        let mut behind_damage = Vec::new();
        let mut at = 0;
        while at < end {
            let until = line_start(file, at.saturating_add(ROUND).min(end), end)?;
            for part in read_parts(file, &split(file, at..until)?, care)? {
                let first = index.slots.len();
                behind_damage.extend(part.behind_damage.iter().map(|entry| (first + entry) as SlotNumber));
                index.add(part);
            }
            if at == 0 {
                index.slots.expect(end as f64 / until as f64);
            }
            at = until;
        }
        // Both are in file order.
        index.slots.settle_orphans(|slot| behind_damage.binary_search(&slot).is_ok());
        Ok(index)
    }

    fn add(&mut self, part: Part) {
        for entry in part.entries {
            let place = EntryLocation::File { offset: entry.offset, length: entry.length };
            self.slots.push(place, entry.key, entry.parent, entry.kind);
        }
        part.notes.iter().for_each(|note| self.notes.add(note));
        let before = self.lines;
        self.lines += part.lines;
        let problems = part.problems.into_iter();
        self.problems.extend(problems.map(|problem| LineProblem { line: before + problem.line, ..problem }));
    }

    /// Adds the newest entry.
    pub(super) fn push(&mut self, entry: &StoredEntry, place: EntryLocation) {
        let kind = super::kind::Kind::of(entry.kind());
        self.slots.push(place, key(entry.id()), entry.parent_id().map(key), kind);
        if kind.is_note() {
            self.notes.add(entry);
        }
    }

    /// The entries.
    pub(super) fn slots(&self) -> &Slots {
        &self.slots
    }

    /// Whether the parent of some entry is lost: it is nowhere in the file, or in a ring.
    pub(super) fn has_lost_parents(&self) -> bool {
        self.slots.has_orphans() || self.slots.has_rings()
    }

    /// The entries, to say where their lines are from now on.
    pub(super) fn slots_mut(&mut self) -> &mut Slots {
        &mut self.slots
    }

    /// Labels and name.
    pub(super) fn notes(&self) -> &Notes {
        &self.notes
    }

    /// Damaged places.
    pub(super) fn problems(&self) -> &[LineProblem] {
        &self.problems
    }

    /// Number of lines that were read.
    pub(super) fn lines(&self) -> usize {
        self.lines
    }
}

/// Reads all ranges at once.
fn read_parts(file: &File, ranges: &[Range<u64>], care: Care) -> io::Result<Vec<Part>> {
    let Some((first, others)) = ranges.split_first() else { return Ok(vec![]) };
    thread::scope(|scope| {
        let others: Vec<_> = others.iter().map(|range| scope.spawn(|| read_part(file, range.clone(), care))).collect();
        let first = read_part(file, first.clone(), care);
        let ended = |thread: thread::ScopedJoinHandle<'_, io::Result<Part>>| {
            thread.join().unwrap_or_else(|_| Err(io::Error::other("a reading thread failed")))
        };
        std::iter::once(first).chain(others.into_iter().map(ended)).collect()
    })
}

/// Cuts a range into ranges of whole lines, one per thread.
fn split(file: &File, range: Range<u64>) -> io::Result<Vec<Range<u64>>> {
    let cores = thread::available_parallelism().map_or(1, |cores| cores.get() as u64);
    let length = range.end - range.start;
    let count = (length / WORTH_A_THREAD).min(cores).clamp(1, MOST_THREADS);
    let mut ranges = Vec::new();
    let mut start = range.start;
    for number in 1..=count {
        let cut = (range.start + length / count * number).max(start);
        let until = if number == count { range.end } else { line_start(file, cut, range.end)? };
        ranges.push(start..until);
        start = until;
    }
    Ok(ranges)
}

/// Where the next line starts.
fn line_start(file: &File, from: u64, end: u64) -> io::Result<u64> {
    const CHUNK: u64 = 1 << 16;
    let mut buffer = vec![0; CHUNK as usize];
    let mut at = from;
    while at < end {
        let length = CHUNK.min(end - at);
        let buffer = &mut buffer[..length as usize];
        read_exact_at(file, buffer, at)?;
        if let Some(newline) = memchr(b'\n', buffer) {
            return Ok(at + newline as u64 + 1);
        }
        at += length;
    }
    Ok(end)
}
