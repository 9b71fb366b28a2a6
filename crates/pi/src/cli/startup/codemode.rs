//! The tool `codemode`: an extension of the program where the choice of tools names it, and given to the servers of MCP.

#[cfg(all(feature = "typescript", feature = "mcp"))]
pub(super) use with_scripts::tool;
#[cfg(feature = "typescript")]
pub(super) use with_scripts::{add, is_name};

/// Without a script engine there is no such tool.
#[cfg(not(feature = "typescript"))]
pub(super) fn add(_: &mut super::Startup) {}

/// Without a script engine there is no such tool.
#[cfg(not(feature = "typescript"))]
pub(super) fn is_name(_: &str) -> bool {
    false
}

/// Without a script engine there is no such tool.
#[cfg(all(feature = "mcp", not(feature = "typescript")))]
pub(super) fn tool() -> Option<std::sync::Arc<dyn pi_agent_core::Tool>> {
    None
}

#[cfg(feature = "typescript")]
mod with_scripts {
    use std::sync::Arc;

    use futures::FutureExt;
    use futures::future::BoxFuture;
    use pi_codemode::{CodeMode, NAME};
    use pi_coding_agent::extension::{Extension, ExtensionApi, HandlerError, ToolRegistration};

    use crate::cli::startup::Startup;

    const EXTENSION: &str = "<codemode>";

    /// Gives a session the tool.
    #[derive(Debug)]
    struct CodeModeExtension;

    impl Extension for CodeModeExtension {
        fn name(&self) -> &str {
            EXTENSION
        }

        fn activate(&self, pi: ExtensionApi) -> BoxFuture<'_, Result<(), HandlerError>> {
            pi.register_tool(ToolRegistration::new(CodeMode));
            futures::future::ready(Ok(())).boxed()
        }
    }

    /// Adds the extension, once, if the options or the settings name the tool.
    pub(in crate::cli::startup) fn add(start: &mut Startup) {
        let is_there = || start.extensions.of_program().iter().any(|extension| extension.name() == EXTENSION);
        if is_named(start) && !is_there() {
            start.extensions.add(Arc::new(CodeModeExtension));
        }
    }

    /// The tool, for whoever gives it to a session.
    #[cfg(feature = "mcp")]
    pub(in crate::cli::startup) fn tool() -> Option<Arc<dyn pi_agent_core::Tool>> {
        Some(Arc::new(CodeMode))
    }

    /// Whether the tool is called so.
    pub(in crate::cli::startup) fn is_name(name: &str) -> bool {
        name == NAME
    }

    fn is_named(start: &Startup) -> bool {
        let is_it = |entry: &str| is_name(entry.trim().trim_start_matches('+'));
        let on_line = start.line.args.tools.iter().flat_map(|list| list.split(',')).any(is_it);
        on_line || start.settings.tools().default_tools().iter().flatten().any(|entry| is_it(entry))
    }
}
