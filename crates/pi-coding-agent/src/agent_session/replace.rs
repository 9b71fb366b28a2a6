//! Going to another session: a new one, one in another file, a branch of this one.
//!
//! Everything that can fail happens before anything is given up, so whoever is refused stays where they are. Then what is
//! going on is stopped and stored, the old file is closed and stays as it is, and the agent gets the other conversation.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pi_ai::Message;

use super::activity::{Exchange, Request};
use super::extensions::{enter_extensions, extension_tools};
use super::stopping::{abort, stop_for_good};
use super::store::blocking;
use super::{Inner, Start, Workspace, lock};
use crate::events::{Error, Replacement};
use crate::extension::events::{StartReason, SwitchReason};
use crate::extension::{NewSessionOptions, ReplacementOptions, SetupFn, WithSessionFn};
use crate::host::without_links;
use crate::session::{self, MissingCwd, NewSession, SessionManager, complaints, patiently, reopened, settle_cwd};

/// A session that is about to be entered.
pub(super) struct Arrival {
    /// Absent when it is in the place of the old one already.
    manager: Option<SessionManager>,
    start: Start,
    messages: Vec<Arc<Message>>,
    /// Present when it has another working directory.
    workspace: Option<Workspace>,
}

/// Going to another session: [`AgentSession::switch`](super::AgentSession::switch).
#[derive(Debug, Clone, Copy)]
pub struct SwitchHandle<'a>(pub(super) &'a Arc<Inner>);

impl SwitchHandle<'_> {
    /// Leaves this conversation for a new, empty one of the same working directory, with the model and thinking level
    /// that the program was asked for, else the defaults. Queued messages are dropped.
    ///
    /// `parent_session` is named in the new file as the one that this continues.
    ///
    /// # Errors
    /// When the new session cannot be made; the old one then stays, idle.
    pub async fn to_new(self, parent_session: Option<PathBuf>) -> Result<Replacement, Error> {
        self.to_new_with(NewSessionOptions { parent_session, ..NewSessionOptions::default() }).await
    }

    /// The same, with first entries, and going on in the new session.
    ///
    /// # Errors
    /// As [`Self::to_new`], and those of the set-up.
    pub async fn to_new_with(self, options: NewSessionOptions) -> Result<Replacement, Error> {
        self.0.activity.check(Request::Replace)?;
        if self.0.is_switch_cancelled(SwitchReason::New, None).await {
            return Ok(Replacement::cancelled());
        }
        let NewSessionOptions { parent_session, setup, with_session } = options;
        let exchange = self.0.activity.begin_exchange().await?;
        stop_for_good(self.0).await;
        let arrival = blocking(self.0, move |session| {
            let successor = lock(&session.manager).successor(parent_session)?;
            let arrival = session.arrive(Some(successor))?;
            match setup {
                Some(setup) => arrival.set_up(setup),
                None => Ok(arrival),
            }
        });
        let arrival = arrival.await?;
        enter(self.0, arrival, exchange, StartReason::New, with_session).await?;
        Ok(Replacement::default())
    }

    /// Leaves this conversation for the one in `file`, which is relative to the directory in which the program was
    /// started; a file that does not exist becomes a new session. Model and thinking level are those that the program was
    /// asked for, else those of the session. Queued messages are dropped.
    ///
    /// # Errors
    /// Those of [`SessionManager::open`], [`session::Error::MissingCwd`] and [`session::Error::ReadOnly`]. Then nothing has
    /// changed, and a run that is in progress goes on.
    pub async fn to(self, file: &Path) -> Result<Replacement, Error> {
        self.to_with(file, ReplacementOptions::default()).await
    }

    /// The same, going on in the other session.
    ///
    /// # Errors
    /// As [`Self::to`].
    pub async fn to_with(self, file: &Path, options: ReplacementOptions) -> Result<Replacement, Error> {
        self.0.activity.check(Request::Replace)?;
        if self.0.is_switch_cancelled(SwitchReason::Resume, Some(file)).await {
            return Ok(Replacement::cancelled());
        }
        let exchange = self.0.activity.begin_exchange().await?;
        let (file, cwd, missing) = (file.to_owned(), options.cwd, options.missing_cwd);
        let arrival = blocking(self.0, move |session| match session.open(&file, cwd.as_deref(), missing)? {
            Some(manager) => session.arrive(Some(manager)).map(Some),
            None => Ok(None),
        });
        let arrival = arrival.await?;
        stop_for_good(self.0).await;
        // The file that is open already has everything that was said only now.
        let arrival = match arrival {
            Some(arrival) => arrival,
            None => blocking(self.0, |session| session.arrive(None)).await?,
        };
        enter(self.0, arrival, exchange, StartReason::Resume, options.with_session).await?;
        Ok(Replacement::default())
    }
}

