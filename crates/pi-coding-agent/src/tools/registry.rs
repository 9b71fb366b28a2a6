//! The built-in tools by name: order, groups, what the system prompt says of them, how to create them.

use std::sync::Arc;

use pi_agent_core::Tool;

use super::bash::BashTool;
use super::edit::EditTool;
use super::find::FindTool;
use super::grep::GrepTool;
use super::ls::LsTool;
use super::options::ToolOptions;
use super::read::ReadTool;
use super::write::WriteTool;

/// A built-in tool. The order is that in which tools are sent to the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BuiltinTool {
    /// Reads text files and images.
    Read,
    /// Runs shell commands.
    Bash,
    /// Replaces text in a file.
    Edit,
    /// Creates and overwrites files.
    Write,
    /// Searches the content of files.
    Grep,
    /// Finds files by name.
    Find,
    /// Lists directories.
    Ls,
}

/// What the system prompt says of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ToolInfo {
    /// Name that the model calls.
    pub name: &'static str,
    /// One line for the list of tools.
    pub snippet: &'static str,
    /// Rules for its use.
    pub guidelines: &'static [&'static str],
}

/// No built-in tool has this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("Unknown tool name: {0}")]
pub struct UnknownToolError(
    /// The name.
    pub String,
);

impl BuiltinTool {
    /// All of them.
    pub const ALL: &[Self] = &[Self::Read, Self::Bash, Self::Edit, Self::Write, Self::Grep, Self::Find, Self::Ls];
    /// Those that are active by default, for working on code.
    pub const CODING: &[Self] = &[Self::Read, Self::Bash, Self::Edit, Self::Write];
    /// Those that change nothing.
    pub const READ_ONLY: &[Self] = &[Self::Read, Self::Grep, Self::Find, Self::Ls];

    /// The tool of this name.
    ///
    /// # Errors
    /// When there is none.
    pub fn from_name(name: &str) -> Result<Self, UnknownToolError> {
        let found = Self::ALL.iter().find(|tool| tool.name() == name);
        found.copied().ok_or_else(|| UnknownToolError(name.to_owned()))
    }

    /// Name that the model calls.
    pub fn name(self) -> &'static str {
        self.info().name
    }

    /// What the system prompt says of the tool.
    pub fn info(self) -> &'static ToolInfo {
        match self {
            Self::Read => &READ,
            Self::Bash => &BASH,
            Self::Edit => &EDIT,
            Self::Write => &WRITE,
            Self::Grep => &GREP,
            Self::Find => &FIND,
            Self::Ls => &LS,
        }
    }

    /// A tool with these options.
    pub fn create(self, options: &ToolOptions) -> Arc<dyn Tool> {
        match self {
            Self::Read => Arc::new(ReadTool::new(options)),
            Self::Bash => Arc::new(BashTool::new(options)),
            Self::Edit => Arc::new(EditTool::new(options)),
            Self::Write => Arc::new(WriteTool::new(options)),
            Self::Grep => Arc::new(GrepTool::new(options)),
            Self::Find => Arc::new(FindTool::new(options)),
            Self::Ls => Arc::new(LsTool::new(options)),
        }
    }
}

/// Creates the built-in tool of this name.
///
/// # Errors
/// When there is none.
#[doc(alias = "createToolDefinition")]
pub fn create_tool(name: &str, options: &ToolOptions) -> Result<Arc<dyn Tool>, UnknownToolError> {
    BuiltinTool::from_name(name).map(|tool| tool.create(options))
}

/// Creates several built-in tools, for example [`BuiltinTool::CODING`].
#[doc(alias = "createCodingTools")]
pub fn create_tools(tools: &[BuiltinTool], options: &ToolOptions) -> Vec<Arc<dyn Tool>> {
    tools.iter().map(|tool| tool.create(options)).collect()
}

const READ: ToolInfo = ToolInfo {
    name: "read",
    snippet: "Look at the content of files",
    guidelines: &["To look at a file, use read rather than cat or sed."],
};

const BASH: ToolInfo =
    ToolInfo { name: "bash", snippet: "Run shell commands, such as ls, grep and find", guidelines: &[] };

const EDIT: ToolInfo = ToolInfo {
    name: "edit",
    snippet: "Change exact pieces of a file, also several separate ones in one call",
    guidelines: &[
        "In edit, every oldText has to match the file exactly.",
        "To change several places of one file, make one edit call with several entries in edits.",
        "All entries of an edit call are matched against the original file. Entries that overlap or touch the same \
         lines belong into one entry.",
        "Keep each oldText as short as it can be while still occurring only once in the file.",
    ],
};

const WRITE: ToolInfo = ToolInfo {
    name: "write",
    snippet: "Create files or replace them whole",
    guidelines: &["Use write for new files and complete rewrites only."],
};

const GREP: ToolInfo = ToolInfo {
    name: "grep",
    snippet: "Search the content of files, leaving out what .gitignore names",
    guidelines: &[],
};

const FIND: ToolInfo =
    ToolInfo { name: "find", snippet: "Find files by glob, leaving out what .gitignore names", guidelines: &[] };

const LS: ToolInfo = ToolInfo { name: "ls", snippet: "List the entries of a directory", guidelines: &[] };
