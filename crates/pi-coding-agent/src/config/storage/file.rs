//! A text in a file that several programs share: changed under a lock, replaced whole and at once.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pi_ai::Clock;

use super::{Change, Storage};
use crate::config::Error;
use crate::host::dir_lock::DirLock;
use crate::host::json_file::write_text;
use crate::host::{self, FileKind};

const PRIVATE_FILE: u32 = 0o600;

/// A file of settings or credentials. What reads it is read through the same limits as the program's own files.
#[derive(Debug, Clone)]
pub struct FileStorage {
    path: PathBuf,
    kind: FileKind,
    /// The age of locks is told by it.
    clock: Arc<dyn Clock>,
}

impl FileStorage {
    /// A `settings.json`. Nothing is read yet. `clock` tells the age of locks that others hold, so it has to be a real one.
    pub fn settings(path: impl Into<PathBuf>, clock: Arc<dyn Clock>) -> Self {
        Self::new(path.into(), FileKind::Settings, clock)
    }

    /// An `auth.json`, which only its owner may read. Nothing is read yet.
    pub fn credentials(path: impl Into<PathBuf>, clock: Arc<dyn Clock>) -> Self {
        Self::new(path.into(), FileKind::Credentials, clock)
    }

    pub(crate) fn new(path: PathBuf, kind: FileKind, clock: Arc<dyn Clock>) -> Self {
        Self { path, kind, clock }
    }

    /// The same kind of file in another place.
    pub(crate) fn at(&self, path: PathBuf) -> Self {
        Self { path, ..self.clone() }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn is_private(&self) -> bool {
        self.kind == FileKind::Credentials
    }

    /// [`Storage::update`] for who holds the lock of the file already.
    pub(crate) fn update_locked(&self, change: &mut Change<'_>) -> Result<(), Error> {
        self.replace(&change(self.read()?.as_deref())?)
    }

    /// Puts this in the place of what is there, readable or not.
    pub(crate) fn replace(&self, text: &str) -> Result<(), Error> {
        // A file of settings keeps the mode that it has.
        write_text(&self.path, text, self.is_private().then_some(PRIVATE_FILE)).map_err(Into::into)
    }

    /// Makes the directory of the file.
    pub(crate) fn create_parent(&self) -> Result<(), Error> {
        let dir = self.path.parent().unwrap_or(Path::new("."));
        let made = if self.is_private() { create_private_dir(dir) } else { fs::create_dir_all(dir) };
        made.map_err(|source| host::Error::FileWrite { path: dir.to_owned(), source }.into())
    }

    /// Makes the file, with an empty object in it.
    pub(crate) fn create(&self) -> Result<(), Error> {
        self.create_parent()?;
        self.replace("{}")
    }
}

impl Storage for FileStorage {
    fn name(&self) -> String {
        self.path.display().to_string()
    }

    fn read(&self) -> Result<Option<String>, Error> {
        match host::read_text(&self.path, self.kind) {
            Ok(text) => Ok(Some(text)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(source) => Err(host::Error::FileRead { path: self.path.clone(), source }.into()),
        }
    }

    fn update(&self, change: &mut Change<'_>) -> Result<(), Error> {
        self.create_parent()?;
        let _lock = DirLock::acquire(&self.path, self.clock.as_ref())?;
        self.update_locked(change)
    }

    fn as_file(&self) -> Option<&FileStorage> {
        Some(self)
    }
}

#[cfg(unix)]
fn create_private_dir(dir: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    const PRIVATE_DIR: u32 = 0o700;
    fs::DirBuilder::new().recursive(true).mode(PRIVATE_DIR).create(dir)
}

#[cfg(not(unix))]
fn create_private_dir(dir: &Path) -> std::io::Result<()> {
    fs::create_dir_all(dir)
}