/// Makes the other conversation the agent's, and the extensions those of the other session. Once that has begun,
/// nothing fails.
///
/// # Errors
/// [`Error::SessionClosed`].
pub(super) async fn enter(
    session: &Arc<Inner>,
    arrival: Arrival,
    exchange: Exchange<'_>,
    reason: StartReason,
    with_session: Option<Box<WithSessionFn>>,
) -> Result<(), Error> {
    session.activity.check(Request::Arrive)?;
    let target = arrival.manager.as_ref().and_then(|manager| manager.session_file().map(ToOwned::to_owned));
    let mut departure = session.leave_extensions(reason, target).await;
    exchange_conversation(session, arrival, &exchange).await;
    let errors = enter_extensions(session, &mut departure).await;
    drop(exchange);
    session.arrive_extensions(departure, errors, with_session).await;
    Ok(())
}

async fn exchange_conversation(session: &Inner, arrival: Arrival, exchange: &Exchange<'_>) {
    // Whatever slipped through before the gate was closed, or followed from the last run by itself.
    abort(session).await;
    session.activity.cancel_summary(None);
    let left = lock(&session.manager).session_id().to_owned();
    exchange.exchanged();
    if let Some(manager) = arrival.manager {
        session.leave_behind();
        *lock(&session.manager) = manager;
    }
    session.recorder.take_last_assistant();
    session.retry.end();
    session.compaction.new_user_message();
    session.queue.take_all();
    session.agent.reset();
    session.agent.set_messages(arrival.messages);
    session.agent.set_model(arrival.start.model);
    session.agent.set_thinking_level(arrival.start.thinking_level);
    if let Some(workspace) = arrival.workspace {
        session.agent.set_tools(workspace.tools.clone());
        session.agent.set_system_prompt(Arc::clone(&workspace.system_prompt));
        *lock(&session.workspace) = workspace;
    }
    let id = lock(&session.manager).session_id().to_owned();
    session.agent.edit_stream_options(|options| options.session_id = Some(id));
    session.apis.cleanup_session_resources(Some(&left));
    if let Some(note) = arrival.start.note {
        session.recorder.tell(&note);
    }
}

impl Arrival {
    /// Lets somebody write the first entries.
    fn set_up(mut self, setup: Box<SetupFn>) -> Result<Self, Error> {
        if let Some(manager) = &mut self.manager {
            setup(manager)?;
            self.messages = manager.build_session_context()?.messages;
        }
        Ok(self)
    }
}

impl Inner {
    /// Opens the session in a file; `None` when it is this one.
    fn open(
        &self,
        file: &Path,
        cwd: Option<&Path>,
        missing: Option<MissingCwd>,
    ) -> Result<Option<SessionManager>, Error> {
        let (host, current, durability, dir) = {
            let manager = lock(&self.manager);
            let current = manager.session_file().map(ToOwned::to_owned);
            // A copy goes where the sessions of this run are, if they have a place of their own.
            let own = manager.storage().dir() != manager.host().paths.default_session_dir(manager.cwd());
            (manager.host(), current, manager.storage().durability(), own.then(|| manager.storage().dir().to_owned()))
        };
        let file = host.paths.resolve(&file.to_string_lossy());
        if current.is_some_and(|current| is_same(&current, &file)) {
            return Ok(None);
        }
        let manager = patiently(|| SessionManager::open(host.clone(), &file, cwd))?;
        if let Some(reason) = manager.storage().read_only() {
            return Err(session::Error::ReadOnly { path: file, reason }.into());
        }
        let mut manager = settle_cwd(manager, missing, &NewSession { dir, ..NewSession::default() })?;
        manager.set_durability(durability);
        Ok(Some(manager))
    }

    /// Reads what the agent is to know of a session, `None` being the one that is open. Blocks.
    pub(super) fn arrive(&self, mut manager: Option<SessionManager>) -> Result<Arrival, Error> {
        let mut current = None;
        let other = match &mut manager {
            Some(manager) => manager,
            None => &mut **current.insert(lock(&self.manager)),
        };
        let context = other.build_session_context()?;
        complaints(other, &context).iter().for_each(|complaint| self.recorder.tell(complaint));
        let start = self.choice.start(other, &context, &self.models, &self.settings)?;
        let resources = Arc::clone(&lock(&self.workspace).resources);
        let cwd = other.cwd();
        let tools = extension_tools(&self.extensions.runner());
        let workspace = (cwd != resources.places().cwd).then(|| self.furnishing.move_to(cwd, &resources, &tools));
        drop(current);
        Ok(Arrival { manager, start, messages: context.messages, workspace })
    }

    /// The session once more, for reading, if all of it is in its file.
    pub(super) fn copy(&self) -> Result<Option<SessionManager>, Error> {
        let manager = lock(&self.manager);
        let mut copy = reopened(&manager).transpose()?;
        if let Some(copy) = &mut copy {
            // What is made of it shall be as durable as this.
            copy.set_durability(manager.storage().durability());
        }
        Ok(copy)
    }

    /// Looks at a copy, so that a big file does not hold up who writes to the session, or at the session.
    pub(super) fn with_copy<T>(&self, look: impl FnOnce(&SessionManager) -> Result<T, Error>) -> Result<T, Error> {
        match self.copy()? {
            Some(copy) => look(&copy),
            None => look(&lock(&self.manager)),
        }
    }
}

/// Whether two paths name one file, through links, too.
fn is_same(one: &Path, other: &Path) -> bool {
    without_links(one) == without_links(other)
}
