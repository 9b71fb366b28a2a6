//! Where the entries of an open session go: nowhere, or into a file, which is made when the first message is appended.
//!
//! What happens when another program takes the file away is in `rescue`.

use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::claim::Claim;
use super::create::{header_line, prepare_directory};
use super::durability::Durability;
use super::entries::Entries;
use super::header::SessionHeader;
use super::lock::create_locked;
use super::log::{SessionLog, SyncJob};
use super::read_only::ReadOnly;
use super::record::StoredEntry;
use crate::session::Error;

/// Where a session is kept, see [`SessionManager::storage`](super::SessionManager::storage).
#[derive(Debug)]
pub struct SessionStorage {
    dir: PathBuf,
    target: Target,
    durability: Durability,
    /// What happened to the file while the session was open, as far as nobody was told.
    notices: Vec<String>,
    /// Whether it was said that another program writes to the file, too.
    shared: bool,
}

/// Where entries go.
#[derive(Debug)]
pub(super) enum Target {
    /// Nowhere.
    Memory,
    /// Into this file, which does not exist yet.
    Deferred {
        /// The file.
        file: PathBuf,
        /// Whether something was asked: from then on the file must exist.
        due: bool,
        /// Keeps others from the id, or the file, until the file is there. Held, not used.
        _claim: Claim,
    },
    /// Into this file.
    File(SessionLog),
    /// Nowhere, and whoever appends is told why.
    ReadOnly {
        /// The file.
        file: PathBuf,
        /// The reason.
        reason: ReadOnly,
    },
}

impl SessionStorage {
    pub(super) fn new(dir: PathBuf, target: Target) -> Self {
        Self { dir, target, durability: Durability::default(), notices: Vec::new(), shared: false }
    }

    /// The session's file, also before it exists; `None` for a session in memory.
    pub fn file(&self) -> Option<&Path> {
        match &self.target {
            Target::Memory => None,
            Target::Deferred { file, .. } => Some(file),
            Target::File(log) => Some(log.path()),
            Target::ReadOnly { file, .. } => Some(file),
        }
    }

    /// The directory of the session's file; empty for a session in memory.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Whether the session is, or will be, kept in a file.
    pub fn is_persisted(&self) -> bool {
        !matches!(self.target, Target::Memory)
    }

    /// Whether the session will be kept in a file that was not made yet.
    pub fn has_no_file_yet(&self) -> bool {
        matches!(self.target, Target::Deferred { .. })
    }

    /// Why nothing can be appended; `None` for a session that takes entries.
    pub fn read_only(&self) -> Option<ReadOnly> {
        match &self.target {
            Target::ReadOnly { reason, .. } => Some(*reason),
            _ => None,
        }
    }

    /// How soon entries are safe from a power failure.
    pub fn durability(&self) -> Durability {
        self.durability
    }

    /// Whether everything that was appended has been written.
    pub(crate) fn is_written(&self) -> bool {
        match &self.target {
            Target::File(log) => !log.has_pending(),
            Target::Deferred { due, .. } => !due,
            Target::Memory | Target::ReadOnly { .. } => true,
        }
    }

    /// The open file; `None` where nothing can be written, or nothing has been yet.
    pub(super) fn log(&self) -> Option<&SessionLog> {
        match &self.target {
            Target::File(log) => Some(log),
            _ => None,
        }
    }

    /// The same for writing.
    pub(super) fn log_mut(&mut self) -> Option<&mut SessionLog> {
        match &mut self.target {
            Target::File(log) => Some(log),
            _ => None,
        }
    }

    /// Goes on in another file.
    pub(super) fn go_on_in(&mut self, log: SessionLog) {
        self.target = Target::File(log);
    }

    /// Keeps a sentence for the user.
    pub(super) fn notice(&mut self, text: String) {
        self.notices.push(text);
    }

    /// The sentences that were kept, each once.
    pub(super) fn take_notices(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notices)
    }

    /// Notes that another program writes to the file, too. Returns whether that was known.
    pub(super) fn note_shared(&mut self) -> bool {
        std::mem::replace(&mut self.shared, true)
    }

    pub(super) fn set_durability(&mut self, durability: Durability) {
        self.durability = durability;
        if let Target::File(log) = &mut self.target {
            log.sync_every_entry(durability == Durability::Entry);
        }
    }

    /// What is appended from now on belongs to a conversation: with it the file is made, if there is none.
    pub(super) fn needs_file(&mut self) {
        if let Target::Deferred { due, .. } = &mut self.target {
            *due = true;
        }
    }

    /// Writes an entry, as far as there is a file, and takes it into `entries` even when that failed.
    pub(super) fn append(&mut self, stored: &StoredEntry, entries: &mut Entries) -> Result<(), Error> {
        let (mut offset, mut written) = (None, Ok(()));
        match &mut self.target {
            Target::Memory | Target::Deferred { .. } => {}
            Target::File(log) => {
                written = log.append(stored.raw());
                let start = log.end().checked_sub(stored.raw().len() as u64 + 1);
                offset = start.filter(|_| !log.has_pending());
            }
            Target::ReadOnly { file, reason } => {
                return Err(Error::ReadOnly { path: file.clone(), reason: *reason });
            }
        }
        entries.push(stored, offset);
        written
    }

    /// Creates the file, if it is due, with everything there is so far.
    pub(super) fn materialise(&mut self, header: &SessionHeader, entries: &mut Entries) -> Result<(), Error> {
        let Target::Deferred { file, due: true, .. } = &self.target else { return Ok(()) };
        let header = header_line(header)?;
        let first = header.len() as u64 + 1;
        let mut text = header;
        for line in entries.store().lines_in_memory() {
            text.push('\n');
            text.push_str(line);
        }
        let file = file.clone();
        let handle = create_with_directory(&file)?;
        let reader = handle.try_clone().map_err(|source| Error::Open { path: file.clone(), source });
        let mut log = SessionLog::new(&file, Box::new(handle)).newly_created();
        log.sync_every_entry(self.durability == Durability::Entry);
        let written = log.append(&text);
        if let Ok(reader) = reader
            && !log.has_pending()
        {
            entries.store_mut().moved_to_file(&file, reader, first);
        }
        // From here on the file exists, and its lock is ours, so that the claim may go; what it could not take is pending
        // in the log.
        self.target = Target::File(log);
        written
    }

    /// What makes everything appended safe on the disk; `None` when there is nothing to wait for.
    pub(super) fn sync_job(&mut self, header: &SessionHeader, entries: &mut Entries) -> Option<SyncJob> {
        if let Err(error) = self.materialise(header, entries) {
            return Some(Box::new(move || Err(error)));
        }
        if matches!(&self.target, Target::File(log) if log.is_unsynced() || log.has_pending()) {
            self.stay_in_place(header, entries);
        }
        match &mut self.target {
            Target::File(log) if self.durability == Durability::None && !log.has_pending() => None,
            Target::File(log) => log.sync_job(),
            Target::Memory | Target::Deferred { .. } | Target::ReadOnly { .. } => None,
        }
    }

    /// Replaces the file; `false` before it exists.
    pub(super) fn replace_log(&mut self, log: SessionLog) -> bool {
        let Target::File(current) = &mut self.target else { return false };
        *current = log;
        true
    }
}

/// The directory was there when the session began; somebody may have removed it since.
fn create_with_directory(file: &Path) -> Result<File, Error> {
    match create_locked(file) {
        Err(Error::Write { source, .. }) if source.kind() == ErrorKind::NotFound => {
            prepare_directory(file.parent().unwrap_or(Path::new(".")))?;
            create_locked(file)
        }
        created => created,
    }
}
