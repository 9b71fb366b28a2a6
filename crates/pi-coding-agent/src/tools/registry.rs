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

/// Declares the built-in tools: of each the variant, the type and what the system prompt says of it.
macro_rules! builtin_tools {
    ($($(#[$doc:meta])* $variant:ident: $tool:ty, $info:expr;)*) => {
        /// A built-in tool. The order is that in which tools are sent to the model.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum BuiltinTool {
            $($(#[$doc])* $variant,)*
        }

        impl BuiltinTool {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// What the system prompt says of the tool.
            pub fn info(self) -> &'static ToolInfo {
                match self {
                    $(Self::$variant => const { &$info },)*
                }
            }

            /// A tool with these options.
            pub fn create(self, options: &ToolOptions) -> Arc<dyn Tool> {
                match self {
                    $(Self::$variant => Arc::new(<$tool>::new(options)),)*
                }
            }
        }
    };
}

builtin_tools! {
    /// Reads text files and images.
    Read: ReadTool, ToolInfo {
        name: "read",
        snippet: "Look at the content of files",
        guidelines: &["To look at a file, use read rather than cat or sed."],
    };
    /// Runs shell commands.
    Bash: BashTool, ToolInfo { name: "bash", snippet: "Run shell commands, such as ls, grep and find", guidelines: &[] };
    /// Replaces text in a file.
    Edit: EditTool, ToolInfo {
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
    /// Creates and overwrites files.
    Write: WriteTool, ToolInfo {
        name: "write",
        snippet: "Create files or replace them whole",
        guidelines: &["Use write for new files and complete rewrites only."],
    };
    /// Searches the content of files.
    Grep: GrepTool, ToolInfo {
        name: "grep",
        snippet: "Search the content of files, leaving out what .gitignore names",
        guidelines: &[],
    };
    /// Finds files by name.
    Find: FindTool, ToolInfo {
        name: "find",
        snippet: "Find files by glob, leaving out what .gitignore names",
        guidelines: &[],
    };
    /// Lists directories.
    Ls: LsTool, ToolInfo { name: "ls", snippet: "List the entries of a directory", guidelines: &[] };
}

impl BuiltinTool {
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
