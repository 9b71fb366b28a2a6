//! What is stored, in memory and in the file, and the lock under which the file changes.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use pi_ai::auth::oauth::OAuthCredentials;
use pi_ai::{Clock, newer_provider_name};
use serde_json::{Map, Value};

use super::credential::{Credential, login_entry, remember};
use crate::dir_lock::{DirLock, LongLock, lock_path};
use crate::error::Error;
use crate::host::FileKind;
use crate::json_file::{read_object, write_object};
use crate::secret::Secret;

pub(super) const PRIVATE_FILE: u32 = 0o600;
/// So long a lock is waited for without a word.
const SILENCE: Duration = Duration::from_millis(1500);

/// The credentials, shared with renewals that are on their way.
#[derive(Debug)]
pub(super) struct Store {
    /// `None` keeps stored credentials in memory only.
    pub(super) file: Option<PathBuf>,
    pub(super) clock: Arc<dyn Clock>,
    state: Mutex<State>,
}

#[derive(Default)]
pub(super) struct State {
    loaded: bool,
    /// Provider → credential, as in the file.
    pub(super) stored: Map<String, Value>,
    /// The file is there but could not be read: it must not be written.
    broken: bool,
    /// Keys given for this run.
    pub(super) overrides: HashMap<String, Secret>,
    pub(super) problems: Vec<Error>,
    /// Providers whose stored key has given way to the environment, so that it is told once.
    pub(super) replaced: HashSet<String>,
}

impl std::fmt::Debug for State {
    /// Names providers only.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("State").field("stored", &self.stored.keys().collect::<Vec<_>>()).finish_non_exhaustive()
    }
}

impl Store {
    /// A file that is read when something is asked.
    pub(super) fn in_file(file: PathBuf, clock: Arc<dyn Clock>) -> Self {
        Self { file: Some(file), clock, state: Mutex::default() }
    }

    /// No file.
    pub(super) fn in_memory(stored: Map<String, Value>, clock: Arc<dyn Clock>) -> Self {
        let state = State { loaded: true, stored, ..State::default() };
        Self { file: None, clock, state: Mutex::new(state) }
    }

    /// The state with the file read.
    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        let mut state = self.raw_state();
        if !state.loaded {
            state.load(self.file.as_deref());
        }
        state
    }

    /// The state as it is in memory. A poisoned lock only means that a caller panicked; the credentials are still
    /// consistent.
    pub(super) fn raw_state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn credential(&self, provider: &str) -> Option<Credential> {
        self.state().entry(provider).map(Credential::read)
    }

    /// The stored login of a provider.
    pub(super) fn login(&self, provider: &str) -> Option<OAuthCredentials> {
        match self.credential(provider)? {
            Credential::OAuth(login) => Some(login),
            Credential::ApiKey { .. } | Credential::Keyring | Credential::Unknown => None,
        }
    }

    /// The stored login, unless it has expired.
    pub(super) fn valid_login(&self, provider: &str) -> Option<OAuthCredentials> {
        self.login(provider).filter(|login| !login.is_expired(self.clock.now_ms()))
    }

    /// Reads the file again. If that fails, what was read before stays, and the problem is noted.
    pub(super) fn reload(&self) {
        self.raw_state().load(self.file.as_deref());
    }

    /// Whether the file may be changed.
    ///
    /// # Errors
    /// [`Error::NotOverwritten`].
    pub(super) fn check_writable(&self) -> Result<(), Error> {
        match (&self.file, self.state().broken) {
            (Some(file), true) => Err(Error::NotOverwritten { path: file.clone() }),
            _ => Ok(()),
        }
    }

    /// Stores or removes the credential of one provider; what others wrote meanwhile stays.
    pub(super) fn change(&self, provider: &str, credential: Option<Value>) -> Result<(), Error> {
        self.check_writable()?;
        let _lock = self.file.as_deref().map(|file| DirLock::acquire(file, self.clock.as_ref())).transpose()?;
        self.change_locked(provider, credential)
    }

    /// Takes the lock of `file` for as long as a request takes. Who has to wait for it is told so, once.
    ///
    /// # Errors
    /// Those of [`LongLock::acquire`].
    pub(super) async fn long_lock(&self, file: &Path) -> Result<LongLock, Error> {
        let mut taken = std::pin::pin!(LongLock::acquire(file, &self.clock));
        if let Ok(taken) = tokio::time::timeout(SILENCE, &mut taken).await {
            return taken;
        }
        self.raw_state().problems.push(Error::WaitingForLock(lock_path(file)));
        taken.await
    }

    /// [`Self::change`] for who holds the lock.
    pub(super) fn change_locked(&self, provider: &str, credential: Option<Value>) -> Result<(), Error> {
        let mut state = self.state();
        let Some(file) = &self.file else {
            put(&mut state.stored, provider, credential);
            return Ok(());
        };
        let mut current = read_object(file, FileKind::Credentials)?.unwrap_or_default();
        put(&mut current, provider, credential);
        write_object(file, &current, FileKind::Credentials, Some(PRIVATE_FILE))?;
        state.stored = current;
        Ok(())
    }

    /// Keeps a login for this run that could not be written, and the reason.
    pub(super) fn keep_unwritten(&self, provider: &str, login: &OAuthCredentials, problem: Error) {
        let mut state = self.raw_state();
        put(&mut state.stored, provider, Some(login_entry(login)));
        state.problems.push(problem);
    }
}

