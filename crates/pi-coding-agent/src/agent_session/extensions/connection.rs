//! The session as its extensions see it: the traits of `extension::session`, and the way back to the handle.

use std::any::Any;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;
use pi_ai::{Model, ThinkingLevel, UserContent};
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use super::tools::refresh_tools;
use super::{emit_extension_error, entries};
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
    Arc::new(move || {
        session.upgrade().map(|session| Arc::new(Connected(AgentSession(session))) as Arc<dyn ConnectedSession>)
    })
}

/// A session as its extensions see it.
struct Connected(AgentSession);

impl ExtensionRuntime {
    /// The session.
    ///
    /// # Errors
    /// [`ExtensionCallError::NotReady`](crate::ExtensionCallError) before it began,
    /// [`ExtensionCallError::Stale`](crate::ExtensionCallError) after it was replaced.
    pub fn session(&self) -> Result<AgentSession, Error> {
        let session = self.connected()?.into_any().downcast::<Connected>();
        // Nothing else is ever connected.
        session.map(|session| session.0.clone()).map_err(|_| ExtensionCallError::NotReady.into())
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

impl ConnectedSession for Connected {
    fn is_project_trusted(&self) -> bool {
        let resources = self.0.resources();
        let places = resources.places();
        let is_nothing = || trust_subjects(&places.cwd, places.home.as_deref()).is_empty();
        places.trusted || (!self.0.settings().refuses_projects() && is_nothing())
    }

    fn report(&self, error: ExtensionError) -> BoxFuture<'_, ()> {
        emit_extension_error(&self.0.0, error).boxed()
    }

    fn into_any(self: Arc<Self>) -> Arc<dyn Any + Send + Sync> {
        self
    }
}

impl SessionEntries for Connected {
    fn cwd(&self) -> PathBuf {
        self.0.store().read(|manager| manager.cwd().to_owned())
    }

    fn look(&self, look: &mut dyn FnMut(&SessionManager)) {
        self.0.store().read(look);
    }

    fn append_entry(&self, custom_type: &str, data: Option<Value>) -> Result<String, Error> {
        entries::append(&self.0.0, custom_type, data)
    }

    fn label(&self, entry_id: &str, label: Option<&str>) -> Result<(), Error> {
        self.0.tree().set_label(entry_id, label)
    }

    fn name(&self) -> Option<String> {
        self.0.name().get()
    }

    fn rename<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<(), Error>> {
        self.0.name().set(name).boxed()
    }
}

impl SessionRuns for Connected {
    fn is_running(&self) -> bool {
        self.0.is_streaming()
    }

    fn idle(&self) -> BoxFuture<'_, ()> {
        self.0.wait_for_idle().boxed()
    }

    fn run_signal(&self) -> Option<CancellationToken> {
        self.0.agent().cancellation()
    }

    fn abort_run(&self) {
        self.0.request_abort();
    }

    fn waiting_prompts(&self) -> usize {
        self.0.queue().count()
    }

    fn usage(&self) -> Option<ContextUsage> {
        self.0.stats().context_usage()
    }

    fn start_compaction(&self, options: CompactOptions) {
        self.0.compaction().run_in_background(options.custom_instructions, options.on_done);
    }
}

impl SessionMessages for Connected {
    fn send(&self, message: CustomMessageContent, options: SendMessageOptions) -> BoxFuture<'_, Result<(), Error>> {
        self.0.queue().send_custom_message(message, options).boxed()
    }

    fn post(&self, message: CustomMessageContent, options: SendMessageOptions) -> BoxFuture<'_, Result<(), Error>> {
        self.0.queue().send_custom_message_in_background(message, options).boxed()
    }

    fn send_prompt(
        &self,
        content: UserContent,
        deliver_as: Option<StreamingBehavior>,
    ) -> BoxFuture<'_, Result<(), Error>> {
        self.0.queue().send_user_message(content, deliver_as).boxed()
    }

    fn post_prompt(&self, content: UserContent, deliver_as: Option<StreamingBehavior>) {
        self.0.queue().send_user_message_in_background(content, deliver_as);
    }
}

impl SessionModels for Connected {
    fn registry(&self) -> Arc<ModelRegistry> {
        Arc::clone(self.0.models().registry())
    }

    fn current_model(&self) -> Arc<Model> {
        self.0.model()
    }

    fn select_model(&self, model: ModelChoice) -> BoxFuture<'_, Result<(), Error>> {
        self.0.models().set(model).boxed()
    }

    fn current_level(&self) -> ThinkingLevel {
        self.0.thinking().level()
    }

    fn select_level(&self, level: ThinkingLevel) -> BoxFuture<'_, ()> {
        self.0.thinking().set(level).boxed()
    }

    fn provider_changed(&self, change: ProviderChange) -> Result<(), Error> {
        self.0.models().change_provider(change)
    }
}

impl SessionTools for Connected {
    fn active(&self) -> Vec<String> {
        self.0.tools().active()
    }

    fn tools(&self) -> Vec<ToolSummary> {
        self.0.tools().all()
    }

    fn activate(&self, names: &[String]) {
        self.0.tools().set_active(names);
    }

    fn tools_changed(&self) {
        refresh_tools(&self.0.0);
    }

    fn mcp_servers(&self) -> Map<String, Value> {
        self.0.extensions().runner().mcp_servers()
    }

    fn slash_commands(&self) -> Vec<SlashCommand> {
        self.0.extensions().slash_commands()
    }

    fn prompt_in_force(&self) -> Arc<str> {
        self.0.system_prompt()
    }

    fn prompt_parts(&self) -> Arc<SystemPromptOptions> {
        self.0.extensions().system_prompt_options()
    }
}

impl SessionNavigation for Connected {
    fn begin_new(&self, options: NewSessionOptions) -> BoxFuture<'_, Result<Replacement, Error>> {
        self.0.switch().to_new_with(options).boxed()
    }

    fn fork_at<'a>(
        &'a self,
        entry_id: &'a str,
        position: ForkPosition,
        options: ReplacementOptions,
    ) -> BoxFuture<'a, Result<Replacement, Error>> {
        self.0.tree().fork_with(entry_id, position, options).boxed()
    }

    fn switch_to<'a>(
        &'a self,
        file: &'a Path,
        options: ReplacementOptions,
    ) -> BoxFuture<'a, Result<Replacement, Error>> {
        self.0.switch().to_with(file, options).boxed()
    }

    fn navigate<'a>(
        &'a self,
        target_id: &'a str,
        options: NavigateOptions,
    ) -> BoxFuture<'a, Result<NavigateOutcome, Error>> {
        self.0.tree().navigate(target_id, options).boxed()
    }

    fn reread(&self) -> BoxFuture<'_, Result<(), Error>> {
        self.0.reload().boxed()
    }
}
