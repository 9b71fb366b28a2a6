//! What a session stores and where: its file, who writes to it, what is noted beside it. Programs read and change the file
//! through [`StoreHandle`].

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

use pi_ai::{Clock, Message};

use super::effects::EffectJournal;
use super::name::NameState;
use super::recorder::Recorder;
use super::{Inner, lock};
use crate::events::Error;
use crate::host::without_links;
use crate::session::{self, Durability, MissingCwd, NewSession, SessionManager, patiently, reopened, settle_cwd};

/// The conversation as it is stored: session file, recorder, journal of tool calls.
pub(crate) struct Store {
    manager: Mutex<SessionManager>,
    recorder: Recorder,
    effects: EffectJournal,
    /// Results of the user's commands that wait for the end of a run.
    held: Mutex<Vec<Arc<Message>>>,
    name: NameState,
    clock: Arc<dyn Clock>,
}

impl Store {
    pub(super) fn new(manager: SessionManager, warn: Arc<dyn Fn(&str) + Send + Sync>, clock: Arc<dyn Clock>) -> Self {
        Self {
            manager: Mutex::new(manager),
            recorder: Recorder::new(warn),
            effects: EffectJournal::default(),
            held: Mutex::default(),
            name: NameState::default(),
            clock,
        }
    }

    /// The session file, locked. What holds this must not wait for anything else of the session.
    pub(super) fn manager(&self) -> MutexGuard<'_, SessionManager> {
        lock(&self.manager)
    }

    /// What the recorder remembers.
    pub(super) fn recorder(&self) -> &Recorder {
        &self.recorder
    }

    /// Which tool calls are under way.
    pub(super) fn effects(&self) -> &EffectJournal {
        &self.effects
    }

    /// Messages that wait for the end of a run, locked.
    pub(super) fn held(&self) -> MutexGuard<'_, Vec<Arc<Message>>> {
        lock(&self.held)
    }

    /// The display name as far as it is known.
    pub(super) fn name(&self) -> &NameState {
        &self.name
    }

    /// The time for what is stored now.
    pub(super) fn now_ms(&self) -> i64 {
        self.clock.now_ms()
    }

    /// The session id.
    pub(super) fn session_id(&self) -> String {
        self.manager().session_id().to_owned()
    }

    /// The session's file, also before it exists; `None` for a session in memory.
    pub(super) fn session_file(&self) -> Option<PathBuf> {
        self.manager().session_file().map(Into::into)
    }

    /// Tells the user in one sentence, but not the same one again and again.
    pub(super) fn warn_of_error(&self, error: &dyn std::error::Error) {
        self.recorder.warn_of_error(error);
    }

    /// Warns about what failed, if it did.
    pub(super) fn warn_about(&self, result: Result<(), impl std::error::Error>) {
        if let Err(error) = result {
            self.warn_of_error(&error);
        }
    }

    /// Tells the user a sentence.
    pub(super) fn warn(&self, sentence: &str) {
        self.recorder.warn(sentence);
    }

    /// Stores another conversation from now on, absent when it has taken its place already.
    pub(super) fn enter(&self, manager: Option<SessionManager>) {
        if let Some(manager) = manager {
            self.recorder.leave_behind(self.storing_failure());
            *self.manager() = manager;
        }
        self.recorder.take_last_assistant();
    }

    /// Why something of the conversation is not in its file, as far as the last attempt told.
    fn storing_failure(&self) -> Option<String> {
        let failure = self.recorder.failure();
        let manager = self.manager();
        // Where the disk is not waited for, nobody hears of a later success.
        failure.filter(|_| !manager.storage().is_written() || manager.storage().durability() != Durability::None)
    }

    /// Why something that was said could not be stored, in this conversation or in one that was left.
    pub(super) fn unstored(&self) -> Option<String> {
        self.storing_failure().or_else(|| self.recorder.left_behind())
    }

    /// Opens the session in a file; `None` when it is this one.
    pub(super) fn open(
        &self,
        file: &Path,
        cwd: Option<&Path>,
        missing: Option<MissingCwd>,
    ) -> Result<Option<SessionManager>, Error> {
        let (host, current, durability, dir) = {
            let manager = self.manager();
            let current = manager.session_file().map(ToOwned::to_owned);
            (manager.host(), current, manager.storage().durability(), own_dir(&manager))
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

    /// Does what is wanted for this session if its directory is gone: it moves to the directory of the run, or a copy
    /// that belongs there is returned. The source of a copy is only read, so this one keeps its file meanwhile.
    pub(super) fn settle_own_cwd(&self, wanted: Option<MissingCwd>) -> Result<Option<SessionManager>, Error> {
        let mut manager = self.manager();
        let (Some(wanted), Err(_)) = (wanted, manager.check_cwd()) else { return Ok(None) };
        let host = manager.host();
        let here = host.paths.cwd();
        let file = manager.session_file().map(ToOwned::to_owned);
        match (wanted, file) {
            (MissingCwd::Fork, Some(file)) => {
                manager.sync()?;
                let options = NewSession { dir: own_dir(&manager), ..NewSession::default() };
                let mut copy = SessionManager::fork_from(host.clone(), &file, here, &options)?;
                copy.set_durability(manager.storage().durability());
                Ok(Some(copy))
            }
            _ => {
                manager.set_cwd(here);
                Ok(None)
            }
        }
    }

    /// The session once more, for reading, if all of it is in its file.
    pub(super) fn copy(&self) -> Result<Option<SessionManager>, Error> {
        let manager = self.manager();
        let mut copy = reopened(&manager).transpose()?;
        if let Some(copy) = &mut copy {
            // What is made of it shall be as durable as this.
            copy.set_durability(manager.storage().durability());
        }
        Ok(copy)
    }

    /// Looks at a copy, so that a big file does not hold up who writes to the session, or at the session.
    fn with_copy<T>(&self, look: impl FnOnce(&SessionManager) -> Result<T, Error>) -> Result<T, Error> {
        match self.copy()? {
            Some(copy) => look(&copy),
            None => look(&self.manager()),
        }
    }
}

/// The session file: [`AgentSession::store`](super::AgentSession::store).
#[derive(Debug, Clone, Copy)]
pub struct StoreHandle<'a>(pub(super) &'a Arc<Inner>);

