//! The session as its extensions see it: the traits of `extension::session`, and the way back to the handle.

use std::any::Any;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;
use pi_ai::{Model, ThinkingLevel, UserContent};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::agent_session::{AgentSession, Inner};
use crate::config::models::{ModelChoice, ModelRegistry, ProviderChange};
use crate::config::trust::trust_subjects;
use crate::events::{
    ContextUsage, Error, ExtensionCallError, ExtensionError, ForkPosition, NavigateOptions, NavigateOutcome,
    Replacement, StreamingBehavior, ToolSummary,
};
use crate::extension::events::SystemPromptOptions;
use crate::extension::{
    CompactOptions, ConnectedSession, Connection, ExtensionContext, ExtensionRuntime, NewSessionOptions,
    ReplacementOptions, SendMessageOptions, SessionEntries, SessionMessages, SessionModels, SessionNavigation,
    SessionRuns, SessionTools,
};
use crate::resources::prompt::SlashCommand;
use crate::session::{CustomMessageContent, SessionManager};

/// The way to a session that does not keep it alive.
pub(in crate::agent_session) fn connection(session: &Arc<Inner>) -> Arc<Connection> {
    let session = Arc::downgrade(session);
    Arc::new(move || session.upgrade().map(|session| Arc::new(AgentSession(session)) as Arc<dyn ConnectedSession>))
}

impl ExtensionRuntime {
    /// The session.
    ///
    /// # Errors
    /// [`ExtensionCallError::NotReady`](crate::ExtensionCallError) before it began,
    /// [`ExtensionCallError::Stale`](crate::ExtensionCallError) after it was replaced.
    pub fn session(&self) -> Result<AgentSession, Error> {
        let session = self.connected()?.into_any().downcast::<AgentSession>();
        // Nothing else is ever connected.
        session.map(|session| AgentSession::clone(&session)).map_err(|_| ExtensionCallError::NotReady.into())
    }
}

impl ExtensionContext {
    /// The whole session, for what is not here.
    ///
    /// # Errors
    /// [`ExtensionCallError::NotReady`](crate::ExtensionCallError) before the session began,
    /// [`ExtensionCallError::Stale`](crate::ExtensionCallError) after it was replaced. The same holds for every method of
    /// this type with an error.
    pub fn session(&self) -> Result<AgentSession, Error> {
        self.runtime().session()
    }
}

impl ConnectedSession for AgentSession {
    fn is_project_trusted(&self) -> bool {
        let resources = self.resources();
        let places = resources.places();
        let is_nothing = || trust_subjects(&places.cwd, places.home.as_deref()).is_empty();
        places.trusted || (!self.settings().refuses_projects() && is_nothing())
    }

    fn report(&self, error: ExtensionError) -> BoxFuture<'_, ()> {
        self.emit_extension_error(error).boxed()
    }

    fn into_any(self: Arc<Self>) -> Arc<dyn Any + Send + Sync> {
        self
    }
}

impl SessionEntries for AgentSession {
    fn cwd(&self) -> PathBuf {
        self.with_manager(|manager| manager.cwd().to_owned())
    }

    fn look(&self, look: &mut dyn FnMut(&SessionManager)) {
        self.with_manager(look);
    }

    fn append_entry(&self, custom_type: &str, data: Option<Value>) -> Result<String, Error> {
        self.append_custom_entry(custom_type, data)
    }

    fn label(&self, entry_id: &str, label: Option<&str>) -> Result<(), Error> {
        self.set_label(entry_id, label)
    }

    fn name(&self) -> Option<String> {
        self.session_name()
    }

    fn rename<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<(), Error>> {
        self.set_session_name(name).boxed()
    }
}

impl SessionRuns for AgentSession {
    fn is_running(&self) -> bool {
        self.is_streaming()
    }

    fn idle(&self) -> BoxFuture<'_, ()> {
        self.wait_for_idle().boxed()
    }

    fn run_signal(&self) -> Option<CancellationToken> {
        self.cancellation()
    }

    fn abort_run(&self) {
        self.request_abort();
    }

    fn waiting_prompts(&self) -> usize {
        self.pending_message_count()
    }

    fn usage(&self) -> Option<ContextUsage> {
        self.context_usage()
    }

    fn start_compaction(&self, options: CompactOptions) {
        self.compact_in_background(options.custom_instructions, options.on_done);
    }
}

impl SessionMessages for AgentSession {
    fn send(&self, message: CustomMessageContent, options: SendMessageOptions) -> BoxFuture<'_, Result<(), Error>> {
        self.send_custom_message(message, options).boxed()
    }

    fn post(&self, message: CustomMessageContent, options: SendMessageOptions) -> BoxFuture<'_, Result<(), Error>> {
        self.send_custom_message_in_background(message, options).boxed()
    }

    fn send_prompt(
        &self,
        content: UserContent,
        deliver_as: Option<StreamingBehavior>,
    ) -> BoxFuture<'_, Result<(), Error>> {
        self.send_user_message(content, deliver_as).boxed()
    }

    fn post_prompt(&self, content: UserContent, deliver_as: Option<StreamingBehavior>) {
        self.send_user_message_in_background(content, deliver_as);
    }
}

impl SessionModels for AgentSession {
    fn registry(&self) -> Arc<ModelRegistry> {
        Arc::clone(self.models())
    }

    fn current_model(&self) -> Arc<Model> {
        self.model()
    }

    fn select_model(&self, model: ModelChoice) -> BoxFuture<'_, Result<(), Error>> {
        self.set_model(model).boxed()
    }

    fn current_level(&self) -> ThinkingLevel {
        self.thinking_level()
    }

    fn select_level(&self, level: ThinkingLevel) -> BoxFuture<'_, ()> {
        self.set_thinking_level(level).boxed()
    }

    fn provider_changed(&self, change: ProviderChange) -> Result<(), Error> {
        self.change_provider(change)
    }
}

impl SessionTools for AgentSession {
    fn active(&self) -> Vec<String> {
        self.active_tool_names()
    }

    fn tools(&self) -> Vec<ToolSummary> {
        self.all_tools()
    }

    fn activate(&self, names: &[String]) {
        self.set_active_tools(names);
    }

    fn tools_changed(&self) {
        self.refresh_tools();
    }

    fn slash_commands(&self) -> Vec<SlashCommand> {
        self.commands()
    }

    fn prompt_in_force(&self) -> Arc<str> {
        self.system_prompt()
    }

    fn prompt_parts(&self) -> Arc<SystemPromptOptions> {
        self.system_prompt_options()
    }
}

impl SessionNavigation for AgentSession {
    fn begin_new(&self, options: NewSessionOptions) -> BoxFuture<'_, Result<Replacement, Error>> {
        self.new_session_with(options).boxed()
    }

    fn fork_at<'a>(
        &'a self,
        entry_id: &'a str,
        position: ForkPosition,
        options: ReplacementOptions,
    ) -> BoxFuture<'a, Result<Replacement, Error>> {
        self.fork_with(entry_id, position, options).boxed()
    }

    fn switch_to<'a>(
        &'a self,
        file: &'a Path,
        options: ReplacementOptions,
    ) -> BoxFuture<'a, Result<Replacement, Error>> {
        self.switch_session_with(file, options).boxed()
    }

    fn navigate<'a>(
        &'a self,
        target_id: &'a str,
        options: NavigateOptions,
    ) -> BoxFuture<'a, Result<NavigateOutcome, Error>> {
        self.navigate_tree(target_id, options).boxed()
    }

    fn reread(&self) -> BoxFuture<'_, Result<(), Error>> {
        self.reload().boxed()
    }
}
