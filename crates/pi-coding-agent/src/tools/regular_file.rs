//! Opening files of this machine: regular ones only.

use std::fs::File;
use std::io;
use std::path::Path;

use super::operations::OperationError;
use crate::host::{self, Refusal};

/// Opens a file for reading. Only regular files: reading a pipe or a device could block for ever.
pub(super) fn open_regular(path: &Path) -> Result<File, OperationError> {
    host::open_regular(path).map_err(|error| match host::refusal_in(&error) {
        Some(Refusal::NotRegular { what }) => not_regular(path, what),
        // The error that everybody knows.
        _ if error.kind() == io::ErrorKind::IsADirectory => OperationError::from_io(&error, "read", None),
        _ => OperationError::from_io(&error, "open", Some(path)),
    })
}

/// The same for `edit` and `write`, which look at a file only to change it: reading it does not count as an access, where
/// the system lets this user say so (the owner and root, on Linux).
pub(super) fn open_quietly(path: &Path) -> Result<File, OperationError> {
    let file = open_regular(path)?;
    #[cfg(target_os = "linux")]
    if let Ok(flags) = rustix::fs::fcntl_getfl(&file) {
        let _ = rustix::fs::fcntl_setfl(&file, flags | rustix::fs::OFlags::NOATIME);
    }
    Ok(file)
}

/// `what` has its article.
pub(super) fn not_regular(path: &Path, what: &str) -> OperationError {
    OperationError::new(format!("{} is {what}, not a regular file. Use bash to work with it.", path.display()))
}
