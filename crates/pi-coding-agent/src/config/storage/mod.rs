//! Where settings and credentials are kept: a file, memory, or whatever a program brings along.
//!
//! A [`Storage`] keeps one text and knows nothing of what is in it. What the text means, and which of it counts, is the
//! matter of [`SettingsManager`](crate::settings::SettingsManager) and [`AuthStorage`](crate::auth_storage::AuthStorage).
//!
//! # Layout
//! Here: the trait and memory. `file`: files that several programs share.

mod file;

use std::error::Error as StdError;
use std::fmt;
use std::sync::Mutex;

use crate::config::Error;

pub use file::FileStorage;
use pi_guard::Unpoisoned;

/// Keeps one text. Calls may block for a moment, as those to a small file do.
pub trait Storage: Send + Sync + fmt::Debug {
    /// What it is called in messages to the user.
    fn name(&self) -> String;

    /// The text; `None` when nothing was kept so far.
    ///
    /// # Errors
    /// When it cannot be read; a storage of your own says why with a [`StorageError`].
    fn read(&self) -> Result<Option<String>, Error>;

    /// Replaces the text: `change` gets what it is at this moment and returns what it becomes. Nobody else may change it
    /// meanwhile, and a text that could not be written whole must not take the place of the old one.
    ///
    /// # Errors
    /// Those of `change`, and then nothing is replaced; otherwise as with [`Self::read`].
    fn update(&self, change: &mut Change<'_>) -> Result<(), Error>;

    /// This storage as a file, if it is one. Programs that share a file wait for each other while a login is renewed.
    fn as_file(&self) -> Option<&FileStorage> {
        None
    }
}

/// From the text that is kept to the one that is to be kept.
pub type Change<'a> = dyn FnMut(Option<&str>) -> Result<String, Error> + 'a;

/// Why a storage of a program's own cannot be read or changed.
#[derive(Debug, thiserror::Error)]
#[error("Cannot use {storage}: {source}")]
pub struct StorageError {
    /// What the storage is called.
    pub storage: String,
    /// What went wrong.
    pub source: Box<dyn StdError + Send + Sync>,
}

impl StorageError {
    /// The failure of this storage.
    pub fn new(storage: &dyn Storage, source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        Self { storage: storage.name(), source: source.into() }
    }
}

/// A text in memory, gone with the program.
#[derive(Default)]
pub struct MemoryStorage(Mutex<Option<String>>);

impl MemoryStorage {
    /// One that keeps this text already.
    pub fn new(text: impl Into<String>) -> Self {
        Self(Mutex::new(Some(text.into())))
    }
}

impl Storage for MemoryStorage {
    fn name(&self) -> String {
        "the storage in memory".to_owned()
    }

    fn read(&self) -> Result<Option<String>, Error> {
        Ok(self.0.lock().unpoisoned().clone())
    }

    fn update(&self, change: &mut Change<'_>) -> Result<(), Error> {
        let mut text = self.0.lock().unpoisoned();
        *text = Some(change(text.as_deref())?);
        Ok(())
    }
}

impl fmt::Debug for MemoryStorage {
    /// Without the text, which may be keys.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryStorage").finish_non_exhaustive()
    }
}