impl StoreHandle<'_> {
    /// Looks at the session file's manager. Do not call back into the session from `look`.
    pub fn read<R>(self, look: impl FnOnce(&SessionManager) -> R) -> R {
        look(&self.0.store.manager())
    }

    /// Lets `act` work on the session file. The session waits meanwhile; `act` must not call it.
    pub fn edit<R>(self, act: impl FnOnce(&mut SessionManager) -> R) -> R {
        act(&mut self.0.store.manager())
    }

    /// Looks at a copy of the session, off the runtime, so that a big file holds up nobody.
    ///
    /// # Errors
    /// Those of `look`, and when the file cannot be opened.
    pub async fn read_copy<T: Send + 'static>(
        self,
        look: impl FnOnce(&SessionManager) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        blocking(self.0, |session| session.store.with_copy(look)).await
    }

    /// Why something that was said could not be stored; to be asked when the session is closed.
    pub fn failure(self) -> Option<String> {
        self.0.store.unstored()
    }
}

/// Opening, reading and copying take long for a big file, so they do not hold up the runtime.
pub(super) async fn blocking<T: Send + 'static>(
    session: &Arc<Inner>,
    work: impl FnOnce(&Inner) -> Result<T, Error> + Send + 'static,
) -> Result<T, Error> {
    let session = Arc::clone(session);
    let done = tokio::task::spawn_blocking(move || work(&session)).await;
    done.unwrap_or_else(|stopped| {
        Err(Error::Command { reason: format!("Cannot read or change the session: {stopped}") })
    })
}

/// Where the sessions of this run are, if they have a place of their own: a copy goes there.
fn own_dir(manager: &SessionManager) -> Option<PathBuf> {
    let dir = manager.storage().dir();
    (dir != manager.host().paths.default_session_dir(manager.cwd())).then(|| dir.to_owned())
}

/// Whether two paths name one file, through links, too.
fn is_same(one: &Path, other: &Path) -> bool {
    without_links(one) == without_links(other)
}
