//! What a session has for its working directory: tools, system prompt, resources, a shell for the user's own commands.
//!
//! A session that moves to another directory is furnished anew.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pi_agent_core::{Tool, ToolSet};
use time::Date;

use crate::prompt::{ListedResources, PromptResources, SystemPrompt, ToolPrompt};
use crate::sdk::ToolSelection;
use crate::settings::SettingsManager;
use crate::tools::{BashRunner, BuiltinTool, ToolOptions};

/// What workspaces are made by.
pub(crate) struct Furnishing {
    pub(crate) settings: Arc<SettingsManager>,
    pub(crate) agent_dir: PathBuf,
    pub(crate) date: Date,
    pub(crate) selection: ToolSelection,
    pub(crate) configure_tools: Arc<dyn Fn(ToolOptions) -> ToolOptions + Send + Sync>,
    pub(crate) custom_tools: Vec<Arc<dyn Tool>>,
    /// The directory in which the session began, and whether the project there is trusted.
    pub(crate) origin: (PathBuf, bool),
    /// Whether the project in another directory is.
    pub(crate) trusts: Arc<TrustDecision>,
    /// Told what is wrong with settings.
    pub(crate) warn: Arc<dyn Fn(&str) + Send + Sync>,
}

/// Says whether the project in a directory is trusted. May read files.
pub type TrustDecision = dyn Fn(&Path) -> bool + Send + Sync;

/// Everything that depends on the working directory.
pub(crate) struct Workspace {
    pub(crate) resources: Arc<PromptResources>,
    pub(crate) tools: ToolSet,
    pub(crate) system_prompt: Arc<str>,
    /// Runs the user's own commands.
    pub(crate) shell: Arc<BashRunner>,
}

impl Furnishing {
    /// The workspace in another directory, whose project's settings count from now on. A decision about one project says
    /// nothing about another.
    pub(crate) fn move_to(&self, cwd: &Path, from: &PromptResources) -> Workspace {
        let trusted = if cwd == self.origin.0 { self.origin.1 } else { (self.trusts)(cwd) };
        self.settings.move_to(cwd, trusted);
        self.settings.drain_problems().iter().for_each(|problem| (self.warn)(&problem.to_string()));
        let resources = from.moved_to(cwd, trusted).with_listed(ListedResources::of_settings(&self.settings));
        self.furnish(cwd, resources).0
    }

    /// The workspace in `cwd`, and names of the selection that no tool has. Reads the resources that the system prompt
    /// names.
    pub(crate) fn furnish(&self, cwd: &Path, resources: PromptResources) -> (Workspace, Vec<String>) {
        let options = (self.configure_tools)(tool_options(&self.settings, &self.agent_dir, cwd));
        let (tools, unknown) = select_tools(&self.selection, &self.custom_tools, &options);
        let system_prompt = system_prompt(&resources, &tools, self.date, cwd).into();
        let shell = Arc::new(BashRunner::new(&options));
        let workspace = Workspace { resources: Arc::new(resources), tools: ToolSet::new(tools), system_prompt, shell };
        (workspace, unknown)
    }
}

/// How the built-in tools work by the settings.
fn tool_options(settings: &SettingsManager, agent_dir: &Path, cwd: &Path) -> ToolOptions {
    ToolOptions {
        auto_resize_images: settings.images().auto_resize,
        shell_path: settings.shell_path().map(Into::into),
        shell_command_prefix: settings.shell_command_prefix(),
        agent_bin_dir: Some(agent_dir.join("bin")),
        command_env: vec![("PI_CODING_AGENT".into(), "true".into())],
        ..ToolOptions::builder().cwd(cwd).build()
    }
}

/// The tools in order, and names that no tool has.
fn select_tools(
    selection: &ToolSelection,
    custom: &[Arc<dyn Tool>],
    options: &ToolOptions,
) -> (Vec<Arc<dyn Tool>>, Vec<String>) {
    let allowed = |name: &str| match &selection.allow {
        Some(names) => names.iter().any(|allowed| allowed == name),
        None => true,
    };
    let builtin = match (&selection.allow, selection.no_builtin) {
        (Some(_), _) => BuiltinTool::ALL,
        (None, true) => &[],
        (None, false) => BuiltinTool::CODING,
    };
    let known: Vec<&str> = BuiltinTool::ALL.iter().map(|tool| tool.name()).collect();
    let is_known =
        |name: &String| known.contains(&name.as_str()) || custom.iter().any(|tool| tool.definition().name == **name);
    let named = selection.allow.iter().flatten().chain(&selection.exclude);
    let unknown = named.filter(|name| !is_known(name)).cloned().collect();
    // A tool of the program's own takes the place of a built-in one of the same name.
    let replaced: Vec<String> = custom.iter().map(|tool| tool.definition().name.clone()).collect();
    let builtin = builtin.iter().filter(|tool| !replaced.iter().any(|name| name == tool.name()));
    let all = builtin.map(|tool| tool.create(options)).chain(custom.iter().cloned());
    let excluded = |name: &str| selection.exclude.iter().any(|excluded| excluded == name);
    let chosen = all.filter(|tool| {
        let name = &tool.definition().name;
        allowed(name) && !excluded(name)
    });
    let mut chosen: Vec<Arc<dyn Tool>> = chosen.collect();
    // Who lists tools also orders them.
    chosen.sort_by_key(|tool| selection.allow.iter().flatten().position(|name| *name == tool.definition().name));
    (chosen, unknown)
}

fn system_prompt(resources: &PromptResources, tools: &[Arc<dyn Tool>], date: Date, cwd: &Path) -> String {
    let tool_prompts: Vec<ToolPrompt> = tools.iter().map(|tool| tool_prompt(&tool.definition().name)).collect();
    let files = resources.prompt_files();
    SystemPrompt {
        custom: files.custom.as_deref(),
        append: &files.append,
        tools: &tool_prompts,
        context_files: &resources.context_files().items,
        skills: &resources.skills().items,
        docs: None,
        date,
        cwd,
    }
    .build()
}

fn tool_prompt(name: &str) -> ToolPrompt {
    let info = BuiltinTool::from_name(name).ok().map(BuiltinTool::info);
    ToolPrompt {
        name: name.to_owned(),
        snippet: info.map(|info| info.snippet.to_owned()),
        guidelines: info
            .map(|info| info.guidelines.iter().map(|line| (*line).to_owned()).collect())
            .unwrap_or_default(),
    }
}
