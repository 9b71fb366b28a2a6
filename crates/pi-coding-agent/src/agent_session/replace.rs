//! Going to another session: a new one, one in another file, a branch of this one.
//!
//! Everything that can fail happens before anything is given up, so whoever is refused stays where they are. Then what is
//! going on is stopped and stored, the old file is closed and stays as it is, and the agent gets the other conversation.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pi_ai::Message;

use super::gate::Closed;
use super::{AgentSession, Inner, Start, Workspace, lock, recorder};
use crate::error::Error;
use crate::session::{SessionEntry, SessionManager};

/// Where a fork of a session ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ForkPosition {
    /// In front of a message of the user, which is to be written anew.
    Before,
    /// Behind an entry.
    At,
}

/// A session that is about to be entered.
struct Arrival {
    /// Absent when it is in the place of the old one already.
    manager: Option<SessionManager>,
    start: Start,
    messages: Vec<Arc<Message>>,
    /// Present when it has another working directory.
    workspace: Option<Workspace>,
}

impl AgentSession {
    /// Leaves this conversation for a new, empty one of the same working directory, with the model and thinking level
    /// that the program was asked for, else the defaults. Queued messages are dropped.
    ///
    /// `parent_session` is named in the new file as the one that this continues.
    ///
    /// # Errors
    /// When the new session cannot be made; the old one then stays, idle.
    pub async fn new_session(&self, parent_session: Option<PathBuf>) -> Result<(), Error> {
        self.0.prompting.check_open()?;
        let closed = self.0.gate.close().await;
        self.stop_for_good().await;
        let arrival = self.blocking(move |session| {
            let successor = lock(&session.manager).successor(parent_session)?;
            session.arrive(Some(successor))
        });
        let arrival = arrival.await?;
        self.enter(arrival, &closed).await;
        Ok(())
    }

    /// Leaves this conversation for the one in `file`, which is relative to the directory in which the program was
    /// started; a file that does not exist becomes a new session. Model and thinking level are those that the program was
    /// asked for, else those of the session. Queued messages are dropped.
    ///
    /// # Errors
    /// Those of [`SessionManager::open`], [`Error::MissingSessionCwd`] and [`Error::SessionReadOnly`]. Then nothing has
    /// changed, and a run that is in progress goes on.
    pub async fn switch_session(&self, file: &Path) -> Result<(), Error> {
        self.switch_session_in(file, None).await
    }

    /// The same with another working directory than the one that the file names.
    ///
    /// # Errors
    /// Those of [`Self::switch_session`].
    pub async fn switch_session_in(&self, file: &Path, cwd: Option<&Path>) -> Result<(), Error> {
        self.0.prompting.check_open()?;
        let closed = self.0.gate.close().await;
        let (file, cwd) = (file.to_owned(), cwd.map(ToOwned::to_owned));
        let arrival = self.blocking(move |session| match session.open(&file, cwd.as_deref())? {
            Some(manager) => session.arrive(Some(manager)).map(Some),
            None => Ok(None),
        });
        let arrival = arrival.await?;
        self.stop_for_good().await;
        // The file that is open already has everything that was said only now.
        let arrival = match arrival {
            Some(arrival) => arrival,
            None => self.blocking(|session| session.arrive(None)).await?,
        };
        self.enter(arrival, &closed).await;
        Ok(())
    }

    /// Leaves this session for a new one that holds the branch up to an entry. Returns the text of the user's message
    /// that it ends in front of. Queued messages are dropped.
    ///
    /// # Errors
    /// [`Error::InvalidForkEntry`] when there is no such entry, or no message of the user to end in front of;
    /// [`Error::EntryNotFound`] as long as the session has no file yet. Then nothing has changed. Those of
    /// [`SessionManager::create_branched_session`]; this session then stays, idle.
    pub async fn fork(&self, entry: &str, position: ForkPosition) -> Result<Option<String>, Error> {
        self.0.prompting.check_open()?;
        let closed = self.0.gate.close().await;
        self.check_written(entry)?;
        let entry = entry.to_owned();
        let (target, text) =
            self.blocking(move |session| session.with_copy(|manager| fork_target(manager, &entry, position))).await?;
        self.stop_for_good().await;
        self.branch_off(target, &closed).await?;
        Ok(text)
    }

    /// Leaves this session for a copy of its current branch.
    ///
    /// # Errors
    /// [`Error::NothingToClone`] and [`Error::EntryNotFound`] when nothing was said yet; those of
    /// [`SessionManager::create_branched_session`]. This session then stays, idle.
    pub async fn clone_session(&self) -> Result<(), Error> {
        self.0.prompting.check_open()?;
        let closed = self.0.gate.close().await;
        self.stop_for_good().await;
        let leaf = self.with_manager(|manager| manager.leaf_id().map(ToOwned::to_owned));
        let leaf = leaf.ok_or(Error::NothingToClone)?;
        self.check_written(&leaf)?;
        self.branch_off(Some(leaf), &closed).await
    }

    /// A session in a file that does not exist yet cannot be branched: its branch would be all there is of it.
    fn check_written(&self, entry: &str) -> Result<(), Error> {
        match self.session_file() {
            Some(file) if !file.exists() => Err(Error::EntryNotFound { id: entry.to_owned() }),
            _ => Ok(()),
        }
    }

