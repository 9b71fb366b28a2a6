//! What handlers are given: the session as it is at that moment, and the way to its user.

use std::path::PathBuf;
use std::sync::Arc;

use futures::future::BoxFuture;
use pi_ai::Model;
use serde::Serialize;
use tokio_util::sync::CancellationToken;

use super::runtime::ExtensionRuntime;
use super::session::ConnectedSession;
use super::ui::ExtensionUi;
use crate::config::models::ModelRegistry;
use crate::events::{CompactionOutcome, ContextUsage, Error, ExtensionCallError};
use crate::session::SessionManager;

/// Where a session is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// On a terminal.
    Tui,
    /// To a client of the protocol.
    Rpc,
    /// As a stream of events.
    Json,
    /// As the answer alone.
    Print,
}

/// The session, for handlers. Clones are cheap.
#[derive(Clone, Debug)]
pub struct ExtensionContext {
    pub(super) runtime: Arc<ExtensionRuntime>,
}

/// Is told what came of a compaction.
pub(crate) type CompactedFn = dyn FnOnce(Result<CompactionOutcome, Error>) -> BoxFuture<'static, ()> + Send;

/// How a compaction is asked for.
#[derive(Default)]
pub struct CompactOptions {
    /// What the summary should heed.
    pub custom_instructions: Option<String>,
    /// Called with what came of it.
    pub on_done: Option<Box<CompactedFn>>,
}

impl std::fmt::Debug for CompactOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CompactOptions").field("custom_instructions", &self.custom_instructions).finish_non_exhaustive()
    }
}

impl ExtensionContext {
    /// Of the extensions of this runtime.
    pub fn new(runtime: Arc<ExtensionRuntime>) -> Self {
        Self { runtime }
    }

    /// What all extensions of the session share.
    pub(crate) fn runtime(&self) -> &ExtensionRuntime {
        &self.runtime
    }

    pub(super) fn connected(&self) -> Result<Arc<dyn ConnectedSession>, Error> {
        self.runtime.connected()
    }

    /// The user.
    pub fn ui(&self) -> Arc<dyn ExtensionUi> {
        self.runtime.ui()
    }

    /// Where the session is shown.
    pub fn mode(&self) -> Mode {
        self.runtime.mode()
    }

    /// Whether there is a user who can answer.
    pub fn has_ui(&self) -> bool {
        self.runtime.ui().is_available()
    }

    /// The session's directory.
    ///
    /// # Errors
    /// As [`Self::session`].
    pub fn cwd(&self) -> Result<PathBuf, Error> {
        self.runtime.cwd()
    }

    /// Looks at the session's entries. Do not call back into the session from `look`.
    ///
    /// # Errors
    /// As [`Self::session`].
    pub fn with_manager<R>(&self, look: impl FnOnce(&SessionManager) -> R) -> Result<R, Error> {
        let (mut look, mut found) = (Some(look), None);
        self.connected()?.look(&mut |manager| found = look.take().map(|look| look(manager)));
        // It was called, so there is an answer.
        found.ok_or(ExtensionCallError::NotReady.into())
    }

    /// Models and their keys.
    ///
    /// # Errors
    /// As [`Self::session`].
    pub fn models(&self) -> Result<Arc<ModelRegistry>, Error> {
        Ok(self.connected()?.registry())
    }

    /// The model in force; its identity is `unknown` when none is selected.
    ///
    /// # Errors
    /// As [`Self::session`].
    pub fn model(&self) -> Result<Arc<Model>, Error> {
        Ok(self.connected()?.current_model())
    }

    /// Whether no run is in progress.
    ///
    /// # Errors
    /// As [`Self::session`].
    pub fn is_idle(&self) -> Result<bool, Error> {
        Ok(!self.connected()?.is_running())
    }

    /// Whether the user trusts the project, or it has nothing for which that matters and they did not say no for this
    /// run.
    ///
    /// # Errors
    /// As [`Self::session`].
    pub fn is_project_trusted(&self) -> Result<bool, Error> {
        Ok(self.connected()?.is_project_trusted())
    }

    /// Fires when the run is aborted; `None` when there is none.
    ///
    /// # Errors
    /// As [`Self::session`].
    pub fn signal(&self) -> Result<Option<CancellationToken>, Error> {
        Ok(self.connected()?.run_signal())
    }

    /// Asks the run to stop. Does not wait: a handler of that run would wait for itself.
    ///
    /// # Errors
    /// As [`Self::session`].
    pub fn abort(&self) -> Result<(), Error> {
        self.connected()?.abort_run();
        Ok(())
    }

    /// Whether prompts of the user wait for their turn.
    ///
    /// # Errors
    /// As [`Self::session`].
    pub fn has_pending_messages(&self) -> Result<bool, Error> {
        Ok(self.connected()?.waiting_prompts() > 0)
    }

    /// Asks the program to end, where the mode allows that.
    pub fn shutdown(&self) {
        self.runtime.request_shutdown();
    }

    /// How full the model's context is; `None` when its size is not known.
    ///
    /// # Errors
    /// As [`Self::session`].
    pub fn context_usage(&self) -> Result<Option<ContextUsage>, Error> {
        Ok(self.connected()?.usage())
    }

    /// Compacts the session, in the background.
    ///
    /// # Errors
    /// As [`Self::session`].
    pub fn compact(&self, options: CompactOptions) -> Result<(), Error> {
        self.connected()?.start_compaction(options);
        Ok(())
    }

    /// The system prompt in force.
    ///
    /// # Errors
    /// As [`Self::session`].
    pub fn system_prompt(&self) -> Result<Arc<str>, Error> {
        Ok(self.connected()?.prompt_in_force())
    }
}

/// What handlers of `project_trust` are given: there is no session yet.
#[derive(Clone)]
pub struct TrustContext {
    /// The directory.
    pub cwd: PathBuf,
    /// Where the session will be shown.
    pub mode: Mode,
    /// The user.
    pub ui: Arc<dyn ExtensionUi>,
}

impl std::fmt::Debug for TrustContext {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TrustContext").field("cwd", &self.cwd).field("mode", &self.mode).finish_non_exhaustive()
    }
}
