//! What tools and commands there are, and which tools the model may use.

use std::sync::Arc;

use pi_ai::ToolDefinition;

use super::ExtensionsHandle;
use crate::agent_session::Inner;
use crate::agent_session::tool_catalog::{ExtensionTool, ListedTool};
use crate::events::ToolSummary;
use crate::extension::events::SystemPromptOptions;
use crate::extension::{ExtensionRunner, ToolRenderer};
use crate::resources::prompt::{CommandSource, SlashCommand};

/// Tools of a session: [`AgentSession::tools`](crate::agent_session::AgentSession::tools).
#[derive(Debug, Clone, Copy)]
pub struct ToolsHandle<'a>(pub(in crate::agent_session) &'a Arc<Inner>);

impl ToolsHandle<'_> {
    /// Names of the tools that the model may use, in order.
    #[doc(alias = "getActiveToolNames")]
    pub fn active(self) -> Vec<String> {
        self.0.place.workspace().toolbox.active().to_vec()
    }

    /// All tools that the user's choice leaves, active or not.
    #[doc(alias = "getAllTools")]
    pub fn all(self) -> Vec<ToolSummary> {
        self.0.place.workspace().toolbox.listed().iter().map(summary).collect()
    }

    /// Chooses the tools that the model may use, in this order, from its next call on; unknown names are left out. The
    /// system prompt follows.
    #[doc(alias = "setActiveToolsByName")]
    pub fn set_active(self, names: &[String]) {
        self.0.place.workspace().toolbox.set_active(names);
        self.0.place.apply(self.0.run.agent());
    }

    /// How calls of a tool are drawn, if an extension says so, and whether in a box.
    pub fn renderer(self, name: &str) -> Option<(Arc<ToolRenderer>, bool)> {
        let workspace = self.0.place.workspace();
        let tool = workspace.toolbox.listed().iter().find(|tool| tool.name() == name)?;
        Some((tool.renderer.clone()?, tool.is_boxed))
    }

    /// What the model is told of one tool; `None` when it may not use a tool of this name.
    pub fn definition(self, name: &str) -> Option<Arc<ToolDefinition>> {
        self.0.run.agent().with_state(|state| state.tools.get(name).map(|tool| Arc::clone(tool.definition())))
    }

    /// Keeps `prompt`, which must be the same text, in place of the session's own copy.
    pub(crate) fn share_system_prompt(self, prompt: Arc<str>) {
        self.0.place.workspace().system_prompt = Arc::clone(&prompt);
        self.0.run.agent().set_system_prompt(prompt);
    }
}

impl ExtensionsHandle<'_> {
    /// What the user can call with a slash: commands of extensions, prompt templates, skills.
    pub fn slash_commands(self) -> Vec<SlashCommand> {
        let extensions = self.0.extensions.runner().commands().into_iter().map(|resolved| SlashCommand {
            name: resolved.invocation_name,
            description: resolved.command.description,
            source: CommandSource::Extension,
            source_info: resolved.source_info,
        });
        extensions.chain(self.0.place.resources().commands()).collect()
    }

    /// What the usual system prompt is made of.
    pub fn system_prompt_options(self) -> Arc<SystemPromptOptions> {
        self.0.place.system_prompt_options()
    }
}

/// Takes up what extensions have registered meanwhile. New tools are active at once; the system prompt follows.
pub(super) fn refresh_tools(session: &Inner) {
    let tools = tools_of_extensions(session);
    let mut workspace = session.place.workspace();
    let cwd = workspace.resources.places().cwd.clone();
    let mut toolbox = session.place.furnishing().toolbox(&cwd, &tools).0;
    toolbox.keep_active(&workspace.toolbox);
    workspace.toolbox = toolbox;
    drop(workspace);
    session.place.apply(session.run.agent());
}

/// The tools of a session's extensions, in order.
pub(in crate::agent_session) fn tools_of_extensions(session: &Inner) -> Vec<ExtensionTool> {
    extension_tools(&session.extensions.runner())
}

/// The tools of all extensions, in order.
pub(crate) fn extension_tools(runner: &ExtensionRunner) -> Vec<ExtensionTool> {
    let of = |extension: &Arc<crate::extension::LoadedExtension>| -> Vec<ExtensionTool> {
        extension.tools().into_iter().map(|tool| (tool, extension.source_info().clone())).collect()
    };
    runner.extensions().iter().flat_map(of).collect()
}

fn summary(listed: &ListedTool) -> ToolSummary {
    let definition = listed.tool.definition();
    ToolSummary {
        name: definition.name.clone(),
        description: definition.description.clone(),
        parameters: definition.parameters.clone(),
        prompt_guidelines: listed.prompt.guidelines.clone(),
        source_info: (*listed.source_info).clone(),
    }
}
