//! One open session and its parts: its entries are in `entries.rs`, where they go in `storage.rs`. How it comes to be is in
//! `open.rs` and `fork.rs`, appending in `append.rs`, moving about in its tree in `branch.rs`.
//!
//! Calls that open, append or read block on the file system. They are short, but for the first question about the whole of
//! a big file: that takes one pass over it. A new session exists only in memory until the first message is appended:
//! whoever never asks anything leaves no file behind.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pi_ai::{Clock, Message};

use super::context::SessionContext;
use super::durability::Durability;
use super::entries::Entries;
use super::header::SessionHeader;
use super::interrupted_calls;
use super::log::Standing;
use super::scan::LineProblem;
use super::storage::SessionStorage;
use crate::host::ids::Ids;
use crate::host::paths::Paths;
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
    pub(super) entries: Entries,
    pub(super) storage: SessionStorage,
    /// What opening found, but for what the index knows.
    pub(super) report: LoadReport,
    /// Whether the leaf was found in a file or left by a run that was cut off, so that tool calls at it may be unanswered
    /// for good.
    pub(super) resumed: bool,
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
        self.storage.file()
    }

    /// Where the session is kept.
    pub fn storage(&self) -> &SessionStorage {
        &self.storage
    }

    /// The entries, for reading.
    pub fn entries(&self) -> &Entries {
        &self.entries
    }

    /// The id of the entry that the next one will follow; `None` at the root.
    pub fn leaf_id(&self) -> Option<&str> {
        self.entries.leaf_id()
    }

    /// The session's display name, of whatever branch.
    ///
    /// # Errors
    /// [`Error::Open`].
    pub fn session_name(&self) -> Result<Option<&str>, Error> {
        self.entries.name()
    }

    /// The working directory, absolute.
    pub fn cwd(&self) -> &Path {
        &self.cwd
    }

    /// Whether the file is where it would be without any option.
    pub fn uses_default_session_dir(&self) -> bool {
        self.storage.dir() == self.host.paths.default_session_dir(&self.cwd)
    }

    /// What was damaged when the file was opened. The middle of a big file is not looked at when it is opened: what is
    /// damaged there is reported from the first question on that needs the whole file.
    pub fn load_report(&self) -> LoadReport {
        let mut report = self.report.clone();
        if let Some(index) = self.entries.store().known_index() {
            report.problems.splice(..0, index.problems().iter().cloned());
        }
        report
    }

    /// Sentences about what happened to the file since this was asked last: that it was deleted, moved, replaced or cut, and
    /// where the session is now. Each is meant for the user, once.
    pub fn take_notices(&mut self) -> Vec<String> {
        self.storage.take_notices()
    }

    /// Chooses how soon entries are safe from a power failure, from the next one on.
    pub fn set_durability(&mut self, durability: Durability) {
        self.storage.set_durability(durability);
    }

    /// Messages, thinking level and model at the leaf. Reads the file backwards until that is complete.
    ///
    /// Where the file was found to end in tool calls without results, they are followed by results that say what is
    /// known of them. These become entries with the next append.
    ///
    /// # Errors
    /// Those of [`Entries::at`].
    pub fn build_session_context(&self) -> Result<SessionContext, Error> {
        let mut context = self.entries.context_at(self.leaf_id())?;
        context.messages.extend(self.missing_results()?);
        Ok(context)
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
        interrupted_calls::left_by_crash(self.entries.store(), self.leaf_id(), self.session_file())
    }

    /// Goes on in another working directory. The file keeps naming the one that it was made in.
    pub(crate) fn set_cwd(&mut self, cwd: &Path) {
        cwd.clone_into(&mut self.cwd);
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

/// The same session once more, for reading, when all of it is in its file. This one can go on.
pub(crate) fn reopened(session: &SessionManager) -> Option<Result<SessionManager, Error>> {
    let log = session.storage.log()?;
    let all_written = !log.has_pending() && session.entries.store().lines_in_memory().is_empty();
    // Where something else has the file's name now, everything is still read from the open one.
    let in_place = matches!(log.standing(), Standing::InPlace | Standing::Grown(_));
    (all_written && in_place).then(|| {
        let mut again = SessionManager::open_read_only(session.host.clone(), log.path(), Some(&session.cwd))?;
        // Calls at its end may be running.
        again.resumed = session.resumed;
        Ok(again)
    })
}
