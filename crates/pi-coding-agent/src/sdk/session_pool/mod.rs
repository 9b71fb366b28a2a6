//! Many sessions in one process: who they are, what they share, and how they all end.
//!
//! A session costs memory and, in a file, one open file handle; it has no thread and no task of its own. Connections,
//! keys, models and settings are there once for all of them.

mod error;
mod weak_map;

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::future::join_all;
use pi_ai::transport::HttpTransport;
use pi_ai::{ApiRegistry, Clock};
use pi_guard::lock;
use typed_builder::TypedBuilder;

use crate::agent_session::{self, AgentSession};
use crate::config::auth_storage::AuthStorage;
use crate::config::models::{CatalogModels, ModelRegistry};
use crate::config::settings::SettingsManager;
use crate::extension::MakeExtension;
use crate::host::env::Env;
use crate::host::ids::Ids;
use crate::host::paths::{Paths, absolute};
use crate::sdk::{
    CreateAgentSessionOptions, CreateAgentSessionResult, Error, create_agent_session, off_thread, resolve_options,
};
use crate::session::{self, SessionHost, SessionManager, patiently};
use weak_map::WeakMap;

pub use error::PoolError;

/// What the sessions of a pool have in common. Everything may be left out: then it is what the `pi` program would use.
#[derive(TypedBuilder)]
pub struct PoolOptions {
    /// Directory of the user's configuration; absent: `~/.pi/agent`, or what `PI_CODING_AGENT_DIR` names.
    #[builder(default, setter(strip_option, into))]
    pub agent_dir: Option<PathBuf>,
    /// Models and their keys; absent: the built-in ones and those of `models.json`, with the keys of `auth.json` and the
    /// environment.
    #[builder(default, setter(strip_option))]
    pub models: Option<Arc<ModelRegistry>>,
    /// Settings of all sessions; absent: those in `settings.json`, read once per working
    /// directory that is in use, apart for sessions that trust it and that do not.
    #[builder(default, setter(strip_option))]
    pub settings: Option<Arc<SettingsManager>>,
    /// How files become extensions, for example by a loader such as `pi_script_extensions::Scripts`; see
    /// [`CreateAgentSessionOptions::load_extension_files`]. Every session has its own. Absent: files are no extensions.
    #[builder(default, setter(strip_option))]
    pub extension_files: Option<Arc<MakeExtension>>,
    /// Wire formats.
    #[builder(default = Arc::new(ApiRegistry::builtin()))]
    pub apis: Arc<ApiRegistry>,
    /// Replaces the network; absent: one pool of connections for the process.
    #[builder(default, setter(strip_option))]
    pub http: Option<Arc<dyn HttpTransport>>,
    /// The process environment.
    #[builder(default = resolve_options::env())]
    pub env: Env,
    /// Source of time.
    #[builder(default = resolve_options::clock())]
    pub clock: Arc<dyn Clock>,
    /// Ids of sessions and entries.
    #[builder(default = resolve_options::ids())]
    pub ids: Arc<dyn Ids>,
    /// Told in one sentence about what goes wrong without stopping a session.
    #[builder(default = Arc::new(|_: &str| {}))]
    pub warn: Arc<dyn Fn(&str) + Send + Sync>,
}

impl std::fmt::Debug for PoolOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PoolOptions").field("agent_dir", &self.agent_dir).finish_non_exhaustive()
    }
}

/// What settings depend on: who does not trust a project must not get its settings because another session does.
#[derive(PartialEq, Eq, Hash)]
struct SettingsKey {
    cwd: PathBuf,
    agent_dir: Option<PathBuf>,
    project_trusted: Option<bool>,
}

/// Sessions by id. A session keeps the id under which it came in, also when it goes to another conversation.
pub struct SessionPool {
    common: PoolOptions,
    host: SessionHost,
    models: Arc<ModelRegistry>,
    /// As long as a session uses them.
    settings: Arc<Mutex<WeakMap<SettingsKey, SettingsManager>>>,
    /// System prompts by hash, one copy for all sessions that have the same.
    prompts: Mutex<WeakMap<u64, str>>,
    hashes: RandomState,
    sessions: Mutex<HashMap<String, AgentSession>>,
    closed: AtomicBool,
}