    async fn branch_off(&self, target: Option<String>, closed: &Closed<'_>) -> Result<(), Error> {
        let arrival = self.blocking(move |session| {
            let Some(target) = target else {
                let manager = lock(&session.manager);
                let parent = manager.session_file().map(ToOwned::to_owned);
                let successor = manager.successor(parent)?;
                drop(manager);
                return session.arrive(Some(successor));
            };
            match session.copy()? {
                Some(mut copy) => {
                    copy.create_branched_session(&target)?;
                    session.arrive(Some(copy))
                }
                None => {
                    lock(&session.manager).create_branched_session(&target)?;
                    session.arrive(None)
                }
            }
        });
        let arrival = arrival.await?;
        self.enter(arrival, closed).await;
        Ok(())
    }

    /// Drops what waits, stops what is going on and stores what came of it.
    async fn stop_for_good(&self) {
        self.0.prompting.clear();
        self.0.agent.clear_queues();
        self.stop().await;
    }

    /// Stops what is going on and waits until what came of it is on disk.
    pub(super) async fn stop(&self) {
        let session = &*self.0;
        session.compaction.cancel();
        session.shell.abort_all();
        self.abort().await;
        session.compaction.idle().await;
        session.shell.idle().await;
        session.store_held();
        recorder::flush(session).await;
    }

    /// Opening, reading and copying take long for a big file, so they do not hold up the runtime.
    pub(super) async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Inner) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let session = Arc::clone(&self.0);
        let done = tokio::task::spawn_blocking(move || work(&session)).await;
        done.unwrap_or_else(|stopped| {
            Err(Error::Command { reason: format!("Cannot read or change the session: {stopped}") })
        })
    }

    /// Makes the other conversation the agent's. From here on nothing fails.
    async fn enter(&self, arrival: Arrival, closed: &Closed<'_>) {
        let session = &*self.0;
        // Whatever slipped through before the gate was closed, or followed from the last run by itself.
        self.abort().await;
        session.compaction.cancel();
        let left = self.session_id();
        closed.exchanged();
        if let Some(manager) = arrival.manager {
            *lock(&session.manager) = manager;
        }
        session.prompting.clear();
        session.recorder.take_last_assistant();
        session.retry.end();
        session.compaction.new_user_message();
        session.agent.reset();
        session.agent.set_messages(arrival.messages);
        session.agent.set_model(arrival.start.model);
        session.agent.set_thinking_level(arrival.start.thinking_level);
        if let Some(workspace) = arrival.workspace {
            session.agent.set_tools(workspace.tools.clone());
            session.agent.set_system_prompt(Arc::clone(&workspace.system_prompt));
            *lock(&session.workspace) = workspace;
        }
        let id = self.session_id();
        session.agent.edit_stream_options(|options| options.session_id = Some(id));
        session.apis.cleanup_session_resources(Some(&left));
        if let Some(note) = arrival.start.note {
            session.recorder.tell(&note);
        }
    }
}

impl Inner {
    /// Opens the session in a file; `None` when it is this one.
    fn open(&self, file: &Path, cwd: Option<&Path>) -> Result<Option<SessionManager>, Error> {
        let (host, current, durability) = {
            let manager = lock(&self.manager);
            (manager.host(), manager.session_file().map(ToOwned::to_owned), manager.durability())
        };
        let file = host.paths.resolve(&file.to_string_lossy());
        if current.is_some_and(|current| is_same(&current, &file)) {
            return Ok(None);
        }
        let mut manager = SessionManager::open(host, &file, cwd)?;
        if let Some(reason) = manager.read_only() {
            return Err(Error::SessionReadOnly { path: file, reason });
        }
        manager.check_cwd()?;
        manager.set_durability(durability);
        manager.complaints().iter().for_each(|complaint| self.recorder.tell(complaint));
        Ok(Some(manager))
    }

    /// Reads what the agent is to know of a session, `None` being the one that is open. Blocks.
    fn arrive(&self, mut manager: Option<SessionManager>) -> Result<Arrival, Error> {
        let mut current = None;
        let other = match &mut manager {
            Some(manager) => manager,
            None => &mut **current.insert(lock(&self.manager)),
        };
        let context = other.build_session_context()?;
        if !context.unreadable.is_empty() {
            let entries = context.unreadable.join(", ");
            self.recorder.tell(&format!("Damaged entries of the session are left out of the context: {entries}"));
        }
        let start = self.choice.start(other, &context, &self.models, &self.settings)?;
        let resources = Arc::clone(&lock(&self.workspace).resources);
        let cwd = other.cwd();
        let workspace = (cwd != resources.places().cwd).then(|| self.furnishing.move_to(cwd, &resources));
        drop(current);
        Ok(Arrival { manager, start, messages: context.messages, workspace })
    }

    /// The session once more, for reading, if all of it is in its file.
    fn copy(&self) -> Result<Option<SessionManager>, Error> {
        let manager = lock(&self.manager);
        let mut copy = manager.reopened().transpose()?;
        if let Some(copy) = &mut copy {
            // What is made of it shall be as durable as this.
            copy.set_durability(manager.durability());
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

/// The entry that a fork ends with, `None` for an empty one, and the text that it ends in front of.
fn fork_target(
    manager: &SessionManager,
    entry: &str,
    position: ForkPosition,
) -> Result<(Option<String>, Option<String>), Error> {
    let found = manager.entry(entry)?.ok_or(Error::InvalidForkEntry)?;
    if position == ForkPosition::At {
        return Ok((Some(entry.to_owned()), None));
    }
    match found.parse() {
        SessionEntry::Message(entry) => match &*entry.message {
            Message::User(user) => Ok((entry.parent_id, Some(user.content.to_text()))),
            _ => Err(Error::InvalidForkEntry),
        },
        _ => Err(Error::InvalidForkEntry),
    }
}

/// Whether two paths name one file, through links, too.
fn is_same(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    real(one) == real(other)
}
