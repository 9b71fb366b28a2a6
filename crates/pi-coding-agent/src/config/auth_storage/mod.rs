//! Keys of providers: `auth.json`, logins, keys given for one run, the environment.
//!
//! The file is read when it is first needed. It is private to the user (mode 0600) and shared with other programs:
//! changes are made under a lock to what is in it at that moment. No key ever appears in a `Debug` output.
//!
//! # Layout
//! Here: which key counts. `credential`: one entry of the file. `store`: memory, file and lock; `locked`: the file for who
//! changes it as a whole. `keyring`: keys that the operating system keeps. `login`, `renewal`: subscriptions.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use futures::future::BoxFuture;
use pi_ai::Clock;
use pi_ai::auth::env::{env_api_key, find_env_keys};
use pi_ai::auth::oauth::{OAuthContext, OAuthRegistry};
use serde_json::{Map, Value};

use crate::config::Error;
use crate::config::config_value::{CommandCache, Resolver, Unresolved};
use crate::config::storage::{FileStorage, Storage};
use crate::host::FileKind;
use crate::host::env::Env;
use crate::host::secret::Secret;

mod credential;
mod keyring;
mod locked;
mod login;
mod renewal;
mod store;

use credential::{Credential, api_key_entry, keyring_entry};
pub use keyring::Keyring;
#[cfg(feature = "keyring")]
pub use keyring::SystemKeyring;
pub use locked::LockedFile;
use store::Store;

/// Where keys are found. Shared; all methods take `&self`.
#[derive(Debug)]
pub struct AuthStorage {
    store: Arc<Store>,
    env: Env,
    commands: CommandCache,
    providers: Arc<OAuthRegistry>,
    /// Where keys are that `auth.json` only mentions.
    keyring: Option<Arc<dyn Keyring>>,
    /// What logins and renewals work with.
    context: OAuthContext,
    /// Held while a login is renewed.
    renewing: Arc<tokio::sync::Mutex<()>>,
}

/// Where a provider's key would come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuthStatus {
    /// Whether the credential is kept by the user's own configuration of this program.
    pub configured: bool,
    /// Its source; `None` when there is none.
    pub source: Option<AuthSource>,
}

/// Sources of keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AuthSource {
    /// `auth.json`.
    Stored,
    /// Given for this run.
    Runtime,
    /// An environment variable, by name.
    Environment(String),
}

impl AuthStorage {
    /// Credentials in a file, usually [`crate::paths::Paths::auth_file`]. Nothing is read yet.
    pub fn new(file: PathBuf, env: Env, clock: Arc<dyn Clock>) -> Self {
        let storage = FileStorage::new(file, FileKind::Credentials, Arc::clone(&clock));
        Self::over(Store::in_storage(Arc::new(storage), clock), env)
    }

    /// Credentials in a storage of the program's own. Nothing is read yet; `clock` tells when logins expire.
    ///
    /// A login that is renewed is renewed once in this process. Processes that share a storage that is no file have to
    /// see to that themselves; the one that comes second takes what the first has stored, if the provider refuses it.
    pub fn from_storage(storage: Arc<dyn Storage>, env: Env, clock: Arc<dyn Clock>) -> Self {
        Self::over(Store::in_storage(storage, clock), env)
    }

    /// Credentials that are kept nowhere; `clock` tells when logins expire.
    pub fn in_memory(stored: Map<String, Value>, env: Env, clock: Arc<dyn Clock>) -> Self {
        Self::over(Store::in_memory(stored, clock), env)
    }

    fn over(store: Store, env: Env) -> Self {
        let mut context = OAuthContext::from_env(&|name| env.var(name));
        context.clock = Arc::clone(&store.clock);
        let (store, commands, renewing) = (Arc::new(store), CommandCache::default(), Arc::default());
        Self { store, env, commands, providers: Arc::default(), keyring: default_keyring(), context, renewing }
    }

    /// Uses this keyring for the keys that `auth.json` only mentions. With the feature `keyring` that of the system is
    /// used by default.
    #[must_use]
    pub fn with_keyring(mut self, keyring: Arc<dyn Keyring>) -> Self {
        self.keyring = Some(keyring);
        self
    }

    /// Uses these providers of logins, and this network, time and chance for them. When tokens expire is always told by
    /// the clock of the storage.
    #[must_use]
    pub fn with_oauth(mut self, providers: Arc<OAuthRegistry>, context: OAuthContext) -> Self {
        self.context = OAuthContext { clock: Arc::clone(&self.store.clock), ..context };
        self.providers = providers;
        self
    }

