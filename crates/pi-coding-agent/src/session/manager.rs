//! One open session: where it lives and what can be asked of it. How it comes to be is in `open.rs` and `fork.rs`,
//! appending in `append.rs`, moving about in its tree in `branch.rs`.
//!
//! Calls that open, append or read block on the file system. They are short, but for the first question about the whole of
//! a big file: that takes one pass over it. A new session exists only in memory until the first message is appended:
//! whoever never asks anything leaves no file behind.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pi_ai::{Clock, Message};

use super::claim::Claim;
use super::context::{self, SessionContext};
use super::durability::Durability;
use super::header::SessionHeader;
use super::log::{SessionLog, Standing};
use super::read_only::ReadOnly;
use super::record::StoredEntry;
use super::scan::LineProblem;
use super::store::EntryStore;
use super::unanswered;
use crate::env::Env;
use crate::ids::{Ids, RandomIds};
use crate::paths::Paths;
use crate::session::Error;

/// What every session needs from its surroundings.
#[derive(Debug, Clone)]
pub struct SessionHost {
    /// Directories of the run.
    pub paths: Paths,
    /// Time of new entries.
    pub clock: Arc<dyn Clock>,
    /// Ids of new sessions and entries.
    pub ids: Arc<dyn Ids>,
}

impl SessionHost {
    /// The surroundings of this process: directories as the environment says, the system's clock, random ids.
    pub fn new(env: Env) -> Self {
        // A process without a current directory cannot resolve a relative path; an absolute one needs none.
        let paths = Paths::new(env, std::env::current_dir().unwrap_or_default());
        Self { paths, clock: pi_ai::system_clock(), ids: RandomIds::shared() }
    }
}

/// How a new session differs from a plain one.
#[derive(Debug, Clone, Default)]
pub struct NewSession {
    /// Directory for the file; absent: the default of the working directory.
    pub dir: Option<PathBuf>,
    /// Session id; absent: a fresh one.
    pub id: Option<String>,
    /// The session that this one continues.
    pub parent_session: Option<PathBuf>,
}

/// What opening a file found to be damaged. Nothing of it was lost: damaged lines stay in the file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LoadReport {
    /// Damaged places.
    pub problems: Vec<LineProblem>,
    /// Where the torn end of the file went.
    pub torn_tail: Option<PathBuf>,
    /// The version that the file had, when it was rewritten.
    pub migrated_from: Option<u64>,
}

/// An open session.
#[derive(Debug)]
pub struct SessionManager {
    pub(super) host: SessionHost,
    pub(super) header: SessionHeader,
    pub(super) cwd: PathBuf,
    pub(super) dir: PathBuf,
    pub(super) storage: Storage,
    pub(super) store: EntryStore,
    pub(super) leaf: Option<Arc<str>>,
    pub(super) durability: Durability,
    /// What opening found, but for what the index knows.
    pub(super) report: LoadReport,
    /// Whether the leaf was found in a file or left by a run that was cut off, so that tool calls at it may be unanswered
    /// for good.
    pub(super) resumed: bool,
    /// What happened to the file while the session was open, as far as nobody was told.
    pub(super) notices: Vec<String>,
    /// Whether it was said that another program writes to the file, too.
    pub(super) shared: bool,
}

/// Where entries go.
#[derive(Debug)]
pub(super) enum Storage {
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

impl SessionManager {
    /// What every session needs from its surroundings, for another one.
    pub fn host(&self) -> SessionHost {
        self.host.clone()
    }

    /// The directories that the session works with.
    pub fn paths(&self) -> &Paths {
        &self.host.paths
    }

    /// The first line of the file.
    pub fn header(&self) -> &SessionHeader {
        &self.header
    }

    /// Session id.
    pub fn session_id(&self) -> &str {
        &self.header.id
    }

    /// The session's file, also before it exists; `None` for a session in memory.
    pub fn session_file(&self) -> Option<&Path> {
        match &self.storage {
            Storage::Memory => None,
            Storage::Deferred { file, .. } => Some(file),
            Storage::File(log) => Some(log.path()),
            Storage::ReadOnly { file, .. } => Some(file),
        }
    }

