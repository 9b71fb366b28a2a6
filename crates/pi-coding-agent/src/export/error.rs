//! Why a session does not become a file for elsewhere, or one of elsewhere a session.

use std::io;
use std::path::PathBuf;

/// A failure of an export or an import.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file, a lock or a value of JSON.
    #[error(transparent)]
    Host(#[from] crate::host::Error),
    /// A session or its file.
    #[error(transparent)]
    Session(#[from] crate::session::Error),
    /// A session in memory has no file name to derive one from. Clients match on this text.
    #[error("Cannot export in-memory session to HTML")]
    InMemory,
    /// Nobody has answered yet, so there is no session file. Clients match on this text.
    #[error("Nothing to export yet - start a conversation first")]
    NothingSaid,
    /// An export would replace the session that it is made of.
    #[error("Cannot export to {}: that is the session file itself. Name another file.", .path.display())]
    OverSource {
        /// The file.
        path: PathBuf,
    },
    /// An export cannot be written to where it should go.
    #[error("Cannot write the export: {source}")]
    Write {
        /// What the system said.
        source: io::Error,
    },
    /// A session file cannot be copied into the session directory.
    #[error("Cannot import {} into {}: {source}", .path.display(), .dir.display())]
    Import {
        /// The file.
        path: PathBuf,
        /// The session directory.
        dir: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}
