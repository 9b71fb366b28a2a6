//! The file of credentials under its lock, for who brings the change as a whole.

use std::path::PathBuf;
use std::sync::Arc;

use pi_ai::Clock;

use crate::config::Error;
use crate::config::storage::{FileStorage, Storage};
use crate::host::FileKind;
use crate::host::dir_lock::{DirLock, LongLock};

/// A file that others do not change until this is dropped.
#[derive(Debug)]
pub struct LockedFile {
    file: FileStorage,
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
    /// [`host::Error::FileLocked`](crate::host::Error::FileLocked), [`host::Error::FileWrite`](crate::host::Error::FileWrite).
    pub fn acquire(file: PathBuf, clock: &Arc<dyn Clock>) -> Result<Self, Error> {
        let file = Self::in_its_directory(file, clock)?;
        let lock = Lock::Short { _lock: DirLock::acquire(file.path(), clock.as_ref())? };
        Self::of(file, lock)
    }

    /// Takes the lock for as long as a request takes; waits for it up to 45 s.
    ///
    /// # Errors
    /// [`host::Error::FileLocked`](crate::host::Error::FileLocked), [`host::Error::FileWrite`](crate::host::Error::FileWrite).
    pub async fn acquire_long(file: PathBuf, clock: &Arc<dyn Clock>) -> Result<Self, Error> {
        let file = Self::in_its_directory(file, clock)?;
        let lock = Lock::Long { _lock: LongLock::acquire(file.path(), clock).await? };
        Self::of(file, lock)
    }

    fn in_its_directory(file: PathBuf, clock: &Arc<dyn Clock>) -> Result<FileStorage, Error> {
        let file = FileStorage::new(file, FileKind::Credentials, Arc::clone(clock));
        file.create_parent().map(|()| file)
    }

    /// Makes the file now that nobody else does.
    fn of(file: FileStorage, lock: Lock) -> Result<Self, Error> {
        if !file.path().exists() {
            file.create()?;
        }
        Ok(Self { file, _lock: lock })
    }

    /// What is in the file.
    ///
    /// # Errors
    /// [`host::Error::FileRead`](crate::host::Error::FileRead).
    pub fn text(&self) -> Result<String, Error> {
        self.file.read().map(Option::unwrap_or_default)
    }

    /// Puts this in its place.
    ///
    /// # Errors
    /// [`host::Error::FileWrite`](crate::host::Error::FileWrite).
    pub fn replace(&self, text: &str) -> Result<(), Error> {
        self.file.replace(text)
    }
}
