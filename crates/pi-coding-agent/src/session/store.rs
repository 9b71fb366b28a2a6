//! The lines of an open session: in its file, as far as they have been written, else in memory. Entries are read when
//! somebody asks for them.
//!
//! Of a big file nothing but the end is looked at until a question comes that needs all of it; then one pass makes the
//! index. Questions that the end can answer are in `tail.rs`.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use super::backward::{BackwardLines, read_exact_at};
use super::fast_tree_fields::Light;
use super::index::{EntryIndex, EntryLocation, SlotNumber, key};
use super::kind::Kind;
use super::memory::EntryMemory;
use super::record::StoredEntry;
use crate::session::Error;

/// Files up to this size in bytes are indexed at once: that takes a few milliseconds, and damage is found early.
const SMALL: u64 = 8 << 20;

/// The entries of a session.
#[derive(Debug)]
pub(super) struct EntryStore {
    file: Option<Reader>,
    /// Lines that are not in the file.
    memory: Vec<Arc<str>>,
    index: OnceLock<EntryIndex>,
    /// What was appended before there was an index.
    recent: Vec<Recent>,
    /// Whether new lines are kept in memory though they are written.
    keeps_lines: bool,
    memory_of_file: EntryMemory,
}

/// The file behind a store.
#[derive(Debug)]
struct Reader {
    path: PathBuf,
    file: File,
    /// How much of the file was there when it was opened, in bytes.
    end: u64,
}

/// An entry that was appended.
#[derive(Debug)]
pub(super) struct Recent {
    id: Arc<str>,
    place: EntryLocation,
    kind: Kind,
}

impl EntryStore {
    /// A store without a file.
    pub(super) fn in_memory() -> Self {
        Self {
            file: None,
            memory: Vec::new(),
            index: OnceLock::from(EntryIndex::default()),
            recent: Vec::new(),
            keeps_lines: false,
            memory_of_file: EntryMemory::default(),
        }
    }

    /// The first `end` bytes of a file. Indexes a small file at once.
    pub(super) fn open(path: &Path, file: File, end: u64) -> Result<Self, Error> {
        let store = Self::open_unread(path, file, end);
        if end <= SMALL {
            store.index()?;
        }
        Ok(store)
    }

    /// The first `end` bytes of a file, of which nothing is read yet.
    pub(super) fn open_unread(path: &Path, file: File, end: u64) -> Self {
        let file = Some(Reader { path: path.to_owned(), file, end });
        Self { file, index: OnceLock::new(), ..Self::in_memory() }
    }

    /// The index; made by the first who asks.
    pub(super) fn index(&self) -> Result<&EntryIndex, Error> {
        if let Some(index) = self.index.get() {
            return Ok(index);
        }
        let mut index = match &self.file {
            Some(reader) => EntryIndex::read(&reader.file, reader.end).map_err(|source| self.failed(source))?,
            None => EntryIndex::default(),
        };
        for recent in &self.recent {
            index.push(&self.read(recent.place)?, recent.place);
        }
        Ok(self.index.get_or_init(|| index))
    }

    /// The index, if it is there.
    pub(super) fn known_index(&self) -> Option<&EntryIndex> {
        self.index.get()
    }

    /// The file and how much of it was there when it was opened; `None` for a session in memory.
    pub(super) fn opened(&self) -> Option<(&File, u64)> {
        self.file.as_ref().map(|reader| (&reader.file, reader.end))
    }

    /// Reads from another file from now on, which begins with the same bytes.
    pub(super) fn continue_in(&mut self, path: &Path, file: File) {
        if let Some(reader) = &mut self.file {
            (reader.path, reader.file) = (path.to_owned(), file);
        }
    }

    /// What was appended before there was an index, oldest first.
    pub(super) fn recent(&self) -> &[Recent] {
        &self.recent
    }

    /// Reads the line at a place.
    pub(super) fn read(&self, place: EntryLocation) -> Result<StoredEntry, Error> {
        match (place, &self.file) {
            (EntryLocation::Memory(number), _) => {
                let line = self.memory.get(number as usize).map(Arc::clone).unwrap_or_default();
                self.entry_of(line)
            }
            (EntryLocation::File { offset, length }, Some(reader)) => {
                let mut line = vec![0; length as usize];
                read_exact_at(&reader.file, &mut line, offset).map_err(|source| self.failed(source))?;
                self.entry_of(into_text(line).into())
            }
            (EntryLocation::File { .. }, None) => self.entry_of(Arc::default()),
        }
    }

