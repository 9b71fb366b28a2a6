//! Where a session works: its directory with resources and tools, the settings, the models that it can choose from.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

use pi_agent_core::Agent;

use super::tool_catalog::ExtensionTool;
use super::{DirectoryState, StartingChoice, StartingModel, WorkspaceFactory, lock};
use crate::config::models::{ModelRegistry, ScopedModel};
use crate::config::settings::SettingsManager;
use crate::events::Error;
use crate::extension::events::SystemPromptOptions;
use crate::resources::prompt::PromptResources;
use crate::session::{SessionContext, SessionManager};

/// What a user configures.
pub(crate) struct SessionEnvironment {
    settings: Arc<SettingsManager>,
    models: Arc<ModelRegistry>,
    /// What the program was asked for when it started.
    choice: StartingChoice,
    furnishing: WorkspaceFactory,
    /// What depends on the working directory.
    workspace: Mutex<DirectoryState>,
}

impl SessionEnvironment {
    pub(super) fn new(
        settings: Arc<SettingsManager>,
        models: Arc<ModelRegistry>,
        choice: StartingChoice,
        furnishing: WorkspaceFactory,
        workspace: DirectoryState,
    ) -> Self {
        Self { settings, models, choice, furnishing, workspace: Mutex::new(workspace) }
    }

    /// The settings in force.
    pub(super) fn settings(&self) -> &Arc<SettingsManager> {
        &self.settings
    }

    /// The models that can be chosen from.
    pub(super) fn models(&self) -> &Arc<ModelRegistry> {
        &self.models
    }

    /// What workspaces are made by.
    pub(super) fn furnishing(&self) -> &WorkspaceFactory {
        &self.furnishing
    }

    /// What depends on the working directory, locked.
    pub(super) fn workspace(&self) -> MutexGuard<'_, DirectoryState> {
        lock(&self.workspace)
    }

    /// The models to choose from, locked; none means all.
    pub(super) fn scope(&self) -> MutexGuard<'_, Vec<ScopedModel>> {
        lock(&self.choice.scope)
    }

    /// What the model is told besides the conversation, and what the user can call with a slash.
    pub(super) fn resources(&self) -> Arc<PromptResources> {
        Arc::clone(&self.workspace().resources)
    }

    /// The working directory.
    pub(super) fn cwd(&self) -> PathBuf {
        self.workspace().resources.places().cwd.clone()
    }

    /// Which model and level a session starts with, and what is to be said about that.
    ///
    /// # Errors
    /// When it cannot be written to the session.
    pub(super) fn start(&self, manager: &mut SessionManager, context: &SessionContext) -> Result<StartingModel, Error> {
        self.choice.start(manager, context, &self.models, &self.settings)
    }

    /// The workspace for a session of another directory; `None` when it is the same one.
    pub(super) fn workspace_for(&self, cwd: &Path, tools: &[ExtensionTool]) -> Option<DirectoryState> {
        let resources = self.resources();
        (cwd != resources.places().cwd).then(|| self.furnishing.move_to(cwd, &resources, tools))
    }

    /// Works in another directory from now on, and the agent with it.
    pub(super) fn enter(&self, workspace: DirectoryState, agent: &Agent) {
        agent.set_tools(workspace.tools.clone());
        agent.set_system_prompt(Arc::clone(&workspace.system_prompt));
        *self.workspace() = workspace;
    }

    /// Makes tools and system prompt those of the workspace as it is now, also for the agent.
    pub(super) fn apply(&self, agent: &Agent) {
        let mut workspace = self.workspace();
        workspace.tools = workspace.toolbox.tool_set();
        workspace.system_prompt = self.furnishing.system_prompt(&workspace.resources, &workspace.toolbox);
        agent.set_tools(workspace.tools.clone());
        agent.set_system_prompt(Arc::clone(&workspace.system_prompt));
    }

    /// What the usual system prompt is made of.
    pub(super) fn system_prompt_options(&self) -> Arc<SystemPromptOptions> {
        let workspace = self.workspace();
        let resources = &workspace.resources;
        let files = resources.prompt_files();
        Arc::new(SystemPromptOptions {
            cwd: resources.places().cwd.clone(),
            custom_prompt: files.custom.clone(),
            append_system_prompt: files.append.clone(),
            tools: workspace.toolbox.active_prompts(),
            context_files: resources.context_files().items.clone(),
            skills: resources.skills().items.clone(),
        })
    }
}
