//! What commands are given beyond other handlers: they may replace the session.

use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use futures::future::BoxFuture;

use super::context::ExtensionContext;
use super::options::SendMessageOptions;
use super::runtime::ExtensionRuntime;
use crate::events::{
    Error, ForkPosition, HandlerError, NavigateOptions, NavigateOutcome, Replacement, StreamingBehavior,
};
use crate::resources::prompt::SystemPromptOptions;
use crate::session::{CustomMessageContent, MissingCwd, SessionManager};

/// Writes the first entries of a new session.
pub type SetupFn = dyn FnOnce(&mut SessionManager) -> Result<(), Error> + Send;

/// Goes on in the session that took the place of the old one.
pub type WithSessionFn = dyn FnOnce(CommandContext) -> BoxFuture<'static, Result<(), HandlerError>> + Send;

/// How a session is replaced by a new one.
#[derive(Default)]
pub struct NewSessionOptions {
    /// The session that the new one continues.
    pub parent_session: Option<PathBuf>,
    /// Writes its first entries, before its extensions begin.
    pub setup: Option<Box<SetupFn>>,
    /// Goes on in it.
    pub with_session: Option<Box<WithSessionFn>>,
}

/// How a session is replaced by one that exists.
#[derive(Default)]
pub struct ReplacementOptions {
    /// Another working directory than the one that the session's file names.
    pub cwd: Option<PathBuf>,
    /// What becomes of a session whose working directory is gone; without it, it is refused.
    pub missing_cwd: Option<MissingCwd>,
    /// Goes on in it.
    pub with_session: Option<Box<WithSessionFn>>,
}

impl std::fmt::Debug for NewSessionOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NewSessionOptions").field("parent_session", &self.parent_session).finish_non_exhaustive()
    }
}

impl std::fmt::Debug for ReplacementOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ReplacementOptions").finish_non_exhaustive()
    }
}

/// The session, for commands.
#[doc(alias = "ExtensionCommandContext")]
#[derive(Clone, Debug)]
pub struct CommandContext(ExtensionContext);

impl Deref for CommandContext {
    type Target = ExtensionContext;

    fn deref(&self) -> &ExtensionContext {
        &self.0
    }
}

impl CommandContext {
    /// The same context with what commands can do.
    pub fn of(context: ExtensionContext) -> Self {
        Self(context)
    }

    pub(crate) fn new(runtime: Arc<ExtensionRuntime>) -> Self {
        Self(ExtensionContext::new(runtime))
    }

    /// What the usual system prompt is made of.
    ///
    /// # Errors
    /// As [`ExtensionContext::session`]; the same holds for all methods of this type.
    pub fn system_prompt_options(&self) -> Result<Arc<SystemPromptOptions>, Error> {
        Ok(self.connected()?.prompt_parts())
    }

    /// Waits until no run is in progress.
    ///
    /// # Errors
    /// As [`ExtensionContext::session`].
    pub async fn wait_for_idle(&self) -> Result<(), Error> {
        self.connected()?.idle().await;
        Ok(())
    }

    /// Goes to a new session. Afterwards this context is stale, unless it was cancelled.
    ///
    /// # Errors
    /// Those of [`SwitchHandle::to_new`](crate::agent_session::SwitchHandle::to_new).
    pub async fn new_session(&self, options: NewSessionOptions) -> Result<Replacement, Error> {
        self.connected()?.begin_new(options).await
    }

    /// Goes to a copy of a branch.
    ///
    /// # Errors
    /// Those of [`TreeHandle::fork`](crate::agent_session::TreeHandle::fork).
    pub async fn fork(
        &self,
        entry_id: &str,
        position: ForkPosition,
        options: ReplacementOptions,
    ) -> Result<Replacement, Error> {
        self.connected()?.fork_at(entry_id, position, options).await
    }

    /// Goes to the session in a file.
    ///
    /// # Errors
    /// Those of [`SwitchHandle::to`](crate::agent_session::SwitchHandle::to).
    pub async fn switch_session(&self, file: &Path, options: ReplacementOptions) -> Result<Replacement, Error> {
        self.connected()?.switch_to(file, options).await
    }

    /// Goes to another place in the session's tree.
    ///
    /// # Errors
    /// Those of [`TreeHandle::navigate`](crate::agent_session::TreeHandle::navigate).
    pub async fn navigate_tree(&self, target_id: &str, options: NavigateOptions) -> Result<NavigateOutcome, Error> {
        self.connected()?.navigate(target_id, options).await
    }

    /// Reads settings, resources and extensions anew.
    ///
    /// # Errors
    /// As [`ExtensionContext::session`].
    pub async fn reload(&self) -> Result<(), Error> {
        self.connected()?.reread().await
    }

    /// Puts a message into the conversation and waits for the run that it starts.
    ///
    /// # Errors
    /// As [`ExtensionContext::session`].
    pub async fn send_message(&self, message: CustomMessageContent, options: SendMessageOptions) -> Result<(), Error> {
        self.connected()?.send(message, options).await
    }

    /// Sends a prompt in the user's name and waits for its run.
    ///
    /// # Errors
    /// Those of [`AgentSession::prompt`](crate::agent_session::AgentSession::prompt).
    pub async fn send_user_message(
        &self,
        content: impl Into<pi_ai::UserContent>,
        deliver_as: Option<StreamingBehavior>,
    ) -> Result<(), Error> {
        self.connected()?.send_prompt(content.into(), deliver_as).await
    }
}