impl SessionPool {
    /// An empty pool. Reads nothing yet.
    pub fn new(common: PoolOptions) -> Self {
        let paths = Paths::new(common.env.clone(), std::env::current_dir().unwrap_or_default());
        let paths = match &common.agent_dir {
            Some(dir) => paths.with_agent_dir(dir),
            None => paths,
        };
        let models = common.models.clone().unwrap_or_else(|| {
            let auth = AuthStorage::new(paths.auth_file(), common.env.clone(), Arc::clone(&common.clock));
            Arc::new(ModelRegistry::new(Arc::new(auth), Arc::new(CatalogModels), Some(paths.models_file())))
        });
        let host = SessionHost { paths, clock: Arc::clone(&common.clock), ids: Arc::clone(&common.ids) };
        Self {
            common,
            host,
            models,
            settings: Arc::default(),
            prompts: Mutex::default(),
            hashes: RandomState::new(),
            sessions: Mutex::default(),
            closed: AtomicBool::new(false),
        }
    }

    /// What every session needs from its surroundings, for session managers of the program's own.
    pub fn host(&self) -> SessionHost {
        self.host.clone()
    }

    /// The models of all sessions.
    pub fn models(&self) -> &Arc<ModelRegistry> {
        &self.models
    }

    /// Options for a session of this pool in `cwd`, with what all have in common. Change what is to be different.
    pub fn options(&self, cwd: &Path) -> CreateAgentSessionOptions {
        let common = &self.common;
        CreateAgentSessionOptions {
            settings: common.settings.clone(),
            http: common.http.clone(),
            ..CreateAgentSessionOptions::builder()
                .cwd(cwd)
                .agent_dir(self.host.paths.agent_dir())
                .models(Arc::clone(&self.models))
                .apis(Arc::clone(&common.apis))
                .env(common.env.clone())
                .clock(Arc::clone(&common.clock))
                .warn(Arc::clone(&common.warn))
                .build()
        }
    }

    /// Creates a session and takes it in.
    ///
    /// # Errors
    /// Those of [`create_agent_session`]; [`session::Error::Exists`] when there is one with its id;
    /// [`agent_session::Error::SessionClosed`] after [`Self::shutdown_all`].
    pub async fn create(&self, mut options: CreateAgentSessionOptions) -> Result<CreateAgentSessionResult, Error> {
        self.check_open()?;
        let known = Arc::clone(&self.settings);
        let cwd = match &options.session_manager {
            Some(manager) => manager.cwd().to_owned(),
            None => absolute(self.host.paths.cwd(), options.cwd.as_deref().unwrap_or(Path::new("."))),
        };
        let (agent_dir, project_trusted) = (options.agent_dir.clone(), options.project_trusted);
        let key = SettingsKey { cwd, agent_dir, project_trusted };
        let is_given = options.settings.is_some();
        options.settings = options.settings.or_else(|| lock(&known).get(&key));
        if let Some(make) = &self.common.extension_files {
            options = options.load_extension_files_by(Arc::clone(make)).await?;
        }
        let options = options.load_extensions().await?;
        let created = off_thread::<_, Error>(move || {
            let created = create_agent_session(options)?;
            // Settings that the program brought along for one session are not those of others.
            if !is_given {
                lock(&known).insert(key, created.session.settings());
            }
            Ok(created)
        });
        let created = created.await?;
        self.share_prompt(&created.session);
        self.take_in(&created.session).await?;
        Ok(created)
    }

    /// Opens the session in a file and takes it in. `options` say the rest; see [`Self::options`].
    ///
    /// # Errors
    /// Those of [`SessionManager::open`] and of [`Self::create`]; [`session::Error::ReadOnly`] and
    /// [`session::Error::MissingCwd`].
    pub async fn open(
        &self,
        file: &Path,
        options: CreateAgentSessionOptions,
    ) -> Result<CreateAgentSessionResult, Error> {
        self.check_open()?;
        let (host, file) = (self.host(), self.host.paths.resolve(&file.to_string_lossy()));
        let manager = off_thread::<_, Error>(move || {
            let manager = patiently(|| SessionManager::open(host.clone(), &file, None))?;
            match manager.storage().read_only() {
                Some(reason) => Err(session::Error::ReadOnly { path: file, reason }.into()),
                None => Ok(manager.check_cwd().map(|()| manager)?),
            }
        });
        let manager = manager.await?;
        self.create(CreateAgentSessionOptions { session_manager: Some(manager), ..options }).await
    }

