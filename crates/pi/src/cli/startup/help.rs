//! What extensions add to the help.

use std::sync::Arc;

use super::Startup;
use crate::cli::grammar::scan::CommandLine;
use pi_coding_agent::extension::Extension;

/// What extensions have to do with the help.
#[derive(Debug, Default)]
pub(in crate::cli) struct HelpOfExtensions {
    /// The part of the help about their options.
    pub(in crate::cli) text: String,
    /// The names of their options, without dashes.
    pub(in crate::cli) flags: Vec<String>,
    /// Options of the command line that nobody knows, with dashes.
    pub(in crate::cli) unknown_flags: Vec<String>,
}

/// The part of the help about options of extensions. Those of a project that is not trusted are not among them, and what
/// cannot be loaded has none.
pub(in crate::cli) fn help_of_extensions(line: CommandLine, extensions: Vec<Arc<dyn Extension>>) -> HelpOfExtensions {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let (Ok(runtime), Ok(mut start)) = (runtime, Startup::for_help(line, extensions)) else {
        return HelpOfExtensions::default();
    };
    let cwd = start.paths.cwd().to_owned();
    runtime.block_on(async {
        // Nobody is asked, so nobody ends it.
        let _ = start.ask_trust(&cwd).await;
        start.load_extensions(&cwd).await;
    });
    HelpOfExtensions {
        text: start.extensions.help(),
        flags: start.extensions.flag_names(),
        unknown_flags: start.unknown_flags(),
    }
}
