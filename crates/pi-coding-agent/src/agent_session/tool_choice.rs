//! Which tools are active when a session begins: the built-in ones of the setting `defaultTools` and all others, changed by
//! the user's choice.

use super::tool_catalog::ListedTool;
use crate::tools::{BuiltinTool, ToolChange, ToolSelection, is_meant, is_pattern};

/// What is active by default.
pub(super) struct DefaultTools {
    /// Built-in ones, in order.
    builtin: Vec<String>,
    /// What is done to these and to the tools of extensions and of the program.
    changes: Vec<ToolChange>,
}

impl DefaultTools {
    /// By lists of the setting, the user's before the project's. A list with a plain name, or an empty one, takes the place
    /// of what came before; one of `+name` and `-name` alone changes it.
    pub(super) fn new(selection: &ToolSelection, lists: &[Vec<String>]) -> Self {
        let mut tools =
            Self { builtin: BuiltinTool::CODING.iter().map(|tool| tool.name().to_owned()).collect(), changes: vec![] };
        let lists = if selection.no_builtin { &[] } else { lists };
        for list in lists {
            let changes: Vec<ToolChange> = list.iter().filter_map(|entry| ToolChange::parse(entry)).collect();
            if changes.is_empty() || changes.len() < list.len() {
                let plain = list.iter().filter(|entry| ToolChange::parse(entry).is_none());
                tools = Self { builtin: plain.cloned().collect(), changes: vec![] };
            }
            tools.changes.extend(changes);
        }
        if selection.no_builtin {
            tools.builtin.clear();
        }
        tools.changes.extend(selection.changes.iter().cloned());
        tools
    }

    /// Names of the active ones among these, in the order in which the model is told of them.
    pub(super) fn among(&self, listed: &[ListedTool]) -> Vec<String> {
        let named = self.builtin.iter().flat_map(|entry| meant(listed, entry));
        let others = listed.iter().filter(|tool| !tool.is_builtin()).map(ListedTool::name);
        let mut active: Vec<&str> = named.chain(others).collect();
        for change in &self.changes {
            match change {
                ToolChange::Add(entry) => active.extend(meant(listed, entry)),
                ToolChange::Remove(entry) => active.retain(|name| !is_meant(entry, name)),
            }
        }
        active.into_iter().map(ToOwned::to_owned).collect()
    }

    /// All entries.
    pub(super) fn entries(&self) -> impl Iterator<Item = &str> {
        self.builtin.iter().map(String::as_str).chain(self.changes.iter().map(ToolChange::name))
    }
}

/// Names of the tools that an entry means.
pub(super) fn meant<'a>(listed: &'a [ListedTool], entry: &'a str) -> impl Iterator<Item = &'a str> {
    listed.iter().map(ListedTool::name).filter(move |name| is_meant(entry, name))
}

/// Entries that no tool has as its name, each once; patterns may mean none.
pub(super) fn unknown<'a>(listed: &[ListedTool], entries: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut unknown: Vec<String> = Vec::new();
    for entry in entries.filter(|entry| !is_pattern(entry)) {
        if meant(listed, entry).next().is_none() && !unknown.iter().any(|name| name == entry) {
            unknown.push(entry.to_owned());
        }
    }
    unknown
}
