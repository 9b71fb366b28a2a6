//! Why a session or its file fails. Every text names the thing and, where there is one, the way out.

use std::io;
use std::path::{Path, PathBuf};

use super::id_error::SessionIdError;
use super::read_only::ReadOnly;

/// A failure of a session or its file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file, a lock or a value of JSON.
    #[error(transparent)]
    Host(#[from] crate::host::Error),
    /// The directory for session files cannot be made or written to.
    #[error(
        "Cannot write to the session directory {}: {source}. Choose another one with --session-dir, or keep nothing with --no-session.",
        .path.display()
    )]
    Directory {
        /// The directory.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A session file cannot be opened or read.
    #[error("Cannot open session file {}: {source}", .path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Entries could not be written. They are kept in memory and go out with the next write.
    #[error(
        "Cannot write to session file {}: {source}. The entry is kept in memory and written again with the next one.",
        .path.display()
    )]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file exists but holds something else than a session.
    #[error(
        "Not a session file: {}: {reason}. It was left untouched; name another file, or move this one away first.",
        .path.display()
    )]
    Invalid {
        /// The file.
        path: PathBuf,
        /// What was found instead.
        reason: String,
    },
    /// Another process, or another session of this one, has the file open for writing.
    #[error("Session file {} is in use by {}. Close that session, fork it, or start a new one.",
        .path.display(), holder_name(*.pid))]
    Locked {
        /// The file.
        path: PathBuf,
        /// The process that holds it, where the system tells.
        pid: Option<u32>,
    },
    /// A session file has changed under a reader or a writer, although it was locked.
    #[error(
        "Session file {} was changed by another program while it was open. What was appended is safe; open the session again to see all of it.",
        .path.display()
    )]
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// Nothing can be appended to this session.
    #[error("Session file {} is open for reading only{}", .path.display(), read_only_reason(*.reason, .path))]
    ReadOnly {
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: ReadOnly,
    },
    /// There is nothing in a file to fork. Clients match on the first part of the text.
    #[error("Cannot fork: source session {what}: {}", .path.display())]
    ForkSource {
        /// The file.
        path: PathBuf,
        /// What it lacks.
        what: &'static str,
    },
    /// A new session cannot have the id of another one. Clients match on this text.
    #[error("Session already exists with id '{id}'")]
    Exists {
        /// The id.
        id: String,
    },
    /// A file holds nothing that a repair could save.
    #[error("Nothing to repair in {}: it holds neither a session header nor an entry.", .path.display())]
    NothingToRepair {
        /// The file.
        path: PathBuf,
    },
    /// A repair never writes over a file.
    #[error("{} exists already: name a new file for the repaired session.", .path.display())]
    RepairTargetExists {
        /// The file.
        path: PathBuf,
    },
    /// A session cannot have the id that was asked for.
    #[error(transparent)]
    Id(#[from] SessionIdError),
    /// No entry has this id.
    #[error("Entry {id} not found")]
    EntryNotFound {
        /// The id.
        id: String,
    },
    /// A search that asks for nothing.
    #[error("Nothing to search for. Give a word, a \"phrase\", or re: and a regular expression.")]
    SearchEmpty,
    /// The regular expression of a search is none.
    #[error(
        "Not a regular expression: {pattern}: {reason}, at character {position}. Without re: it is searched as text."
    )]
    SearchPattern {
        /// The pattern.
        pattern: String,
        /// Where in it, in characters from 1.
        position: usize,
        /// What is wrong.
        reason: String,
    },
    /// The directory that a session belongs to is gone.
    #[error(
        "Stored session working directory does not exist: {}\nSession file: {}\nCurrent working directory: {}",
        .session_cwd.display(), .session_file.display(), .fallback_cwd.display()
    )]
    MissingCwd {
        /// The session file.
        session_file: PathBuf,
        /// The directory it names.
        session_cwd: PathBuf,
        /// The directory that could be used instead.
        fallback_cwd: PathBuf,
    },
    /// Data of an extension that could not be read again.
    #[error(
        "The data of the entry is nested too deeply: a session entry has at most {levels} levels. Flatten it, or store it as JSON text"
    )]
    EntryTooDeep {
        /// Levels that an entry may have, itself included.
        levels: usize,
    },
}

/// Who has a session, in an error.
pub(super) fn holder_name(pid: Option<u32>) -> String {
    pid.map_or_else(|| "another session".to_owned(), |pid| format!("process {pid}"))
}

/// What follows the name of a session that takes no entries: why, and the way out.
fn read_only_reason(reason: ReadOnly, path: &Path) -> String {
    match reason {
        ReadOnly::Asked => ".".to_owned(),
        ReadOnly::NewerVersion(version) => {
            format!(": its format version {version} is newer than this program. Update pi, or fork the session.")
        }
        ReadOnly::NoHeader => {
            format!(
                ": its first line is no session header. `pi session doctor {} --repair` makes a whole copy.",
                path.display()
            )
        }
    }
}
