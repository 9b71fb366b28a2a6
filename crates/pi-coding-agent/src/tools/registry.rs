//! The built-in tools by name: order, groups, what the system prompt says of them, how to create them.

use std::sync::Arc;

use pi_agent_core::Tool;

use super::BuiltinTool;
use super::options::ToolOptions;

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

/// Declares the built-in tools: of each the variant, the type and what the system prompt says of it. The rows stand in
/// `mod.rs`, beside the modules, so that a new tool changes one file besides its own.
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
            pub fn info(self) -> &'static $crate::tools::ToolInfo {
                match self {
                    $(Self::$variant => const { &$info },)*
                }
            }

            /// A tool with these options.
            pub fn create(self, options: &$crate::tools::ToolOptions) -> ::std::sync::Arc<dyn ::pi_agent_core::Tool> {
                match self {
                    $(Self::$variant => ::std::sync::Arc::new(<$tool>::new(options)),)*
                }
            }
        }
    };
}

pub(super) use builtin_tools;

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
