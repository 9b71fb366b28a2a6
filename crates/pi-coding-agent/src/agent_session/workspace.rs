//! What a session has for its working directory: tools, system prompt, resources, a shell for the user's own commands.
//!
//! A session that moves to another directory is furnished anew.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pi_agent_core::{Tool, ToolSet};
use time::Date;

use super::session_env::SessionFacts;
use super::tool_catalog::{ExtensionTool, ToolCatalog};
use crate::config::settings::SettingsManager;
use crate::host::temp_file_registry;
use crate::resources::prompt::{ListedResources, PromptResources, SystemPrompt, ToolPrompt};
use crate::tools::{BashRunner, ToolOptions, ToolSelection, WrapTool};

/// What workspaces are made by.
pub(crate) struct WorkspaceFactory {
    pub(crate) settings: Arc<SettingsManager>,
    pub(crate) agent_dir: PathBuf,
    pub(crate) date: Date,
    pub(crate) selection: ToolSelection,
    pub(crate) configure_tools: Arc<dyn Fn(ToolOptions) -> ToolOptions + Send + Sync>,
    pub(crate) custom_tools: Vec<Arc<dyn Tool>>,
    pub(crate) wrap_tool: Arc<WrapTool>,
    /// The directory in which the session began, and whether the project there is trusted.
    pub(crate) origin: (PathBuf, bool),
    /// Whether the project in another directory is.
    pub(crate) trusts: Arc<TrustDecision>,
    /// What commands of the model are told of the session.
    pub(crate) facts: SessionFacts,
    /// Told what is wrong with settings.
    pub(crate) warn: Arc<dyn Fn(&str) + Send + Sync>,
}

/// Says whether the project in a directory is trusted. May read files.
pub type TrustDecision = dyn Fn(&Path) -> bool + Send + Sync;

/// Everything that depends on the working directory.
pub(crate) struct DirectoryState {
    pub(crate) resources: Arc<PromptResources>,
    /// The tools that there are.
    pub(crate) toolbox: ToolCatalog,
    /// The active ones among them, as the agent knows them.
    pub(crate) tools: ToolSet,
    pub(crate) system_prompt: Arc<str>,
    /// Runs the user's own commands.
    pub(crate) shell: Arc<BashRunner>,
}

impl WorkspaceFactory {
    /// The workspace in another directory, whose project's settings count from now on. A decision about one project says
    /// nothing about another.
    pub(crate) fn move_to(&self, cwd: &Path, from: &PromptResources, extensions: &[ExtensionTool]) -> DirectoryState {
        let trusted = if cwd == self.origin.0 { self.origin.1 } else { (self.trusts)(cwd) };
        self.settings.move_to(cwd, trusted);
        self.settings.drain_problems().iter().for_each(|problem| (self.warn)(&problem.to_string()));
        let resources = from.moved_to(cwd, trusted).with_listed(ListedResources::of_settings(&self.settings));
        self.furnish(cwd, resources, extensions).0
    }

    /// The workspace in `cwd`, and names of the selection that no tool has. Reads the resources that the system prompt
    /// names.
    pub(crate) fn furnish(
        &self,
        cwd: &Path,
        resources: PromptResources,
        extensions: &[ExtensionTool],
    ) -> (DirectoryState, Vec<String>) {
        let (toolbox, unknown) = self.toolbox(cwd, extensions);
        let system_prompt = self.system_prompt(&resources, &toolbox);
        // The user's own commands are not the session's.
        let shell = Arc::new(BashRunner::new(&ToolOptions { session_env: None, ..self.tool_options(cwd) }));
        let tools = toolbox.tool_set();
        let workspace = DirectoryState { resources: Arc::new(resources), toolbox, tools, system_prompt, shell };
        (workspace, unknown)
    }

    /// The tools in `cwd`, and names of the selection that no tool has.
    pub(crate) fn toolbox(&self, cwd: &Path, extensions: &[ExtensionTool]) -> (ToolCatalog, Vec<String>) {
        let options = self.tool_options(cwd);
        let lists = self.settings.tools().default_tools();
        let (mut toolbox, unknown) =
            ToolCatalog::choose(&self.selection, &lists, &self.custom_tools, extensions, &options);
        toolbox.wrap(&*self.wrap_tool);
        (toolbox, unknown)
    }

    /// What the model is told besides the conversation.
    pub(crate) fn system_prompt(&self, resources: &PromptResources, toolbox: &ToolCatalog) -> Arc<str> {
        system_prompt(resources, &toolbox.active_prompts(), self.date, &resources.places().cwd).into()
    }

    fn tool_options(&self, cwd: &Path) -> ToolOptions {
        let options = tool_options(&self.settings, &self.agent_dir, cwd);
        (self.configure_tools)(ToolOptions { session_env: Some(self.facts.env()), ..options })
    }
}

/// How the built-in tools work in a directory by the settings: those of a session, or of a program that calls them itself.
pub fn tool_options(settings: &SettingsManager, agent_dir: &Path, cwd: &Path) -> ToolOptions {
    temp_file_registry::keep_in(agent_dir);
    ToolOptions {
        auto_resize_images: settings.tools().images().auto_resize,
        shell_path: settings.tools().shell_path().map(Into::into),
        shell_command_prefix: settings.tools().shell_command_prefix(),
        max_concurrent_commands: settings.tools().max_concurrent_commands(),
        command_log_max_bytes: settings.tools().command_log_max_bytes(),
        agent_bin_dir: Some(agent_dir.join("bin")),
        command_env: vec![("PI_CODING_AGENT".into(), "true".into()), ("AI_AGENT".into(), "pi".into())],
        ..ToolOptions::builder().cwd(cwd).build()
    }
}

fn system_prompt(resources: &PromptResources, tools: &[ToolPrompt], date: Date, cwd: &Path) -> String {
    let files = resources.prompt_files();
    SystemPrompt {
        custom: files.custom.as_deref(),
        append: &files.append,
        tools,
        context_files: &resources.context_files().items,
        skills: &resources.skills().items,
        docs: None,
        docs_command: resources.docs_command(),
        date,
        cwd,
    }
    .build()
}
