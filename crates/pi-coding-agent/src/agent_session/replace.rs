//! Beginning anew: the same agent and settings with an empty session.
//!
//! What is going on is stopped and stored first; the old session's file is closed and stays as it is.

use std::path::PathBuf;

use super::start::record_start;
use super::{AgentSession, lock, recorder};
use crate::error::Error;

impl AgentSession {
    /// Leaves this conversation for a new, empty one of the same working directory, with the model and thinking level
    /// that the program was asked for, else the defaults. Queued messages are dropped.
    ///
    /// `parent_session` is named in the new file as the one that this continues.
    ///
    /// # Errors
    /// When the new session cannot be made; the old one then stays, idle.
    pub async fn new_session(&self, parent_session: Option<PathBuf>) -> Result<(), Error> {
        let session = &*self.0;
        session.compaction.cancel();
        session.prompting.clear();
        session.agent.clear_queues();
        self.abort().await;
        session.compaction.idle().await;
        recorder::flush(session).await;
        let mut successor = lock(&session.manager).successor(parent_session)?;
        session.apis.cleanup_session_resources(Some(&self.session_id()));
        let start = session.choice.resolve(&session.models, &session.settings, None);
        record_start(&mut successor, &start.model, start.thinking_level)?;
        let id = successor.session_id().to_owned();
        *lock(&session.manager) = successor;
        session.agent.reset();
        session.agent.set_model(start.model);
        session.agent.set_thinking_level(start.thinking_level);
        session.agent.edit_stream_options(|options| options.session_id = Some(id));
        Ok(())
    }
}
