//! What an export reads: a header, a leaf and raw lines that can be looked at in any order.
//!
//! This is all that exports know of how sessions are kept.

use std::borrow::Cow;
use std::path::Path;

use crate::export::Error;
use crate::host;
use crate::host::ids::SequentialIds;
use crate::session::{SessionHeader, SessionManager, StoredEntry, load_session, reopened};

/// A session to export. Lines are asked for one at a time, so that a session on disk need not be in memory.
pub trait SessionSource {
    /// The first line of the file.
    fn header(&self) -> &SessionHeader;

    /// The entry at which the current branch ends; `None` before the first one.
    fn leaf_id(&self) -> Option<&str>;

    /// Number of entries, the header not counted.
    fn entry_count(&self) -> usize;

    /// The raw line of an entry without its newline, `index` counted in file order from 0.
    ///
    /// # Errors
    /// When the line cannot be read.
    fn line(&self, index: usize) -> Result<Cow<'_, str>, Error>;
}

/// A session as it was at one moment.
#[derive(Debug)]
pub struct SessionSnapshot {
    header: SessionHeader,
    leaf: Option<String>,
    entries: Entries,
}

#[derive(Debug)]
enum Entries {
    Memory(Vec<StoredEntry>),
    /// So many entries of a file, read one at a time. Files only grow.
    File(Box<SessionManager>, usize),
}

impl SessionSnapshot {
    /// The session as it is now. What is in its file is read from there while it is exported.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn of(manager: &SessionManager) -> Result<Self, Error> {
        let header = manager.header().clone();
        let leaf = manager.leaf_id().map(ToOwned::to_owned);
        let entries = match reopened(manager) {
            Some(file) => Entries::File(Box::new(file?), manager.entries().count()?),
            None => Entries::Memory(manager.entries().iter().collect::<Result<_, _>>()?),
        };
        Ok(Self { header, leaf, entries })
    }

    /// The session in a file, which is left as it is: old versions are migrated in memory, damaged lines skipped.
    ///
    /// # Errors
    /// [`host::Error::NoSuchFile`](crate::host::Error::NoSuchFile), [`session::Error::Open`](crate::session::Error::Open), [`session::Error::Invalid`](crate::session::Error::Invalid).
    pub fn of_file(path: &Path) -> Result<Self, Error> {
        if !path.exists() {
            return Err(host::Error::NoSuchFile { path: path.to_owned() }.into());
        }
        // Entries of old versions get ids for this page only; counted ones make the same page again.
        let loaded = load_session(path, &SequentialIds::default())?;
        let leaf = loaded.entries.last().map(|entry| entry.id().to_owned());
        Ok(Self { header: loaded.header, leaf, entries: Entries::Memory(loaded.entries) })
    }
}

impl SessionSource for SessionSnapshot {
    fn header(&self) -> &SessionHeader {
        &self.header
    }

    fn leaf_id(&self) -> Option<&str> {
        self.leaf.as_deref()
    }

    fn entry_count(&self) -> usize {
        match &self.entries {
            Entries::Memory(entries) => entries.len(),
            Entries::File(_, count) => *count,
        }
    }

    fn line(&self, index: usize) -> Result<Cow<'_, str>, Error> {
        match &self.entries {
            Entries::Memory(entries) => Ok(entries.get(index).map(StoredEntry::raw).unwrap_or_default().into()),
            Entries::File(manager, _) => {
                Ok(manager.entries().at(index)?.map(|entry| entry.raw().to_owned()).unwrap_or_default().into())
            }
        }
    }
}
