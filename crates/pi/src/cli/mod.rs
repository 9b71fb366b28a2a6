//! The command line: arguments, start-up, input assembly, exit codes.
//!
//! # Layout
//! Top-down; each knows only those below it:
//!
//! | Module | What is in it |
//! |---|---|
//! | `classify_args` | commands, prompts, and single words that were probably meant as commands |
//! | `commands` | the table of everything that `pi` understands, and what runs each command |
//! | `subcommands` | what `pi COMMAND` does |
//! | `startup` | from a parsed line to a running session, which is handed over to `modes` |
//! | `grammar` | the options, how a line of them is read, typing errors |
//! | `process_env` | clock, ids, environment and directory of the process, made once per command |
//! | `console`, `pages`, `error` | how the program talks; the documentation that it carries; why a session cannot be opened |
//!
//! `anyhow` stays out: every failure is a sentence.

mod classify_args;
mod console;
mod error;
mod grammar;
mod pages;
mod process_env;
mod startup;
mod subcommands;

use std::sync::Arc;

pub use grammar::args::Args;
pub use grammar::scan::{CommandLine, UnknownFlag, scan};

use console::{diagnostics, print};
use subcommands::{export, help, version};

use pi_coding_agent::extension::Extension;
use pi_coding_agent::host::temp_file_registry;

/// Runs the program and returns its exit code.
pub fn run(argv: impl IntoIterator<Item = String>) -> u8 {
    run_with(argv, Vec::new())
}

/// The same with extensions: for programs that are `pi` and something more. What is wrong with an extension ends the
/// program.
///
/// ```no_run
/// use pi_coding_agent::extension::extension_fn;
///
/// let hello = extension_fn("hello", |_pi| async { Ok(()) });
/// let code = pi::cli::run_with(std::env::args().skip(1), vec![hello]);
/// std::process::exit(code.into());
/// ```
pub fn run_with(argv: impl IntoIterator<Item = String>, extensions: Vec<Arc<dyn Extension>>) -> u8 {
    let code = run_line(argv, extensions);
    temp_file_registry::finish();
    code
}

fn run_line(argv: impl IntoIterator<Item = String>, extensions: Vec<Arc<dyn Extension>>) -> u8 {
    let argv: Vec<String> = argv.into_iter().collect();
    if let Some((command, argv)) = classify_args::command_of(&argv) {
        return command.run(argv, extensions);
    }
    let line = scan(argv);
    if !line.errors.is_empty() {
        line.errors.iter().for_each(|error| diagnostics::complain(&format!("Error: {error}")));
        return 1;
    }
    if line.args.version {
        return print(&version::text(line.args.verbose));
    }
    if let Some(file) = &line.args.export {
        return export::run(file, &line.args);
    }
    if line.args.help {
        return help::of_program(line, extensions, subcommands::table());
    }
    if let Some(code) = classify_args::refuse_single_word(&line) {
        return code;
    }
    startup::run(line, extensions)
}
