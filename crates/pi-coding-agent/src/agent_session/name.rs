//! The session's display name. In a big file it may be anywhere, so it is looked for once, and not on the runtime.

use std::sync::{Arc, Mutex};

use super::{Inner, SessionEvent, StoreHandle, lock};
use crate::events::Error;

/// The name as far as it is known.
#[derive(Default)]
pub(crate) struct NameState(Mutex<Known>);

#[derive(Default)]
struct Known {
    /// The number of the conversation that it belongs to, and the name, which may be none.
    name: Option<(u64, Option<String>)>,
    /// Counts the changes: what was read before one is not kept.
    changes: u64,
}

impl NameState {
    fn set(&self, conversation: u64, name: Option<String>) {
        let mut known = lock(&self.0);
        known.name = Some((conversation, name));
        known.changes += 1;
    }

    fn get(&self, conversation: u64) -> Option<Option<String>> {
        lock(&self.0).name.clone().filter(|(known, _)| *known == conversation).map(|(_, name)| name)
    }

    fn changes(&self) -> u64 {
        lock(&self.0).changes
    }

    /// Keeps what was read, unless the name was changed meanwhile.
    fn keep(&self, conversation: u64, name: Option<String>, changes: u64) {
        let mut known = lock(&self.0);
        if known.changes == changes {
            known.name = Some((conversation, name));
        }
    }
}

/// The display name of a session: [`AgentSession::name`](super::AgentSession::name).
#[derive(Debug, Clone, Copy)]
pub struct NameHandle<'a>(pub(super) &'a Arc<Inner>);

impl NameHandle<'_> {
    /// The display name. Blocks while it is looked for in the file; see [`Self::read`].
    #[doc(alias = "sessionName")]
    pub fn get(self) -> Option<String> {
        if let Some(known) = self.0.store.name().get(self.0.run.activity().conversation()) {
            return known;
        }
        match self.0.store.manager().session_name() {
            Ok(name) => name.map(Into::into),
            Err(error) => {
                self.0.store.warn_of_error(&error);
                None
            }
        }
    }

    /// The display name. Where it has to be looked for in a big file, that does not hold up the runtime.
    pub async fn read(self) -> Option<String> {
        loop {
            let (conversation, changes) = (self.0.run.activity().conversation(), self.0.store.name().changes());
            if let Some(known) = self.0.store.name().get(conversation) {
                return known;
            }
            if let Some(known) = self.0.store.manager().entries().known_name() {
                return known.map(ToOwned::to_owned);
            }
            let read = StoreHandle(self.0).read_copy(|manager| Ok(manager.session_name()?.map(ToOwned::to_owned)));
            match read.await {
                Ok(name) => self.0.store.name().keep(conversation, name, changes),
                Err(error) => {
                    self.0.store.warn_of_error(&error);
                    return None;
                }
            }
            // What was read may be of a conversation that was left, or older than a new name.
        }
    }

    /// Names the session; a blank name clears it.
    ///
    /// # Errors
    /// When the entry could not be written; it is kept in memory.
    #[doc(alias = "setSessionName")]
    pub async fn set(self, name: &str) -> Result<(), Error> {
        let conversation = self.0.run.activity().conversation();
        let result = self.0.store.manager().append().session_info(name).map(drop);
        let name = Some(name.trim().to_owned()).filter(|name| !name.is_empty());
        self.0.store.name().set(conversation, name.clone());
        self.0.listeners.emit(SessionEvent::SessionInfoChanged { name }).await;
        result.map_err(Into::into)
    }
}