    /// The environment that keys are looked up in.
    pub fn env(&self) -> &Env {
        &self.env
    }

    /// A key for this run; it wins over all others and is never written.
    pub fn set_runtime_key(&self, provider: &str, key: &str) {
        self.store.raw_state().overrides.insert(provider.to_owned(), Secret::remembered(key));
    }

    /// Forgets the key for this run.
    pub fn remove_runtime_key(&self, provider: &str) {
        self.store.raw_state().overrides.remove(provider);
    }

    /// The key of a provider: given for this run, stored, from the environment. A stored key that cannot be resolved
    /// gives way to the environment, and the first time that is a problem to be told, see [`Self::drain_problems`]. A
    /// login that has expired is renewed first, which takes as long as the provider does; dropping the future does not
    /// stop the renewal.
    ///
    /// # Errors
    /// [`Error::ConfigValue`] when the stored key cannot be resolved, [`Error::OAuthRefresh`] when a login cannot be
    /// renewed, [`host::Error::FileLocked`](crate::host::Error::FileLocked) and [`Error::NotOverwritten`] when a renewal could not be stored.
    pub fn api_key<'a>(&'a self, provider: &'a str) -> BoxFuture<'a, Result<Option<Secret>, Error>> {
        Box::pin(async move {
            let runtime = self.store.raw_state().overrides.get(provider).cloned();
            if runtime.is_some() {
                return Ok(runtime);
            }
            match self.store.credential(provider) {
                Some(Credential::ApiKey { key, env }) => {
                    let resolver = Resolver { own: &env, env: &self.env, commands: Some(&self.commands) };
                    let failed =
                        |unresolved: Unresolved| unresolved.error(format!("API key for provider \"{provider}\""));
                    let resolved = resolver.resolve(&key).await.map(Some).map_err(failed);
                    resolved.or_else(|error| self.replace_stored(provider, error))
                }
                Some(Credential::OAuth(login)) => self.login_key(provider, login).await,
                Some(Credential::Keyring) => {
                    self.keyring_key(provider).await.or_else(|error| self.replace_stored(provider, error))
                }
                Some(Credential::Unknown) => Ok(None),
                None => Ok(self.env_key(provider)),
            }
        })
    }

    async fn keyring_key(&self, provider: &str) -> Result<Option<Secret>, Error> {
        let name = provider.to_owned();
        let secret = self.in_keyring(provider, move |keyring| keyring.get(&name)).await?;
        let missing = || keyring_error(provider, "it has none. Store the key again, or remove the entry in auth.json.");
        secret.map(|key| Some(Secret::remembered(key))).ok_or_else(missing)
    }

