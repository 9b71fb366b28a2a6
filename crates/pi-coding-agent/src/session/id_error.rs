//! What can be wrong with a session id.

use super::LONGEST_SESSION_ID;
use super::error::holder_name;

/// Why a session cannot have an id.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SessionIdError {
    /// It cannot be part of a file name. Clients match on this text.
    #[error(
        "Session id must be non-empty, contain only alphanumeric characters, '-', '_', and '.', and start and end with an alphanumeric character"
    )]
    Invalid,
    /// It is too long to be part of a file name.
    #[error(
        "Session id must have at most {} characters; this one has {length}. Choose a shorter one",
        LONGEST_SESSION_ID
    )]
    TooLong {
        /// How long it is, in bytes.
        length: usize,
    },
    /// A session with this id, which has no file yet, is open elsewhere.
    #[error("Session {id} is in use by {}. Close that session, or choose another id.", holder_name(*.pid))]
    InUse {
        /// The id.
        id: String,
        /// The process that holds it, where the system tells.
        pid: Option<u32>,
    },
    /// It is of a session that belongs to another directory, and nobody answered what is to become of it.
    #[error("Session {wanted} belongs to {cwd}. To go on with a copy of it in this directory: --fork {wanted}")]
    Elsewhere {
        /// What was asked for.
        wanted: String,
        /// The directory of the session.
        cwd: String,
    },
}