    /// Whether the session will be kept in a file that was not made yet.
    pub fn has_no_file_yet(&self) -> bool {
        matches!(self.storage, Storage::Deferred { .. })
    }

    /// Why nothing can be appended; `None` for a session that takes entries.
    pub fn read_only(&self) -> Option<ReadOnly> {
        match &self.storage {
            Storage::ReadOnly { reason, .. } => Some(*reason),
            _ => None,
        }
    }

    /// The directory of the session's file; empty for a session in memory.
    pub fn session_dir(&self) -> &Path {
        &self.dir
    }

    /// The working directory, absolute.
    pub fn cwd(&self) -> &Path {
        &self.cwd
    }

    /// Whether the session is, or will be, kept in a file.
    pub fn is_persisted(&self) -> bool {
        !matches!(self.storage, Storage::Memory)
    }

    /// Whether the file is where it would be without any option.
    pub fn uses_default_session_dir(&self) -> bool {
        self.dir == self.host.paths.default_session_dir(&self.cwd)
    }

    /// What was damaged when the file was opened. The middle of a big file is not looked at when it is opened: what is
    /// damaged there is reported from the first question on that needs the whole file.
    pub fn load_report(&self) -> LoadReport {
        let mut report = self.report.clone();
        if let Some(index) = self.store.known_index() {
            report.problems.splice(..0, index.problems().iter().cloned());
        }
        report
    }

    /// Sentences about what happened to the file since this was asked last: that it was deleted, moved, replaced or cut, and
    /// where the session is now. Each is meant for the user, once.
    pub fn take_notices(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notices)
    }

    /// How soon entries are safe from a power failure.
    pub fn durability(&self) -> Durability {
        self.durability
    }

    /// Chooses how soon entries are safe from a power failure, from the next one on.
    pub fn set_durability(&mut self, durability: Durability) {
        self.durability = durability;
        if let Storage::File(log) = &mut self.storage {
            log.sync_every_entry(durability == Durability::Entry);
        }
    }

    /// The same session once more, for reading, when all of it is in its file. This one can go on.
    pub(crate) fn reopened(&self) -> Option<Result<Self, Error>> {
        let Storage::File(log) = &self.storage else { return None };
        let all_written = !log.has_pending() && self.store.lines_in_memory().is_empty();
        // Where something else has the file's name now, everything is still read from the open one.
        let in_place = matches!(log.standing(), Standing::InPlace | Standing::Grown(_));
        (all_written && in_place).then(|| {
            let mut again = Self::open_read_only(self.host.clone(), log.path(), Some(&self.cwd))?;
            // Calls at its end may be running.
            again.resumed = self.resumed;
            Ok(again)
        })
    }

    /// Number of entries, the header not counted. Needs the whole file, like everything below that says nothing else.
    ///
    /// # Errors
    /// [`Error::Open`] when the file cannot be read.
    pub fn entry_count(&self) -> Result<usize, Error> {
        Ok(self.store.index()?.slots().len())
    }

    /// The entry at a position in file order, from 0; `None` behind the last one.
    ///
    /// # Errors
    /// [`Error::Open`]; [`Error::Changed`] when somebody else has changed the file.
    pub fn entry_at(&self, position: usize) -> Result<Option<StoredEntry>, Error> {
        let index = self.store.index()?;
        match u32::try_from(position) {
            Ok(slot) if position < index.slots().len() => self.store.read_slot(index, slot).map(Some),
            _ => Ok(None),
        }
    }

