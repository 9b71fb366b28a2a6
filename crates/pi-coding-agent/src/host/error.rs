//! Why a file, a lock or a value of JSON fails. Every text names the thing and, where there is one, the way out.

use std::io;
use std::path::PathBuf;

/// A failure of the system, or of what was asked of it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A value cannot be put into JSON.
    #[error("Cannot write {what} as JSON: {source}")]
    Serialize {
        /// What was to be written.
        what: &'static str,
        /// What the serialiser said.
        source: serde_json::Error,
    },
    /// A file cannot be read.
    #[error("Cannot read {}: {source}", .path.display())]
    FileRead {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file cannot be written.
    #[error("Cannot write {}: {source}", .path.display())]
    FileWrite {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file that was named does not exist. Clients match on this text.
    #[error("File not found: {}", .path.display())]
    NoSuchFile {
        /// The file, absolute.
        path: PathBuf,
    },
    /// Another process holds the lock of a file for too long.
    #[error("{} is locked by another process. If none is running, remove {}.", .path.display(), .lock.display())]
    FileLocked {
        /// The file.
        path: PathBuf,
        /// The directory that is the lock.
        lock: PathBuf,
    },
    /// A configuration file is not a JSON object.
    #[error("{} is not valid: {detail}", .path.display())]
    InvalidJson {
        /// The file.
        path: PathBuf,
        /// What is wrong, with line and column where known.
        detail: String,
    },
}

/// Lets `?` convert the error of a part into the `Error` of the file that calls this, by way of the error of its floor:
/// `convert_through! { Part => Floor, ... }`.
macro_rules! convert_through {
    ($($part:ty => $floor:ty,)*) => {
        $(impl From<$part> for Error {
            fn from(error: $part) -> Self {
                <$floor>::from(error).into()
            }
        })*
    };
}

pub(crate) use convert_through;
