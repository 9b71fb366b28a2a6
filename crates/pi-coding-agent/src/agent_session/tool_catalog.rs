//! The tools of a session: those that exist, and those of them that the model may use.

use std::sync::{Arc, LazyLock};

use pi_agent_core::{Tool, ToolSet};

use super::tool_choice::{DefaultTools, meant, unknown};
use crate::extension::{ToolRegistration, ToolRenderer};
use crate::resources::prompt::{Scope, SourceInfo, SourceOrigin, ToolPrompt};
use crate::session::only_reads;
use crate::tools::{BuiltinTool, ToolOptions, ToolSelection, WrapTool, is_meant};

/// Where built-in tools come from.
const BUILTIN: &str = "builtin";

/// A tool of an extension, and whose it is.
pub(crate) type ExtensionTool = (ToolRegistration, SourceInfo);

/// All tools that the user's choice leaves, and the active ones among them.
#[derive(Debug, Default)]
pub(crate) struct ToolCatalog {
    listed: Vec<ListedTool>,
    /// Names, in the order in which the model is told of them.
    active: Vec<String>,
    /// Those that the settings and the user's choice made active.
    chosen: Vec<String>,
}

/// A tool that exists.
pub(crate) struct ListedTool {
    pub(crate) tool: Arc<dyn Tool>,
    pub(crate) prompt: Arc<ToolPrompt>,
    pub(crate) source_info: Arc<SourceInfo>,
    pub(crate) renderer: Option<Arc<ToolRenderer>>,
    /// Whether the renderer's lines stand in a box.
    pub(crate) is_boxed: bool,
}

impl ListedTool {
    pub(crate) fn name(&self) -> &str {
        &self.tool.definition().name
    }

    /// Whether it is one of ours, and not a replacement.
    pub(super) fn is_builtin(&self) -> bool {
        self.source_info.source == BUILTIN
    }
}

impl std::fmt::Debug for ListedTool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ListedTool").field("name", &self.name()).finish_non_exhaustive()
    }
}

impl ToolCatalog {
    /// The tools by the user's choice and the lists of `defaultTools`, and names in these that no tool has. A tool of the program takes the place of an
    /// extension's of the same name, that of a built-in one; of two extensions the first counts.
    pub(crate) fn choose(
        selection: &ToolSelection,
        default_tools: &[Vec<String>],
        custom: &[Arc<dyn Tool>],
        extensions: &[ExtensionTool],
        options: &ToolOptions,
    ) -> (Self, Vec<String>) {
        let mut listed: Vec<ListedTool> = Vec::new();
        for (builtin, words) in BuiltinTool::ALL.iter().zip(&*BUILTIN_WORDS) {
            listed.push(listed_builtin(*builtin, words, options));
        }
        for (registration, source_info) in extensions.iter().rev() {
            put(&mut listed, listed_extension(registration, source_info));
        }
        for tool in custom {
            put(&mut listed, listed_custom(tool));
        }
        order(&mut listed, extensions, custom);
        let defaults = DefaultTools::new(selection, default_tools);
        let chosen: Vec<&str> = match &selection.allow {
            Some(entries) => entries.iter().map(String::as_str).collect(),
            None => defaults.entries().collect(),
        };
        let unknown = unknown(&listed, chosen.into_iter().chain(selection.exclude.iter().map(String::as_str)));
        listed.retain(|tool| is_allowed(selection, tool.name()));
        let mut active: Vec<String> = match &selection.allow {
            // Who lists tools also orders them.
            Some(entries) => entries.iter().flat_map(|entry| meant(&listed, entry)).map(ToOwned::to_owned).collect(),
            None => defaults.among(&listed),
        };
        let mut seen = std::collections::HashSet::new();
        active.retain(|name| seen.insert(name.clone()));
        (Self { listed, chosen: active.clone(), active }, unknown)
    }

    /// Keeps what was active in `previous`, and activates what did not exist there or was not chosen then.
    pub(crate) fn keep_active(&mut self, previous: &Self) {
        let was_there =
            |name: &String| previous.listed.iter().any(|tool| tool.name() == *name) && previous.chosen.contains(name);
        let exists = |name: &String| self.listed.iter().any(|tool| tool.name() == *name);
        let kept: Vec<String> = previous.active.iter().filter(|name| exists(name)).cloned().collect();
        let new = self.chosen.iter().filter(|name| !was_there(name) && !kept.contains(name)).cloned();
        self.active = kept.iter().cloned().chain(new).collect();
    }

    /// Puts something around every tool.
    pub(crate) fn wrap(&mut self, wrap: &WrapTool) {
        for tool in &mut self.listed {
            tool.tool = wrap(Arc::clone(&tool.tool));
        }
    }

    /// Whether the tool of this name is a built-in one that changes nothing.
    pub(crate) fn only_reads(&self, name: &str) -> bool {
        let is_builtin = |tool: &ListedTool| tool.name() == name && tool.is_builtin();
        only_reads(name) && self.listed.iter().any(is_builtin)
    }

