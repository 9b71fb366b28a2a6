//! What an export reads: a header, a leaf and raw lines that can be looked at in any order.
//!
//! This is all that exports know of how sessions are kept.

use std::borrow::Cow;
use std::path::Path;

use crate::error::Error;
use crate::ids::RandomIds;
use crate::session::{SessionHeader, SessionManager, StoredEntry, load_session};

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

/// A session as it was at one moment. Lines are shared with the session that it was taken of.
#[derive(Debug, Clone)]
pub struct SessionSnapshot {
    header: SessionHeader,
    leaf: Option<String>,
    entries: Vec<StoredEntry>,
}

impl SessionSnapshot {
    /// The session as it is now.
    pub fn of(manager: &SessionManager) -> Self {
        Self {
            header: manager.header().clone(),
            leaf: manager.leaf_id().map(ToOwned::to_owned),
            entries: manager.entries().to_vec(),
        }
    }

    /// The session in a file, which is left as it is: old versions are migrated in memory, damaged lines skipped.
    ///
    /// # Errors
    /// [`Error::NoSuchFile`], [`Error::SessionOpen`], [`Error::SessionInvalid`].
    pub fn of_file(path: &Path) -> Result<Self, Error> {
        if !path.exists() {
            return Err(Error::NoSuchFile { path: path.to_owned() });
        }
        let loaded = load_session(path, &RandomIds::default())?;
        let leaf = loaded.entries.last().map(|entry| entry.id().to_owned());
        Ok(Self { header: loaded.header, leaf, entries: loaded.entries })
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
        self.entries.len()
    }

    fn line(&self, index: usize) -> Result<Cow<'_, str>, Error> {
        Ok(self.entries.get(index).map(StoredEntry::raw).unwrap_or_default().into())
    }
}
