//! The session file of a session, for programs that read or change it beside the session.

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::Value;

use super::{Inner, lock};
use crate::events::Error;
use crate::session::SessionManager;

/// The session file: [`AgentSession::store`](super::AgentSession::store).
#[derive(Debug, Clone, Copy)]
pub struct StoreHandle<'a>(pub(super) &'a Arc<Inner>);

impl StoreHandle<'_> {
    /// Looks at the session file's manager. Do not call back into the session from `look`.
    pub fn read<R>(self, look: impl FnOnce(&SessionManager) -> R) -> R {
        look(&lock(&self.0.manager))
    }

    /// Lets `act` work on the session file. The session waits meanwhile; `act` must not call it.
    pub fn edit<R>(self, act: impl FnOnce(&mut SessionManager) -> R) -> R {
        act(&mut lock(&self.0.manager))
    }

    /// Looks at a copy of the session, off the runtime, so that a big file holds up nobody.
    ///
    /// # Errors
    /// Those of `look`, and when the file cannot be opened.
    pub(crate) async fn read_copy<T: Send + 'static>(
        self,
        look: impl FnOnce(&SessionManager) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        blocking(self.0, |session| session.with_copy(look)).await
    }

    /// Stores data of an extension in the session file; the model does not see it. Returns the id of the entry.
    ///
    /// # Errors
    /// Those of [`Append::custom_entry`](crate::session::Append::custom_entry).
    pub fn append_custom_entry(self, custom_type: &str, data: Option<Value>) -> Result<String, Error> {
        lock(&self.0.manager).append().custom_entry(custom_type, data).map_err(Into::into)
    }

    /// Why something that was said could not be stored; to be asked when the session is closed.
    pub fn failure(self) -> Option<String> {
        self.0.unstored()
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

/// The session's file, also before it exists; `None` for a session in memory.
pub(super) fn session_file(session: &Inner) -> Option<PathBuf> {
    lock(&session.manager).session_file().map(Into::into)
}
