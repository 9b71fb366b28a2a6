//! Keys of providers: `auth.json`, keys given for one run, the environment.
//!
//! The file is read when it is first needed. It is private to the user (mode 0600) and shared with other programs:
//! changes are made under a lock to what is in it at that moment. No key ever appears in a `Debug` output.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pi_ai::Clock;
use pi_ai::auth::env::{env_api_key, find_env_keys};
use serde_json::{Map, Value};

use crate::config_value::{CommandCache, Resolver};
use crate::dir_lock::DirLock;
use crate::env::Env;
use crate::error::Error;
use crate::json_file::{read_object, write_object};
use crate::secret::Secret;

const PRIVATE_FILE: u32 = 0o600;
/// Providers whose stored logins this version knows.
const OAUTH_PROVIDERS: [&str; 3] = ["anthropic", "github-copilot", "openai-codex"];

/// Where keys are found. Shared; all methods take `&self`.
#[derive(Debug)]
pub struct AuthStorage {
    /// `None` keeps stored credentials in memory only.
    file: Option<PathBuf>,
    env: Env,
    clock: Arc<dyn Clock>,
    commands: CommandCache,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    loaded: bool,
    /// Provider → credential, as in the file.
    stored: Map<String, Value>,
    /// The file is there but could not be read: it must not be written.
    broken: bool,
    /// Keys given for this run.
    overrides: HashMap<String, Secret>,
    problems: Vec<Error>,
}

impl std::fmt::Debug for State {
    /// Names providers only.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("State").field("stored", &self.stored.keys().collect::<Vec<_>>()).finish_non_exhaustive()
    }
}

