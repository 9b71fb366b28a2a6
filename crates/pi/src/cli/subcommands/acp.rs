//! `pi acp`: an editor on standard input and output. What it does is `--mode acp`.

use std::sync::Arc;

use clap::Parser;

use crate::cli::console::diagnostics::complain;
use crate::cli::console::usage::parse;
use crate::cli::grammar::scan::scan;
use crate::cli::startup;
use pi_coding_agent::extension::Extension;

/// Serves an editor by the Agent Client Protocol, on standard input and output.
#[derive(Debug, Parser)]
#[command(name = "pi acp", after_help = AFTER_HELP)]
pub(in crate::cli) struct AcpArgs {
    /// Options of pi that hold for all sessions: pi --help
    #[arg(value_name = "OPTIONS", trailing_var_arg = true, allow_hyphen_values = true)]
    options: Vec<String>,
}

const AFTER_HELP: &str = "\
The editor starts this command; pi docs acp has the settings of some editors.

Examples:
  pi acp
  pi acp --model anthropic/claude-sonnet-4-5 --thinking high
  pi acp --no-extensions";

/// Runs the command; `argv` are its arguments. Returns the exit code.
pub(in crate::cli) fn run(argv: Vec<String>, extensions: Vec<Arc<dyn Extension>>) -> u8 {
    let args: AcpArgs = match parse("acp", argv) {
        Ok(args) => args,
        Err(code) => return code,
    };
    let line = scan(["--mode", "acp"].map(ToOwned::to_owned).into_iter().chain(args.options));
    if !line.errors.is_empty() {
        line.errors.iter().for_each(|error| complain(&format!("Error: {error}")));
        return 1;
    }
    startup::run(line, extensions)
}
