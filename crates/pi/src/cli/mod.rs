//! The command line: arguments, start-up, input assembly, exit codes.
//!
//! # Layout
//! `words` tells commands from prompts, `commands` knows the commands and the table of everything; `near` recognises typing
//! errors. `args` declares the options, `scan` reads them, `mode` picks the way to run, `startup` resolves everything else and hands over to `modes`. `sessions` and
//! `scope` choose the session and the models, `input` and `attach` make the first prompt, `network` opens cassettes,
//! `extensions` loads what the program brings and what lies in files, `migrations` takes over what older versions left,
//! `export` makes pages, `diagnostics` collects complaints. `session_command` is all of `pi session`, `doctor` of
//! `pi doctor`; `auth`, `models`, `trust`, `docs` and `help` are the commands of these names, `generate` makes completions (with `completion_values`) and manual
//! pages, `packages` is `pi install` and its kin. `script_files` is how extensions in files
//! are loaded, `parsed` what scripts see of the grammar. `screen`, `terminal` and `usage` are how commands talk, `interrupt` is how
//! they end, `version` is what `--version` prints. `anyhow` stays out: every failure is a sentence.

mod args;
mod attach;
mod auth;
mod commands;
mod completion_values;
mod diagnostics;
pub(crate) mod docs;
mod doctor;
mod error;
mod export;
mod extensions;
mod generate;
mod help;
mod input;
mod interrupt;
mod limits;
mod listing;
mod migrations;
mod missing_cwd;
mod mode;
mod models;
mod near;
mod network;
mod packages;
#[cfg(feature = "typescript")]
mod parsed;
mod resume;
mod scan;
mod scope;
mod screen;
mod script_files;
mod session_command;
mod sessions;
mod startup;
mod terminal;
mod trust;
mod usage;
mod version;
mod words;

use std::io::{self, Write};
use std::sync::Arc;

pub use args::Args;
pub use scan::{CommandLine, UnknownFlag, scan};

use pi_coding_agent::extension::Extension;
use pi_coding_agent::host::unfinished;

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
    unfinished::finish();
    code
}

fn run_line(argv: impl IntoIterator<Item = String>, extensions: Vec<Arc<dyn Extension>>) -> u8 {
    let argv: Vec<String> = argv.into_iter().collect();
    if let Some((command, argv)) = words::command_of(&argv) {
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
        return help::of_program(line, extensions);
    }
    if let Some(code) = words::refuse_single_word(&line) {
        return code;
    }
    startup::run(line, extensions)
}

/// Prints a text; a reader that went away is not an error.
fn print(text: &str) -> u8 {
    match io::stdout().write_all(text.as_bytes()).and_then(|()| io::stdout().flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            diagnostics::complain(&format!("Error: cannot write to standard output: {error}"));
            1
        }
        _ => 0,
    }
}