    /// Chooses the active tools; unknown names are left out.
    pub(crate) fn set_active(&mut self, names: &[String]) {
        let mut active: Vec<String> = Vec::with_capacity(names.len());
        for name in names {
            if self.listed.iter().any(|tool| tool.name() == *name) && !active.contains(name) {
                active.push(name.clone());
            }
        }
        self.active = active;
    }

    /// All tools that exist.
    pub(crate) fn listed(&self) -> &[ListedTool] {
        &self.listed
    }

    /// Names of the active tools, in order.
    pub(crate) fn active(&self) -> &[String] {
        &self.active
    }

    fn active_tools(&self) -> impl Iterator<Item = &ListedTool> {
        self.active.iter().filter_map(|name| self.listed.iter().find(|tool| tool.name() == *name))
    }

    /// The active tools, for the agent.
    pub(crate) fn tool_set(&self) -> ToolSet {
        ToolSet::new(self.active_tools().map(|tool| Arc::clone(&tool.tool)))
    }

    /// What the system prompt says of the active tools.
    pub(crate) fn active_prompts(&self) -> Vec<ToolPrompt> {
        self.active_tools().map(|tool| (*tool.prompt).clone()).collect()
    }
}

fn is_allowed(selection: &ToolSelection, name: &str) -> bool {
    let any = |entries: &[String]| entries.iter().any(|entry| is_meant(entry, name));
    selection.allow.as_ref().is_none_or(|allowed| any(allowed)) && !any(&selection.exclude)
}

/// What is put in later takes the place of a tool of the same name.
fn put(listed: &mut Vec<ListedTool>, new: ListedTool) {
    listed.retain(|tool| tool.name() != new.name());
    listed.push(new);
}

/// Built-in tools first, then those of extensions, then those of the program; a replacement stands where the built-in
/// one stood.
fn order(listed: &mut [ListedTool], extensions: &[ExtensionTool], custom: &[Arc<dyn Tool>]) {
    let builtin = |name: &str| BuiltinTool::ALL.iter().position(|tool| tool.name() == name);
    let extension = |name: &str| extensions.iter().position(|(tool, _)| tool.name() == name);
    let own = |name: &str| custom.iter().position(|tool| tool.definition().name == name);
    listed.sort_by_key(|tool| {
        let name = tool.name();
        match (builtin(name), own(name), extension(name)) {
            (Some(place), ..) => (0, place),
            (None, Some(place), _) => (2, place),
            (None, None, place) => (1, place.unwrap_or_default()),
        }
    });
}

/// What is said of the built-in tools, in their order. All sessions share it.
static BUILTIN_WORDS: LazyLock<Vec<(Arc<ToolPrompt>, Arc<SourceInfo>)>> = LazyLock::new(|| {
    let words = BuiltinTool::ALL.iter().map(|builtin| {
        let info = builtin.info();
        let prompt = ToolPrompt {
            name: info.name.to_owned(),
            snippet: Some(info.snippet.to_owned()),
            guidelines: info.guidelines.iter().map(|line| (*line).to_owned()).collect(),
        };
        (Arc::new(prompt), Arc::new(of_program(BUILTIN, info.name)))
    });
    words.collect()
});

fn listed_builtin(
    builtin: BuiltinTool,
    words: &(Arc<ToolPrompt>, Arc<SourceInfo>),
    options: &ToolOptions,
) -> ListedTool {
    let (prompt, source_info) = words.clone();
    ListedTool { tool: builtin.create(options), prompt, source_info, renderer: None, is_boxed: true }
}

fn listed_extension(registration: &ToolRegistration, source_info: &SourceInfo) -> ListedTool {
    let one_line = |text: &String| text.split_whitespace().collect::<Vec<_>>().join(" ");
    ListedTool {
        tool: Arc::clone(&registration.tool),
        prompt: Arc::new(ToolPrompt {
            name: registration.name().to_owned(),
            snippet: registration.prompt_snippet.as_ref().map(one_line),
            guidelines: registration.prompt_guidelines.clone(),
        }),
        source_info: Arc::new(source_info.clone()),
        renderer: registration.renderer.clone(),
        is_boxed: registration.is_boxed,
    }
}

fn listed_custom(tool: &Arc<dyn Tool>) -> ListedTool {
    let name = &tool.definition().name;
    // A replacement of a built-in tool is spoken of as that was.
    let info = BuiltinTool::from_name(name).ok().map(BuiltinTool::info);
    let snippet = info.map(|info| info.snippet.to_owned());
    let guidelines = info.map(|info| info.guidelines.iter().map(|line| (*line).to_owned()).collect());
    ListedTool {
        tool: Arc::clone(tool),
        prompt: Arc::new(ToolPrompt { name: name.clone(), snippet, guidelines: guidelines.unwrap_or_default() }),
        source_info: Arc::new(of_program("sdk", name)),
        renderer: None,
        is_boxed: true,
    }
}

fn of_program(source: &str, name: &str) -> SourceInfo {
    SourceInfo {
        path: format!("<{source}:{name}>"),
        source: source.to_owned(),
        scope: Scope::Temporary,
        origin: SourceOrigin::TopLevel,
        base_dir: None,
    }
}
