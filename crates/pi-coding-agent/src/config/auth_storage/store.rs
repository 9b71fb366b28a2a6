//! What is stored, in memory and in the file, and the lock under which the file changes.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use pi_ai::auth::oauth::OAuthCredentials;
use pi_ai::{Clock, newer_provider_name};
use pi_guard::Unpoisoned;
use serde_json::{Map, Value};

use super::credential::{Credential, login_entry, remember};
use crate::config::Error;
use crate::config::storage::{Change, FileStorage, Storage};
use crate::host::dir_lock::{LongLock, lock_path};
use crate::host::json_file::{parse_object, render_object};
use crate::host::secret::Secret;

/// So long a lock is waited for without a word.
const SILENCE: Duration = Duration::from_millis(1500);

/// The credentials, shared with renewals that are on their way.
#[derive(Debug)]
pub(super) struct Store {
    /// `None` keeps stored credentials in memory only.
    storage: Option<Arc<dyn Storage>>,
    pub(super) clock: Arc<dyn Clock>,
    /// Held while the storage changes, so that memory follows in the same order.
    changing: Mutex<()>,
    state: Mutex<CredentialState>,
}

#[derive(Default)]
pub(super) struct CredentialState {
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

impl std::fmt::Debug for CredentialState {
    /// Names providers only.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("State").field("stored", &self.stored.keys().collect::<Vec<_>>()).finish_non_exhaustive()
    }
}

impl Store {
    /// What is in a storage, which is read when something is asked.
    pub(super) fn in_storage(storage: Arc<dyn Storage>, clock: Arc<dyn Clock>) -> Self {
        Self { storage: Some(storage), clock, changing: Mutex::default(), state: Mutex::default() }
    }

    /// No storage.
    pub(super) fn in_memory(stored: Map<String, Value>, clock: Arc<dyn Clock>) -> Self {
        let state = CredentialState { loaded: true, stored, ..CredentialState::default() };
        Self { storage: None, clock, changing: Mutex::default(), state: Mutex::new(state) }
    }

    /// The file that is shared with other programs, if that is where credentials are kept.
    pub(super) fn file(&self) -> Option<&FileStorage> {
        self.storage.as_deref().and_then(Storage::as_file)
    }

    pub(super) fn is_persisted(&self) -> bool {
        self.storage.is_some()
    }

    /// The state with the file read.
    pub(super) fn state(&self) -> MutexGuard<'_, CredentialState> {
        let mut state = self.raw_state();
        if !state.loaded {
            state.load(self.storage.as_deref());
        }
        state
    }

    /// The state as it is in memory. A poisoned lock only means that a caller panicked; the credentials are still
    /// consistent.
    pub(super) fn raw_state(&self) -> MutexGuard<'_, CredentialState> {
        self.state.lock().unpoisoned()
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
        self.raw_state().load(self.storage.as_deref());
    }

    /// Whether the file may be changed.
    ///
    /// # Errors
    /// [`Error::NotOverwritten`].
    pub(super) fn check_writable(&self) -> Result<(), Error> {
        match (&self.storage, self.state().broken) {
            (Some(storage), true) => Err(Error::NotOverwritten { path: storage.name().into() }),
            _ => Ok(()),
        }
    }

    /// Stores or removes the credential of one provider; what others wrote meanwhile stays.
    pub(super) fn change(&self, provider: &str, credential: Option<Value>) -> Result<(), Error> {
        self.check_writable()?;
        self.change_by(provider, credential, |storage, change| storage.update(change))
    }

    /// Takes the lock of `file` for as long as a request takes. Who has to wait for it is told so, once.
    ///
    /// # Errors
    /// Those of [`LongLock::acquire`].
    pub(super) async fn long_lock(&self, file: &Path) -> Result<LongLock, Error> {
        let mut taken = std::pin::pin!(LongLock::acquire(file, &self.clock));
        if let Ok(taken) = tokio::time::timeout(SILENCE, &mut taken).await {
            return taken.map_err(Into::into);
        }
        self.raw_state().problems.push(Error::WaitingForLock(lock_path(file)));
        taken.await.map_err(Into::into)
    }

    /// [`Self::change`] for who holds the lock of the file.
    pub(super) fn change_locked(&self, provider: &str, credential: Option<Value>) -> Result<(), Error> {
        self.change_by(provider, credential, |storage, change| match storage.as_file() {
            Some(file) => file.update_locked(change),
            None => storage.update(change),
        })
    }

    fn change_by(
        &self,
        provider: &str,
        credential: Option<Value>,
        update: impl Fn(&dyn Storage, &mut Change<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let Some(storage) = self.storage.as_deref() else {
            put(&mut self.state().stored, provider, credential);
            return Ok(());
        };
        let _changing = self.changing.lock().unpoisoned();
        let mut changed = Map::new();
        update(storage, &mut |text| {
            changed = text.map(|text| parse(text, storage)).transpose()?.unwrap_or_default();
            put(&mut changed, provider, credential.clone());
            render_object(text, &changed).map_err(Into::into)
        })?;
        self.state().stored = changed;
        Ok(())
    }

    /// Keeps a login for this run that could not be written, and the reason.
    pub(super) fn keep_unwritten(&self, provider: &str, login: &OAuthCredentials, problem: Error) {
        let mut state = self.raw_state();
        put(&mut state.stored, provider, Some(login_entry(login)));
        state.problems.push(problem);
    }
}

impl CredentialState {
    /// What is stored for a provider, under its name or a newer one.
    pub(super) fn entry(&self, provider: &str) -> Option<&Value> {
        self.stored.get(provider).or_else(|| self.stored.get(newer_provider_name(provider)?))
    }

    fn load(&mut self, storage: Option<&dyn Storage>) {
        self.loaded = true;
        let Some(storage) = storage else { return };
        let read = storage.read().and_then(|text| text.map(|text| parse(&text, storage)).transpose());
        self.broken = read.is_err();
        match read {
            Ok(Some(stored)) => {
                stored.values().for_each(remember);
                self.stored = stored;
            }
            // Other programs expect the file to be there, and private from the start.
            Ok(None) => {
                self.stored.clear();
                self.problems.extend(storage.as_file().and_then(|file| file.create().err()));
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

fn parse(text: &str, storage: &dyn Storage) -> Result<Map<String, Value>, Error> {
    parse_object(text, Path::new(&storage.name())).map_err(Into::into)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn who_waits_for_a_lock_is_told_what_for() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("auth.json");
        let store =
            Store::in_storage(Arc::new(FileStorage::credentials(&file, pi_ai::system_clock())), pi_ai::system_clock());
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