    /// The session of an id.
    pub fn get(&self, id: &str) -> Option<AgentSession> {
        lock(&self.sessions).get(id).cloned()
    }

    /// All ids, in no order.
    pub fn ids(&self) -> Vec<String> {
        lock(&self.sessions).keys().cloned().collect()
    }

    /// Number of sessions.
    pub fn len(&self) -> usize {
        lock(&self.sessions).len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Takes a session out and ends it: what runs is aborted, what was said is on disk. Waits no longer than `limit`.
    ///
    /// # Errors
    /// [`PoolError::Unknown`]; [`PoolError::StillRunning`] when the time did not suffice. The session is out of the pool then,
    /// too, and takes no more prompts.
    pub async fn remove(&self, id: &str, limit: Duration) -> Result<(), Error> {
        let session = lock(&self.sessions).remove(id).ok_or_else(|| PoolError::Unknown { id: id.to_owned() })?;
        end_all(vec![(id.to_owned(), session)], limit).await
    }

    /// Ends all sessions at once, as [`Self::remove`] does, and takes no new ones. Logins that are being renewed are
    /// stored. Waits no longer than `limit` for the sessions, and once more for the logins.
    ///
    /// # Errors
    /// [`PoolError::StillRunning`] with those for which the time did not suffice.
    pub async fn shutdown_all(&self, limit: Duration) -> Result<(), Error> {
        self.closed.store(true, Ordering::Release);
        let sessions = std::mem::take(&mut *lock(&self.sessions));
        let ended = end_all(sessions.into_iter().collect(), limit).await;
        self.models.auth().settle(limit).await;
        ended
    }

    fn check_open(&self) -> Result<(), Error> {
        if self.closed.load(Ordering::Acquire) { Err(agent_session::Error::SessionClosed.into()) } else { Ok(()) }
    }

    /// Sessions that are told the same keep one copy of it.
    fn share_prompt(&self, session: &AgentSession) {
        let prompt = session.system_prompt();
        let hash = self.hashes.hash_one(&*prompt);
        let mut known = lock(&self.prompts);
        match known.get(&hash).filter(|known| *known == prompt) {
            Some(shared) => session.tools().share_system_prompt(shared),
            None => known.insert(hash, &prompt),
        }
    }

    async fn take_in(&self, session: &AgentSession) -> Result<(), Error> {
        let id = session.session_id();
        let refused = {
            let mut sessions = lock(&self.sessions);
            // Looked at under the lock: a shutdown that comes now finds the session.
            match (self.check_open(), sessions.contains_key(&id)) {
                (Ok(()), false) => {
                    sessions.insert(id, session.clone());
                    None
                }
                (Ok(()), true) => Some(session::Error::Exists { id }.into()),
                (Err(closed), _) => Some(closed),
            }
        };
        match refused {
            None => Ok(()),
            Some(error) => {
                session.dispose().await;
                Err(error)
            }
        }
    }
}

/// A run lives in the future of its prompt; who does not poll that any more is not waited for.
async fn end_all(sessions: Vec<(String, AgentSession)>, limit: Duration) -> Result<(), Error> {
    let ends = sessions.iter().map(|(id, session)| async move {
        let ended = tokio::time::timeout(limit, session.dispose()).await;
        ended.err().map(|_| id.clone())
    });
    let mut ids: Vec<String> = join_all(ends).await.into_iter().flatten().collect();
    ids.sort();
    if ids.is_empty() { Ok(()) } else { Err(PoolError::StillRunning { ids }.into()) }
}

impl std::fmt::Debug for SessionPool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SessionPool").field("sessions", &self.len()).finish_non_exhaustive()
    }
}
