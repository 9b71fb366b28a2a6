//! A program with one session at a time: it starts others, goes to them, and tells who depends on the session.
//!
//! The handle to the session stays the same: a session goes to another conversation in place. What depends on the
//! conversation (a screen, caches) follows by two callbacks.

use std::path::Path;
use std::sync::{Arc, Mutex};

use futures::future::BoxFuture;
use pi_guard::lock;

use crate::agent_session::{AgentSession, Error, ForkPosition, NavigateOptions, NavigateOutcome, Replacement};
use crate::export::{ImportTarget, import_jsonl};
use crate::extension::{NewSessionOptions, ReplacementOptions};
use crate::sdk::{self, CreateAgentSessionOptions, create_agent_session_async, off_thread};

/// Called with the session before it leaves its conversation, or after.
pub type SessionCallback = dyn Fn(AgentSession) -> BoxFuture<'static, ()> + Send + Sync;

/// One session and how it is exchanged. All methods take `&self`; changes wait for each other.
pub struct AgentSessionRuntime {
    session: AgentSession,
    model_fallback_message: Option<String>,
    before_leaving: Mutex<Option<Arc<SessionCallback>>>,
    after_arriving: Mutex<Option<Arc<SessionCallback>>>,
}

impl AgentSessionRuntime {
    /// A runtime that begins with the session of these options. The session's directory must exist.
    ///
    /// # Errors
    /// Those of [`create_agent_session`](crate::sdk::create_agent_session), and [`session::Error::MissingCwd`](crate::session::Error::MissingCwd).
    pub async fn create(options: CreateAgentSessionOptions) -> Result<Self, sdk::Error> {
        if let Some(manager) = &options.session_manager {
            manager.check_cwd()?;
        }
        let created = create_agent_session_async(options).await?;
        let runtime = Self::new(created.session);
        Ok(Self { model_fallback_message: created.model_fallback_message, ..runtime })
    }

    /// A runtime for a session that there is already.
    pub fn new(session: AgentSession) -> Self {
        Self {
            session,
            model_fallback_message: None,
            before_leaving: Mutex::default(),
            after_arriving: Mutex::default(),
        }
    }

    /// The session, whatever its conversation is.
    pub fn session(&self) -> &AgentSession {
        &self.session
    }

    /// Said when the first session's own model could not be used.
    pub fn model_fallback_message(&self) -> Option<&str> {
        self.model_fallback_message.as_deref()
    }

    /// Calls this before the session leaves its conversation, in place of what was called so far.
    pub fn set_before_session_invalidate(&self, callback: Arc<SessionCallback>) {
        *lock(&self.before_leaving) = Some(callback);
    }

    /// Calls this whenever the session has gone to another conversation, in place of what was called so far; also when
    /// it could not go after the other callback was called.
    pub fn set_rebind_session(&self, callback: Arc<SessionCallback>) {
        *lock(&self.after_arriving) = Some(callback);
    }

    /// Goes to a new session of the same directory.
    ///
    /// # Errors
    /// Those of [`SwitchHandle::to_new_with`](crate::agent_session::SwitchHandle::to_new_with).
    pub async fn new_session(&self, options: NewSessionOptions) -> Result<Replacement, Error> {
        self.around(self.session.switch().to_new_with(options)).await
    }

    /// Goes to the session in a file, in its own directory or in another one.
    ///
    /// # Errors
    /// Those of [`SwitchHandle::to`](crate::agent_session::SwitchHandle::to). Then nothing has changed.
    pub async fn switch_session(&self, file: &Path, cwd: Option<&Path>) -> Result<Replacement, Error> {
        let options = ReplacementOptions { cwd: cwd.map(ToOwned::to_owned), ..ReplacementOptions::default() };
        self.around(self.session.switch().to_with(file, options)).await
    }

    /// Goes to a new session that holds the branch up to an entry.
    ///
    /// # Errors
    /// Those of [`TreeHandle::fork`](crate::agent_session::TreeHandle::fork).
    #[doc(alias = "forkSession")]
    pub async fn fork(&self, entry: &str, position: ForkPosition) -> Result<Replacement, Error> {
        self.around(self.session.tree().fork(entry, position)).await
    }

    /// Goes to a copy of the current branch.
    ///
    /// # Errors
    /// Those of [`TreeHandle::clone_branch`](crate::agent_session::TreeHandle::clone_branch).
    pub async fn clone_session(&self) -> Result<Replacement, Error> {
        self.around(self.session.tree().clone_branch()).await
    }

    /// Goes to another place in the tree of this session.
    ///
    /// # Errors
    /// Those of [`TreeHandle::navigate`](crate::agent_session::TreeHandle::navigate).
    pub async fn navigate_tree(&self, target: &str, options: NavigateOptions) -> Result<NavigateOutcome, Error> {
        self.around(self.session.tree().navigate(target, options)).await
    }

    /// Copies a session file to where those of this session are, and goes to the copy. Never over another session, and
    /// where the copy cannot be gone to, it is removed.
    ///
    /// # Errors
    /// Those of [`import_jsonl`] and of [`SwitchHandle::to`](crate::agent_session::SwitchHandle::to). Then nothing has changed, as when an extension
    /// calls it off.
    pub async fn import_from_jsonl(&self, file: &Path, cwd: Option<&Path>) -> Result<Replacement, Error> {
        let (source, dir, run_cwd) = self.session.store().read(|manager| {
            let paths = manager.paths();
            let dir = match manager.storage().is_persisted() {
                true => manager.storage().dir().to_owned(),
                false => paths.default_session_dir(manager.cwd()),
            };
            (paths.resolve(&file.to_string_lossy()), dir, paths.cwd().to_owned())
        });
        let (original, cwd_override) = (source.clone(), cwd.map(ToOwned::to_owned));
        let copy = off_thread::<_, Error>(move || {
            let target = ImportTarget { dir: &dir, cwd: &run_cwd, cwd_override: cwd_override.as_deref() };
            Ok(import_jsonl(&source, target)?)
        });
        let copy = copy.await?;
        let changed = self.switch_session(&copy, cwd).await;
        let is_there = changed.as_ref().is_ok_and(|went| !went.cancelled);
        if !is_there && copy != original {
            let _ = tokio::fs::remove_file(&copy).await;
        }
        changed
    }

    /// Ends the session for good, as [`AgentSession::dispose`] does.
    pub async fn dispose(&self) {
        let before = lock(&self.before_leaving).clone();
        if let Some(before) = before {
            before(self.session.clone()).await;
        }
        self.session.dispose().await;
    }

    async fn around<T>(&self, change: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
        let (before, after) = (lock(&self.before_leaving).clone(), lock(&self.after_arriving).clone());
        if let Some(before) = before {
            before(self.session.clone()).await;
        }
        let changed = change.await;
        if let Some(after) = after {
            after(self.session.clone()).await;
        }
        changed
    }
}

impl std::fmt::Debug for AgentSessionRuntime {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AgentSessionRuntime").field("session", &self.session).finish_non_exhaustive()
    }
}
