//! One open session: where it lives and what can be asked of it. Opening is in `open.rs`, appending in `append.rs`.
//!
//! Calls that open or append block on the file system; they are short. A new session exists only in memory until
//! the first answer of a model is appended: whoever never asks anything leaves no file behind.
//!
//! Later issues add forking (`fork.rs`), listing (`list.rs`), the tree view (`tree.rs`) and search beside this file.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pi_ai::Clock;

use super::context::{SessionContext, build};
use super::header::SessionHeader;
use super::index::EntryIndex;
use super::log::SessionLog;
use super::record::StoredEntry;
use super::scan::LineProblem;
use crate::error::Error;
use crate::ids::Ids;
use crate::paths::Paths;

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
    pub(super) index: EntryIndex,
    pub(super) leaf: Option<Arc<str>>,
    pub(super) report: LoadReport,
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
        /// Whether a model has answered: from then on the file must exist.
        due: bool,
    },
    /// Into this file.
    File(SessionLog),
}

impl SessionManager {
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

    /// What was damaged when the file was opened.
    pub fn load_report(&self) -> &LoadReport {
        &self.report
    }

    /// All entries in file order.
    pub fn entries(&self) -> &[StoredEntry] {
        self.index.all()
    }

    /// An entry by id.
    pub fn entry(&self, id: &str) -> Option<&StoredEntry> {
        self.index.get(id)
    }

    /// The id of the entry that the next one will follow; `None` at the root.
    pub fn leaf_id(&self) -> Option<&str> {
        self.leaf.as_deref()
    }

    /// The entry that the next one will follow.
    pub fn leaf_entry(&self) -> Option<&StoredEntry> {
        self.index.get(self.leaf_id()?)
    }

    /// The entries from the root to `from`; empty when that is unknown.
    pub fn branch_of(&self, from: &str) -> Vec<&StoredEntry> {
        self.index.branch(from)
    }

    /// The entries from the root to the leaf.
    pub fn branch(&self) -> Vec<&StoredEntry> {
        self.leaf_id().map(|leaf| self.index.branch(leaf)).unwrap_or_default()
    }

    /// The label on an entry.
    pub fn label(&self, id: &str) -> Option<&str> {
        self.index.label(id)
    }

    /// The session's display name, of whatever branch.
    pub fn session_name(&self) -> Option<&str> {
        self.index.name()
    }

    /// Messages, thinking level and model at the leaf.
    pub fn build_session_context(&self) -> SessionContext {
        build(&self.branch())
    }

    /// Checks that the working directory still exists.
    ///
    /// # Errors
    /// [`Error::MissingSessionCwd`], only for a session with a file.
    pub fn check_cwd(&self) -> Result<(), Error> {
        match self.session_file() {
            Some(file) if !self.cwd.is_dir() => Err(Error::MissingSessionCwd {
                session_file: file.to_owned(),
                session_cwd: self.cwd.clone(),
                fallback_cwd: self.host.paths.cwd().to_owned(),
            }),
            _ => Ok(()),
        }
    }
}
