//! The file of credentials under its lock, for who brings the change as a whole.

use std::path::PathBuf;
use std::sync::Arc;

use pi_ai::Clock;

use super::store::{PRIVATE_FILE, create_empty, create_parent};
use crate::dir_lock::{DirLock, LongLock};
use crate::error::Error;
use crate::host::{self, FileKind};
use crate::json_file::write_text;

/// A file that others do not change until this is dropped.
#[derive(Debug)]
pub(crate) struct LockedFile {
    file: PathBuf,
    _lock: Lock,
}

#[derive(Debug)]
enum Lock {
    Short { _lock: DirLock },
    Long { _lock: LongLock },
}

impl LockedFile {
    /// Takes the lock for a moment; the file is made if there is none. Blocks briefly.
    ///
    /// # Errors
    /// [`Error::FileLocked`], [`Error::FileWrite`].
    pub(crate) fn acquire(file: PathBuf, clock: &dyn Clock) -> Result<Self, Error> {
        create_parent(&file)?;
        let lock = Lock::Short { _lock: DirLock::acquire(&file, clock)? };
        Self::of(file, lock)
    }

    /// Takes the lock for as long as a request takes; waits for it up to 45 s.
    ///
    /// # Errors
    /// [`Error::FileLocked`], [`Error::FileWrite`].
    pub(crate) async fn acquire_long(file: PathBuf, clock: &Arc<dyn Clock>) -> Result<Self, Error> {
        create_parent(&file)?;
        let lock = Lock::Long { _lock: LongLock::acquire(&file, clock).await? };
        Self::of(file, lock)
    }

    /// Makes the file now that nobody else does.
    fn of(file: PathBuf, lock: Lock) -> Result<Self, Error> {
        if !file.exists() {
            create_empty(&file)?;
        }
        Ok(Self { file, _lock: lock })
    }

    /// What is in the file.
    ///
    /// # Errors
    /// [`Error::FileRead`].
    pub(crate) fn text(&self) -> Result<String, Error> {
        let text = host::read_text(&self.file, FileKind::Credentials);
        text.map_err(|source| Error::FileRead { path: self.file.clone(), source })
    }

    /// Puts this in its place.
    ///
    /// # Errors
    /// [`Error::FileWrite`].
    pub(crate) fn replace(&self, text: &str) -> Result<(), Error> {
        write_text(&self.file, text, Some(PRIVATE_FILE))
    }
}