impl State {
    /// What is stored for a provider, under its name or a newer one.
    pub(super) fn entry(&self, provider: &str) -> Option<&Value> {
        self.stored.get(provider).or_else(|| self.stored.get(newer_provider_name(provider)?))
    }

    fn load(&mut self, file: Option<&Path>) {
        self.loaded = true;
        let Some(file) = file else { return };
        let read = read_object(file, FileKind::Credentials);
        self.broken = read.is_err();
        match read {
            Ok(Some(stored)) => {
                stored.values().for_each(remember);
                self.stored = stored;
            }
            // Other programs expect the file to be there, and private from the start.
            Ok(None) => {
                self.stored.clear();
                self.problems.extend(create_empty(file).err());
            }
            Err(error) => self.problems.push(error),
        }
    }
}

fn put(stored: &mut Map<String, Value>, provider: &str, credential: Option<Value>) {
    match credential {
        Some(credential) => {
            stored.insert(provider.to_owned(), credential);
        }
        None => {
            stored.shift_remove(provider);
        }
    }
}

/// The directory of the file, private.
pub(super) fn create_parent(file: &Path) -> Result<(), Error> {
    let dir = file.parent().unwrap_or(Path::new("."));
    create_private_dir(dir).map_err(|source| Error::FileWrite { path: dir.to_owned(), source })
}

pub(super) fn create_empty(file: &Path) -> Result<(), Error> {
    create_parent(file)?;
    write_object(file, &Map::new(), FileKind::Credentials, Some(PRIVATE_FILE))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn who_waits_for_a_lock_is_told_what_for() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("auth.json");
        let store = Store::in_file(file.clone(), pi_ai::system_clock());
        drop(store.long_lock(&file).await.unwrap());
        assert!(store.raw_state().problems.is_empty(), "nobody waited");
        // Another program's lock: nothing tells whether that lives.
        let lock = lock_path(&file);
        fs::create_dir(&lock).unwrap();
        let release = async {
            tokio::time::sleep(SILENCE * 2).await;
            let said: Vec<String> = store.raw_state().problems.iter().map(ToString::to_string).collect();
            let expected = format!("Waiting for {}: another program is renewing a login", lock.display());
            assert!(said.len() == 1 && said[0].starts_with(&expected), "{said:?}");
            fs::remove_dir(&lock).unwrap();
        };
        let (taken, ()) = tokio::join!(store.long_lock(&file), release);
        drop(taken.unwrap());
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    }
}
