//! Which tools a session has, by name.

use crate::tools::BuiltinTool;

/// Which tools the model may use, by name. By default `read`, `bash`, `edit` and `write`, and all tools of the program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ToolSelection {
    /// Exactly these, also such as are not active by default.
    pub allow: Option<Vec<String>>,
    /// Never these.
    pub exclude: Vec<String>,
    /// No built-in ones.
    pub no_builtin: bool,
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
}
