//! A program with one session at a time: it starts others, goes to them, and tells who depends on the session.
//!
//! The handle to the session stays the same: a session goes to another conversation in place. What depends on the
//! conversation (a screen, caches) follows by two callbacks.

use std::path::Path;
use std::sync::{Arc, Mutex};

use futures::future::BoxFuture;
use serde::Serialize;

use crate::agent_session::{AgentSession, ForkPosition, NavigateOptions, NavigateOutcome, lock};
use crate::error::Error;
use crate::export::{ImportTarget, import_jsonl};
use crate::sdk::{CreateAgentSessionOptions, create_agent_session_async, off_thread};
use crate::session::SessionManager;

/// Called with the session before it leaves its conversation, or after.
pub type SessionCallback = dyn Fn(AgentSession) -> BoxFuture<'static, ()> + Send + Sync;

/// Fills a new session before anything is said in it.
pub type SessionSetup = Box<dyn FnOnce(&mut SessionManager) -> Result<(), Error> + Send>;

/// How a new session begins.
#[derive(Default)]
pub struct NewSessionOptions {
    /// The file of the session that it continues.
    pub parent_session: Option<std::path::PathBuf>,
    /// Appends its first entries.
    pub setup: Option<SessionSetup>,
}

/// What came of going to another conversation.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionChange {
    /// Whether somebody did not want it; then nothing has changed.
    pub cancelled: bool,
    /// The text of the message that a fork ends in front of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selected_text: Option<String>,
}

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
    /// Those of [`create_agent_session`](crate::sdk::create_agent_session), and [`Error::MissingSessionCwd`].
    pub async fn create(options: CreateAgentSessionOptions) -> Result<Self, Error> {
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
    /// Those of [`AgentSession::new_session`]; those of the set-up, then the new session is there without what it did
    /// not do.
    pub async fn new_session(&self, options: NewSessionOptions) -> Result<SessionChange, Error> {
        let change = async {
            self.session.new_session(options.parent_session).await?;
            match options.setup {
                Some(setup) => self.fill(setup).await,
                None => Ok(()),
            }
        };
        self.around(change).await.map(|()| SessionChange::default())
    }

    async fn fill(&self, setup: SessionSetup) -> Result<(), Error> {
        let inner = Arc::clone(&self.session.0);
        off_thread(move || {
            let mut manager = lock(&inner.manager);
            let filled = setup(&mut manager);
            inner.agent.set_messages(manager.build_session_context()?.messages);
            filled
        })
        .await
    }

    /// Goes to the session in a file, in its own directory or in another one.
    ///
    /// # Errors
    /// Those of [`AgentSession::switch_session`]. Then nothing has changed.
    pub async fn switch_session(&self, file: &Path, cwd: Option<&Path>) -> Result<SessionChange, Error> {
        self.around(self.session.switch_session_in(file, cwd)).await.map(|()| SessionChange::default())
    }

    /// Goes to a new session that holds the branch up to an entry.
    ///
    /// # Errors
    /// Those of [`AgentSession::fork`].
    pub async fn fork(&self, entry: &str, position: ForkPosition) -> Result<SessionChange, Error> {
        let selected_text = self.around(self.session.fork(entry, position)).await?;
        Ok(SessionChange { selected_text, ..SessionChange::default() })
    }

    /// Goes to a copy of the current branch.
    ///
    /// # Errors
    /// Those of [`AgentSession::clone_session`].
    pub async fn clone_session(&self) -> Result<SessionChange, Error> {
        self.around(self.session.clone_session()).await.map(|()| SessionChange::default())
    }

    /// Goes to another place in the tree of this session.
    ///
    /// # Errors
    /// Those of [`AgentSession::navigate_tree`].
    pub async fn navigate_tree(&self, target: &str, options: NavigateOptions) -> Result<NavigateOutcome, Error> {
        self.around(self.session.navigate_tree(target, options)).await
    }

    /// Copies a session file to where those of this session are, and goes to the copy. Never over another session, and
    /// where the copy cannot be gone to, it is removed.
    ///
    /// # Errors
    /// Those of [`import_jsonl`] and of [`AgentSession::switch_session`]. Then nothing has changed.
    pub async fn import_from_jsonl(&self, file: &Path, cwd: Option<&Path>) -> Result<SessionChange, Error> {
        let (source, dir, run_cwd) = self.session.with_manager(|manager| {
            let paths = manager.paths();
            let dir = match manager.is_persisted() {
                true => manager.session_dir().to_owned(),
                false => paths.default_session_dir(manager.cwd()),
            };
            (paths.resolve(&file.to_string_lossy()), dir, paths.cwd().to_owned())
        });
        let (original, cwd_override) = (source.clone(), cwd.map(ToOwned::to_owned));
        let copy = off_thread(move || {
            let target = ImportTarget { dir: &dir, cwd: &run_cwd, cwd_override: cwd_override.as_deref() };
            import_jsonl(&source, target)
        });
        let copy = copy.await?;
        let changed = self.switch_session(&copy, cwd).await;
        if changed.is_err() && copy != original {
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

impl std::fmt::Debug for NewSessionOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NewSessionOptions").field("parent_session", &self.parent_session).finish_non_exhaustive()
    }
}