    /// Asks the keyring, which may take as long as the user takes to unlock it.
    async fn in_keyring<T: Send + 'static>(
        &self,
        provider: &str,
        ask: impl FnOnce(&dyn Keyring) -> Result<T, String> + Send + 'static,
    ) -> Result<T, Error> {
        let Some(keyring) = self.keyring.clone() else {
            return Err(keyring_error(provider, "this program was built without the feature keyring."));
        };
        let asked = tokio::task::spawn_blocking(move || ask(&*keyring)).await;
        asked.unwrap_or_else(|error| Err(error.to_string())).map_err(|reason| keyring_error(provider, &reason))
    }

    /// The key from the environment in place of a stored one that cannot be resolved; the error where there is none.
    fn replace_stored(&self, provider: &str, error: Error) -> Result<Option<Secret>, Error> {
        let Some(key) = self.env_key(provider) else { return Err(error) };
        let variable = self.env_variable(provider).unwrap_or("a credential");
        self.note_replaced(provider, &error, format!("{variable} from the environment"));
        Ok(Some(key))
    }

    /// Something else is used in place of a stored key: a problem to be told, the first time.
    pub(crate) fn note_replaced(&self, provider: &str, error: &Error, replacement: String) {
        let mut state = self.store.raw_state();
        if state.replaced.insert(provider.to_owned()) {
            state.problems.push(Error::StoredKeyReplaced { reason: error.to_string(), replacement });
        }
    }

    /// Whether there is a key to be expected. Runs no command and renews nothing.
    pub fn has_auth(&self, provider: &str) -> bool {
        self.has_key_without_file(provider) || self.store.state().entry(provider).is_some()
    }

    /// Saves reading the file where another source decides.
    fn has_key_without_file(&self, provider: &str) -> bool {
        self.store.raw_state().overrides.contains_key(provider) || self.env_key(provider).is_some()
    }

    /// Where the key of a provider would come from.
    pub fn auth_status(&self, provider: &str) -> AuthStatus {
        let state = self.store.state();
        if state.entry(provider).is_some() {
            return AuthStatus { configured: true, source: Some(AuthSource::Stored) };
        }
        let runtime = state.overrides.contains_key(provider).then_some(AuthSource::Runtime);
        let variable = || self.env_variable(provider).map(|name| AuthSource::Environment(name.to_owned()));
        let source = runtime.or_else(variable);
        AuthStatus { configured: false, source }
    }

    /// The environment variable that has a key of a provider, whatever else is stored or given for the run.
    pub fn env_variable(&self, provider: &str) -> Option<&'static str> {
        find_env_keys(provider, &|name: &str| self.env.var(name))?.first().copied()
    }

    /// Variables that belong to the stored key of a provider; requests to it see them before the environment.
    pub fn provider_env(&self, provider: &str) -> BTreeMap<String, String> {
        match self.store.credential(provider) {
            Some(Credential::ApiKey { env, .. }) => env,
            _ => BTreeMap::new(),
        }
    }

    /// Providers with a stored credential.
    pub fn providers(&self) -> Vec<String> {
        self.store.state().stored.keys().cloned().collect()
    }

    /// Whether what is stored is in a file.
    pub fn is_persisted(&self) -> bool {
        self.store.is_persisted()
    }

    /// Everything that is stored, as in the file.
    pub fn entries(&self) -> Map<String, Value> {
        self.store.state().stored.clone()
    }

    /// Takes these for what is stored, without a word to any file.
    pub fn replace_entries(&self, entries: Map<String, Value>) {
        self.store.state().stored = entries;
    }

    /// Stores a credential, as it is to be in the file.
    ///
    /// # Errors
    /// Those of [`Self::set_api_key`].
    pub fn set_entry(&self, provider: &str, entry: Value) -> Result<(), Error> {
        self.store.change(provider, Some(entry))
    }

    /// Stores an API key, or a configuration value that yields one.
    ///
    /// # Errors
    /// [`Error::NotOverwritten`] when the file could not be read, [`host::Error::FileLocked`](crate::host::Error::FileLocked), [`host::Error::FileWrite`](crate::host::Error::FileWrite).
    pub fn set_api_key(&self, provider: &str, key: &str) -> Result<(), Error> {
        self.store.change(provider, Some(api_key_entry(key)))
    }

    /// Stores an API key in the keyring, and in `auth.json` that it is there.
    ///
    /// # Errors
    /// [`Error::Keyring`], and then the file is as it was; those of [`Self::set_api_key`].
    pub async fn set_keyring_key(&self, provider: &str, key: &str) -> Result<(), Error> {
        let (name, key) = (provider.to_owned(), key.to_owned());
        self.in_keyring(provider, move |keyring| keyring.set(&name, &key)).await?;
        self.store.change(provider, Some(keyring_entry()))
    }

    /// Removes the stored credential of a provider, in the keyring, too.
    ///
    /// # Errors
    /// [`Error::Keyring`], and then nothing is removed; those of [`Self::set_api_key`].
    pub async fn forget(&self, provider: &str) -> Result<(), Error> {
        if matches!(self.store.credential(provider), Some(Credential::Keyring)) {
            let name = provider.to_owned();
            self.in_keyring(provider, move |keyring| keyring.delete(&name)).await?;
        }
        self.remove(provider)
    }

    /// Removes the stored credential of a provider from `auth.json`.
    ///
    /// # Errors
    /// Those of [`Self::set_api_key`].
    pub fn remove(&self, provider: &str) -> Result<(), Error> {
        self.store.change(provider, None)
    }

    /// Reads the file again. If that fails, what was read before stays.
    pub fn reload(&self) {
        self.store.reload();
    }

    /// What was wrong with the file so far; each problem is returned once.
    pub fn drain_problems(&self) -> Vec<Error> {
        std::mem::take(&mut self.store.raw_state().problems)
    }

    fn env_key(&self, provider: &str) -> Option<Secret> {
        env_api_key(provider, &|name: &str| self.env.var(name)).map(Secret::remembered)
    }
}

#[cfg(feature = "keyring")]
#[expect(clippy::unnecessary_wraps, reason = "without the feature there is none")]
fn default_keyring() -> Option<Arc<dyn Keyring>> {
    Some(Arc::new(SystemKeyring))
}

#[cfg(not(feature = "keyring"))]
fn default_keyring() -> Option<Arc<dyn Keyring>> {
    None
}

fn keyring_error(provider: &str, reason: &str) -> Error {
    Error::Keyring { provider: provider.to_owned(), reason: reason.to_owned() }
}