/// A credential of `auth.json`, as far as this version understands it.
enum Credential {
    ApiKey { key: String, env: BTreeMap<String, String> },
    OAuth { access: Secret, expires: i64 },
    Unknown,
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
        Self { file: Some(file), env, clock, commands: CommandCache::default(), state: Mutex::default() }
    }

    /// Credentials that are kept nowhere.
    pub fn in_memory(stored: Map<String, Value>, env: Env) -> Self {
        let state = State { loaded: true, stored, ..State::default() };
        let (clock, commands) = (pi_ai::system_clock(), CommandCache::default());
        Self { file: None, env, clock, commands, state: Mutex::new(state) }
    }

    /// The environment that keys are looked up in.
    pub fn env(&self) -> &Env {
        &self.env
    }

    /// A key for this run; it wins over all others and is never written.
    pub fn set_runtime_key(&self, provider: &str, key: &str) {
        self.raw_state().overrides.insert(provider.to_owned(), Secret::new(key));
    }

    /// Forgets the key for this run.
    pub fn remove_runtime_key(&self, provider: &str) {
        self.raw_state().overrides.remove(provider);
    }

    /// The key of a provider: given for this run, stored, from the environment. A stored credential is final: when
    /// it yields no key, the environment is not asked.
    ///
    /// # Errors
    /// [`Error::ConfigValue`] when the stored key cannot be resolved, [`Error::OAuthExpired`].
    pub async fn api_key(&self, provider: &str) -> Result<Option<Secret>, Error> {
        let (runtime, stored) = {
            let state = self.state();
            (state.overrides.get(provider).cloned(), state.stored.get(provider).map(Credential::read))
        };
        match (runtime, stored) {
            (Some(key), _) => Ok(Some(key)),
            (None, Some(Credential::ApiKey { key, env })) => {
                let resolver = Resolver { own: &env, env: &self.env, commands: Some(&self.commands) };
                let failed = |unresolved: crate::config_value::Unresolved| {
                    unresolved.error(format!("API key for provider \"{provider}\""))
                };
                resolver.resolve(&key).await.map(Some).map_err(failed)
            }
            (None, Some(Credential::OAuth { access, expires })) => self.access_token(provider, access, expires),
            (None, Some(Credential::Unknown)) => Ok(None),
            (None, None) => Ok(self.env_key(provider).map(Secret::new)),
        }
    }

    fn access_token(&self, provider: &str, access: Secret, expires: i64) -> Result<Option<Secret>, Error> {
        if !OAUTH_PROVIDERS.contains(&provider) {
            return Ok(None);
        }
        if self.clock.now_ms() >= expires {
            return Err(Error::OAuthExpired { provider: provider.to_owned() });
        }
        Ok(Some(access))
    }

    /// Whether there is a key to be expected. Runs no command and refreshes nothing.
    pub fn has_auth(&self, provider: &str) -> bool {
        self.has_key_without_file(provider) || self.state().stored.contains_key(provider)
    }

    /// Saves reading the file where another source decides.
    fn has_key_without_file(&self, provider: &str) -> bool {
        self.raw_state().overrides.contains_key(provider) || self.env_key(provider).is_some()
    }

    /// Where the key of a provider would come from.
    pub fn auth_status(&self, provider: &str) -> AuthStatus {
        let state = self.state();
        if state.stored.contains_key(provider) {
            return AuthStatus { configured: true, source: Some(AuthSource::Stored) };
        }
        let runtime = state.overrides.contains_key(provider).then_some(AuthSource::Runtime);
        let variable = || find_env_keys(provider, &|name: &str| self.env.var(name))?.first().copied();
        let source = runtime.or_else(|| variable().map(|name| AuthSource::Environment(name.to_owned())));
        AuthStatus { configured: false, source }
    }

    /// Whether the stored credential of a provider is an OAuth login.
    pub fn is_oauth(&self, provider: &str) -> bool {
        matches!(self.state().stored.get(provider).map(Credential::read), Some(Credential::OAuth { .. }))
    }

    /// Variables that belong to the stored key of a provider; requests to it see them before the environment.
    pub fn provider_env(&self, provider: &str) -> BTreeMap<String, String> {
        match self.state().stored.get(provider).map(Credential::read) {
            Some(Credential::ApiKey { env, .. }) => env,
            _ => BTreeMap::new(),
        }
    }

    /// Providers with a stored credential.
    pub fn providers(&self) -> Vec<String> {
        self.state().stored.keys().cloned().collect()
    }

    /// Stores an API key, or a configuration value that yields one.
    ///
    /// # Errors
    /// [`Error::NotOverwritten`] when the file could not be read, [`Error::FileLocked`], [`Error::FileWrite`].
    pub fn set_api_key(&self, provider: &str, key: &str) -> Result<(), Error> {
        self.change(provider, Some(serde_json::json!({"type": "api_key", "key": key})))
    }

    /// Removes the stored credential of a provider.
    ///
    /// # Errors
    /// Those of [`Self::set_api_key`].
    pub fn remove(&self, provider: &str) -> Result<(), Error> {
        self.change(provider, None)
    }

    /// Reads the file again. If that fails, what was read before stays.
    pub fn reload(&self) {
        self.raw_state().load(self.file.as_deref());
    }

    /// What was wrong with the file so far; each problem is returned once.
    pub fn drain_problems(&self) -> Vec<Error> {
        std::mem::take(&mut self.raw_state().problems)
    }

    fn env_key(&self, provider: &str) -> Option<String> {
        env_api_key(provider, &|name: &str| self.env.var(name))
    }

    fn change(&self, provider: &str, credential: Option<Value>) -> Result<(), Error> {
        let mut state = self.state();
        let Some(file) = &self.file else {
            put(&mut state.stored, provider, credential);
            return Ok(());
        };
        if state.broken {
            return Err(Error::NotOverwritten { path: file.clone() });
        }
        let _lock = DirLock::acquire(file, self.clock.as_ref())?;
        let mut current = read_object(file)?.unwrap_or_default();
        put(&mut current, provider, credential);
        write_object(file, &current, Some(PRIVATE_FILE))?;
        state.stored = current;
        Ok(())
    }

    /// The state with the file read.
    fn state(&self) -> MutexGuard<'_, State> {
        let mut state = self.raw_state();
        if !state.loaded {
            state.load(self.file.as_deref());
        }
        state
    }

    /// A poisoned lock only means that a caller panicked; the credentials are still consistent.
    fn raw_state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn load(&mut self, file: Option<&Path>) {
        self.loaded = true;
        let Some(file) = file else { return };
        let read = read_object(file);
        self.broken = read.is_err();
        match read {
            Ok(Some(stored)) => self.stored = stored,
            // Other programs expect the file to be there, and private from the start.
            Ok(None) => self.problems.extend(create_empty(file).err()),
            Err(error) => self.problems.push(error),
        }
    }
}

impl Credential {
    fn read(value: &Value) -> Self {
        let text = |key: &str| value.get(key).and_then(Value::as_str);
        match text("type") {
            Some("api_key") => Self::ApiKey {
                key: text("key").unwrap_or_default().to_owned(),
                env: value.get("env").and_then(|env| serde_json::from_value(env.clone()).ok()).unwrap_or_default(),
            },
            Some("oauth") => Self::OAuth {
                access: Secret::new(text("access").unwrap_or_default()),
                expires: value.get("expires").and_then(Value::as_f64).unwrap_or(0.0) as i64,
            },
            _ => Self::Unknown,
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

fn create_empty(file: &Path) -> Result<(), Error> {
    let dir = file.parent().unwrap_or(Path::new("."));
    create_private_dir(dir).map_err(|source| Error::FileWrite { path: dir.to_owned(), source })?;
    write_object(file, &Map::new(), Some(PRIVATE_FILE))
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