    /// All entries in file order, read one after the other.
    ///
    /// # Errors
    /// Those of [`Self::entry_at`], each as an item.
    pub fn entries(&self) -> impl Iterator<Item = Result<StoredEntry, Error>> + '_ {
        (0..).map_while(|position| self.entry_at(position).transpose())
    }

    /// An entry by id; of several with one id the last.
    ///
    /// # Errors
    /// Those of [`Self::entry_at`].
    pub fn entry(&self, id: &str) -> Result<Option<StoredEntry>, Error> {
        let index = self.store.index()?;
        self.slot(id)?.map(|slot| self.store.read_slot(index, slot)).transpose()
    }

    /// The id of the entry that the next one will follow; `None` at the root.
    pub fn leaf_id(&self) -> Option<&str> {
        self.leaf.as_deref()
    }

    /// The entry that the next one will follow. Reads no more than the end of the file, mostly.
    ///
    /// # Errors
    /// Those of [`Self::entry_at`].
    pub fn leaf_entry(&self) -> Result<Option<StoredEntry>, Error> {
        self.climb().next().transpose()
    }

    /// The label on an entry.
    ///
    /// # Errors
    /// [`Error::Open`].
    pub fn label(&self, id: &str) -> Result<Option<&str>, Error> {
        Ok(self.store.index()?.notes().label(id).map(|label| label.text.as_str()))
    }

    /// The session's display name, of whatever branch.
    ///
    /// # Errors
    /// [`Error::Open`].
    pub fn session_name(&self) -> Result<Option<&str>, Error> {
        Ok(self.store.index()?.notes().name())
    }

    /// The name, if that can be told without reading the file; it may be that there is none.
    pub(crate) fn known_session_name(&self) -> Option<Option<&str>> {
        Some(self.store.known_index()?.notes().name())
    }

    /// Messages, thinking level and model at the leaf. Reads the file backwards until that is complete.
    ///
    /// Where the file was found to end in tool calls without results, they are followed by results that say what is
    /// known of them. These become entries with the next append.
    ///
    /// # Errors
    /// Those of [`Self::entry_at`].
    pub fn build_session_context(&self) -> Result<SessionContext, Error> {
        let mut context = context::build(&self.store, self.leaf_id())?;
        context.messages.extend(self.missing_results()?);
        Ok(context)
    }

    /// The same at another entry, without results that are missing; `None` is before all entries.
    ///
    /// # Errors
    /// Those of [`Self::entry_at`].
    pub fn session_context_at(&self, leaf: Option<&str>) -> Result<SessionContext, Error> {
        context::build(&self.store, leaf)
    }

    /// The run that was going on ended without a word, so that calls at the leaf may be unanswered for good.
    pub(crate) fn was_cut_off(&mut self) {
        self.resumed = true;
    }

    /// Results for the calls that a crash cut off, and what was kept for the end of that run, as long as the file does not
    /// have them.
    pub(super) fn missing_results(&self) -> Result<Vec<Arc<Message>>, Error> {
        if !self.resumed {
            return Ok(Vec::new());
        }
        unanswered::left_by_crash(&self.store, self.leaf_id(), self.session_file())
    }

    /// Whether everything that was appended has been written.
    pub(crate) fn is_written(&self) -> bool {
        match &self.storage {
            Storage::File(log) => !log.has_pending(),
            Storage::Deferred { due, .. } => !due,
            Storage::Memory | Storage::ReadOnly { .. } => true,
        }
    }

    /// The entries, of all types, that the context at the leaf is made of, oldest first: the whole branch, or from the
    /// first entry on that its last compaction kept. Reads the file backwards until that is complete.
    ///
    /// # Errors
    /// Those of [`Self::entry_at`].
    pub fn context_entries(&self) -> Result<Vec<StoredEntry>, Error> {
        context::entries(&self.store, self.leaf_id())
    }

    /// Checks that the working directory still exists.
    ///
    /// # Errors
    /// [`Error::MissingCwd`], only for a session with a file.
    pub fn check_cwd(&self) -> Result<(), Error> {
        match self.session_file() {
            Some(file) if !self.cwd.is_dir() => Err(Error::MissingCwd {
                session_file: file.to_owned(),
                session_cwd: self.cwd.clone(),
                fallback_cwd: self.host.paths.cwd().to_owned(),
            }),
            _ => Ok(()),
        }
    }
}