    /// Reads an entry of the index. Where something else is in its place, somebody without a lock has changed the file.
    pub(super) fn read_slot(&self, index: &EntryIndex, slot: SlotNumber) -> Result<StoredEntry, Error> {
        let slots = index.slots();
        let (Some(place), Some(expected)) = (slots.place(slot), slots.key(slot)) else { return Err(self.changed()) };
        let entry = self.read(place)?;
        if key(entry.id()) == expected { Ok(entry) } else { Err(self.changed()) }
    }

    fn entry_of(&self, line: Arc<str>) -> Result<StoredEntry, Error> {
        StoredEntry::index(line).map_err(|_| self.changed())
    }

    /// An error of reading the file.
    pub(super) fn failed(&self, source: io::Error) -> Error {
        Error::Open { path: self.path(), source }
    }

    fn path(&self) -> PathBuf {
        self.file.as_ref().map(|reader| reader.path.clone()).unwrap_or_default()
    }

    fn changed(&self) -> Error {
        Error::Changed { path: self.path() }
    }

    /// What of the entries in the file is in memory, too.
    pub(super) fn memory(&self) -> &EntryMemory {
        &self.memory_of_file
    }

    /// With what is in memory of the file that was there before this one.
    pub(super) fn with_memory_of(mut self, old: &mut Self) -> Self {
        self.memory_of_file = std::mem::take(&mut old.memory_of_file);
        self
    }

    /// Takes a new entry in. `offset` says where its line went in the file; without one it is kept in memory.
    pub(super) fn push(&mut self, entry: &StoredEntry, offset: Option<u64>) {
        let place = match (offset, u32::try_from(entry.raw().len())) {
            (Some(offset), Ok(length)) if !self.keeps_lines => {
                self.memory_of_file.add(entry);
                EntryLocation::File { offset, length }
            }
            _ => {
                self.memory.push(entry.shared_raw());
                EntryLocation::Memory((self.memory.len() - 1) as u32)
            }
        };
        match self.index.get_mut() {
            Some(index) => index.push(entry, place),
            None => self.recent.push(Recent { id: entry.id().into(), place, kind: Kind::of(entry.kind()) }),
        }
    }

    /// The id of the last entry of the file. Looks at no more than the last lines, if they are as usual.
    pub(super) fn last_id(&self) -> Result<Option<String>, Error> {
        if self.index.get().is_none()
            && let Some(Reader { file, end, .. }) = &self.file
        {
            let mut lines = BackwardLines::new(file, *end);
            while let Some((_, line)) = lines.next_back().map_err(|source| self.failed(source))? {
                match Light::read(line) {
                    _ if line.is_empty() => {}
                    Some(light) => return Ok(Some(light.id.to_owned())),
                    None => break,
                }
            }
        }
        let index = self.index()?;
        let last = index.slots().len().checked_sub(1);
        last.map(|last| Ok(self.read_slot(index, last as SlotNumber)?.id().to_owned())).transpose()
    }

    /// Keeps new lines in memory from now on, for tests that put another file behind the session.
    pub(super) fn keep_in_memory(&mut self) {
        self.keeps_lines = true;
    }

    /// All lines of a session that has no file yet.
    pub(super) fn lines_in_memory(&self) -> &[Arc<str>] {
        &self.memory
    }

    /// All lines in memory have been written, one after the other, from `offset` on: from now on they are read there.
    pub(super) fn moved_to_file(&mut self, path: &Path, file: File, mut offset: u64) {
        let Some(index) = self.index.get_mut() else { return };
        for (slot, line) in (0..).zip(&self.memory) {
            if let Ok(entry) = StoredEntry::index(Arc::clone(line)) {
                self.memory_of_file.add(&entry);
            }
            if let Ok(length) = u32::try_from(line.len()) {
                index.slots_mut().set_place(slot, offset, length);
            }
            offset += line.len() as u64 + 1;
        }
        self.memory = Vec::new();
        self.file = Some(Reader { path: path.to_owned(), file, end: offset });
    }
}

impl Recent {
    /// The id of the entry.
    pub(super) fn id(&self) -> &str {
        &self.id
    }

    /// Its type.
    pub(super) fn kind(&self) -> Kind {
        self.kind
    }

    /// Where its line is.
    pub(super) fn place(&self) -> EntryLocation {
        self.place
    }
}

/// Bytes that are no UTF-8 are shown as what they are not; the file keeps them.
pub(super) fn into_text(line: Vec<u8>) -> String {
    String::from_utf8(line).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}
