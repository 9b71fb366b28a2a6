//! What extensions may ask of their session, one trait per topic. The session implements them; nothing here knows how.
//!
//! [`Connection`] leads to the session as long as it lives: extensions must not keep it alive.

use std::any::Any;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use futures::future::BoxFuture;
use pi_ai::{Model, ThinkingLevel, UserContent};
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use super::command_context::{NewSessionOptions, ReplacementOptions};
use super::context::CompactOptions;
use super::options::SendMessageOptions;
use crate::config::models::{ModelChoice, ModelRegistry, ProviderChange};
use crate::events::{
    ContextUsage, Error, ExtensionError, ForkPosition, NavigateOptions, NavigateOutcome, Replacement,
    StreamingBehavior, ToolSummary,
};
use crate::resources::prompt::{SlashCommand, SystemPromptOptions};
use crate::session::{CustomMessageContent, SessionManager};

/// The way to a session; `None` once it is gone.
pub(crate) type Connection = dyn Fn() -> Option<Arc<dyn ConnectedSession>> + Send + Sync;

/// A session that extensions are connected with.
pub(crate) trait ConnectedSession:
    SessionEntries + SessionRuns + SessionMessages + SessionModels + SessionTools + SessionNavigation + Any
{
    /// Whether the user trusts the project, or has nothing to decide about it.
    fn is_project_trusted(&self) -> bool;

    /// Tells the session's listeners about a failure.
    fn report(&self, error: ExtensionError) -> BoxFuture<'_, ()>;

    /// The session itself, for code that knows its type.
    fn into_any(self: Arc<Self>) -> Arc<dyn Any + Send + Sync>;
}

/// Its entries and its name.
pub(crate) trait SessionEntries: Send + Sync {
    /// Its directory.
    fn cwd(&self) -> PathBuf;

    /// Calls `look` once, with the entries.
    fn look(&self, look: &mut dyn FnMut(&SessionManager));

    /// Stores data that the model does not see. Returns the id of the entry.
    ///
    /// # Errors
    /// When it cannot be stored.
    fn append_entry(&self, custom_type: &str, data: Option<Value>) -> Result<String, Error>;

    /// Sets or clears the label of an entry.
    ///
    /// # Errors
    /// When there is no such entry, or the label cannot be stored.
    fn label(&self, entry_id: &str, label: Option<&str>) -> Result<(), Error>;

    /// Its name.
    fn name(&self) -> Option<String>;

    /// Names it.
    ///
    /// # Errors
    /// When the name cannot be stored.
    fn rename<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<(), Error>>;
}

/// Runs and compactions.
pub(crate) trait SessionRuns: Send + Sync {
    /// Whether a run is in progress.
    fn is_running(&self) -> bool;

    /// Waits until none is.
    fn idle(&self) -> BoxFuture<'_, ()>;

    /// Fires when the run is aborted; `None` when there is none.
    fn run_signal(&self) -> Option<CancellationToken>;

    /// Asks the run to stop, without waiting for that.
    fn abort_run(&self);

    /// Number of the user's prompts that wait.
    fn waiting_prompts(&self) -> usize;

    /// How full the model's context is; `None` when its size is not known.
    fn usage(&self) -> Option<ContextUsage>;

    /// Compacts the history in the background.
    fn start_compaction(&self, options: CompactOptions);
}

/// Messages and prompts.
pub(crate) trait SessionMessages: Send + Sync {
    /// Puts a message into the conversation, and waits for the run that it starts.
    ///
    /// # Errors
    /// When the session is closed.
    fn send(&self, message: CustomMessageContent, options: SendMessageOptions) -> BoxFuture<'_, Result<(), Error>>;

    /// The same without waiting for the run.
    ///
    /// # Errors
    /// When the session is closed.
    fn post(&self, message: CustomMessageContent, options: SendMessageOptions) -> BoxFuture<'_, Result<(), Error>>;

    /// Sends a prompt in the user's name, and waits for its run.
    ///
    /// # Errors
    /// Those of a prompt.
    fn send_prompt(
        &self,
        content: UserContent,
        deliver_as: Option<StreamingBehavior>,
    ) -> BoxFuture<'_, Result<(), Error>>;

    /// The same in the background; failures are reported.
    fn post_prompt(&self, content: UserContent, deliver_as: Option<StreamingBehavior>);
}

/// Models and providers.
pub(crate) trait SessionModels: Send + Sync {
    /// Models and their keys.
    fn registry(&self) -> Arc<ModelRegistry>;

    /// The model in force.
    fn current_model(&self) -> Arc<Model>;

    /// Selects a model.
    ///
    /// # Errors
    /// When there is no such model, or no key for it.
    fn select_model(&self, model: ModelChoice) -> BoxFuture<'_, Result<(), Error>>;

    /// The thinking level in force.
    fn current_level(&self) -> ThinkingLevel;

    /// Selects a thinking level, or the nearest that the model has.
    fn select_level(&self, level: ThinkingLevel) -> BoxFuture<'_, ()>;

    /// Takes up what an extension registers or takes back.
    ///
    /// # Errors
    /// When the registration is inconsistent.
    fn provider_changed(&self, change: ProviderChange) -> Result<(), Error>;
}

/// Tools, commands and the system prompt.
pub(crate) trait SessionTools: Send + Sync {
    /// Names of the active tools.
    fn active(&self) -> Vec<String>;

    /// All tools that the user's choice leaves.
    fn tools(&self) -> Vec<ToolSummary>;

    /// Chooses the active tools.
    fn activate(&self, names: &[String]);

    /// Takes up tools that were registered meanwhile.
    fn tools_changed(&self);

    /// The servers of MCP that extensions have registered.
    fn mcp_servers(&self) -> Map<String, Value>;

    /// What the user can call with a slash.
    fn slash_commands(&self) -> Vec<SlashCommand>;

    /// The system prompt in force.
    fn prompt_in_force(&self) -> Arc<str>;

    /// What the usual system prompt is made of.
    fn prompt_parts(&self) -> Arc<SystemPromptOptions>;
}

/// Going to another session, or to another place in this one.
pub(crate) trait SessionNavigation: Send + Sync {
    /// To a new session.
    ///
    /// # Errors
    /// When it cannot be made; this session then stays.
    fn begin_new(&self, options: NewSessionOptions) -> BoxFuture<'_, Result<Replacement, Error>>;

    /// To a copy of a branch.
    ///
    /// # Errors
    /// When there is no such entry, or the copy cannot be made.
    fn fork_at<'a>(
        &'a self,
        entry_id: &'a str,
        position: ForkPosition,
        options: ReplacementOptions,
    ) -> BoxFuture<'a, Result<Replacement, Error>>;

    /// To the session in a file.
    ///
    /// # Errors
    /// When it cannot be opened; this session then stays.
    fn switch_to<'a>(
        &'a self,
        file: &'a Path,
        options: ReplacementOptions,
    ) -> BoxFuture<'a, Result<Replacement, Error>>;

    /// To another place in the tree.
    ///
    /// # Errors
    /// When there is no such place, or what is left cannot be summarised.
    fn navigate<'a>(
        &'a self,
        target_id: &'a str,
        options: NavigateOptions,
    ) -> BoxFuture<'a, Result<NavigateOutcome, Error>>;

    /// Reads settings, resources and extensions anew.
    ///
    /// # Errors
    /// When the session is closed, or something cannot be read.
    fn reread(&self) -> BoxFuture<'_, Result<(), Error>>;
}
