//! Which tools a session has, by name.

use std::sync::Arc;

use pi_agent_core::Tool;

use super::BuiltinTool;

/// Puts something around a tool, or in its place; the name must stay.
pub type WrapTool = dyn Fn(Arc<dyn Tool>) -> Arc<dyn Tool> + Send + Sync;

/// Which tools the model may use. By default `read`, `bash`, `edit` and `write`, or what the setting `defaultTools` has in
/// their place, and all tools of the program. Each entry is a name, or a pattern in which `*` stands for any characters.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ToolSelection {
    /// Exactly these, also such as are not active by default.
    pub allow: Option<Vec<String>>,
    /// Never these.
    pub exclude: Vec<String>,
    /// No built-in ones.
    pub no_builtin: bool,
    /// Changes to what is active by default, in order. Without effect where `allow` names tools.
    pub changes: Vec<ToolChange>,
}

/// One change to the tools that are active by default.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ToolChange {
    /// Also this one: `+name`.
    Add(String),
    /// Not this one: `-name`.
    Remove(String),
}

impl ToolChange {
    /// Reads `+name` and `-name`; `None` for a plain name.
    pub fn parse(entry: &str) -> Option<Self> {
        let added = entry.strip_prefix('+').map(|name| Self::Add(name.trim().to_owned()));
        added.or_else(|| entry.strip_prefix('-').map(|name| Self::Remove(name.trim().to_owned())))
    }

    /// The name or pattern.
    pub fn name(&self) -> &str {
        match self {
            Self::Add(name) | Self::Remove(name) => name,
        }
    }
}

/// Whether a name is the one that an entry means: `*` stands for any characters.
pub(crate) fn is_meant(entry: &str, name: &str) -> bool {
    let Some((start, rest)) = entry.split_once('*') else { return entry == name };
    let Some(name) = name.strip_prefix(start) else { return false };
    if rest.is_empty() {
        true
    } else {
        name.char_indices().map(|(at, _)| &name[at..]).chain([""]).any(|tail| is_meant(rest, tail))
    }
}

/// Whether an entry is a pattern, which may mean no tool at all.
pub(crate) fn is_pattern(entry: &str) -> bool {
    entry.contains('*')
}

impl ToolSelection {
    /// Exactly these, in this order.
    pub fn only<N: Into<String>>(names: impl IntoIterator<Item = N>) -> Self {
        Self { allow: Some(names.into_iter().map(Into::into).collect()), ..Self::default() }
    }

    /// Those that change nothing: `read`, `grep`, `find` and `ls`, and none of the program's own.
    pub fn read_only() -> Self {
        Self::only(BuiltinTool::READ_ONLY.iter().map(|tool| tool.name()))
    }

    /// None at all.
    pub fn none() -> Self {
        Self::only(Vec::<String>::new())
    }

    /// The program's own alone.
    pub fn custom_only() -> Self {
        Self { no_builtin: true, ..Self::default() }
    }

    /// The same without these.
    #[must_use]
    pub fn without<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.exclude.extend(names.into_iter().map(Into::into));
        self
    }

    /// The same with these, too, where they are not active by default.
    #[must_use]
    pub fn with<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.changes.extend(names.into_iter().map(|name| ToolChange::Add(name.into())));
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sessions know these names without knowing tools.
    #[test]
    fn calls_of_tools_that_change_nothing_are_not_noted() {
        for tool in BuiltinTool::ALL {
            let reads = BuiltinTool::READ_ONLY.contains(tool);
            assert_eq!(crate::session::only_reads(tool.name()), reads, "{}", tool.name());
        }
    }

    #[test]
    fn a_star_stands_for_any_characters() {
        for (entry, name, expected) in [
            ("read", "read", true),
            ("read", "reader", false),
            ("*", "read", true),
            ("mcp__*", "mcp__git__log", true),
            ("mcp__*", "mcp_", false),
            ("*log", "mcp__git__log", true),
            ("mcp__*__log", "mcp__git__log", true),
            ("mcp__*__log", "mcp__git__logs", false),
            ("a*b*c", "abbc", true),
            ("a*b*c", "acb", false),
            ("*ä*", "xäy", true),
        ] {
            assert_eq!(is_meant(entry, name), expected, "{entry} {name}");
        }
    }
}
