//! The command line: arguments, start-up, input assembly, exit codes.
//!
//! # Layout
//! `args` declares the options, `scan` reads them, `mode` picks the way to run, `startup` resolves everything else and
//! hands over to `modes`. `sessions` and `scope` choose the session and the models, `input` and `attach` make the first
//! prompt, `network` opens cassettes, `extensions` loads what the program brings, `export` makes pages, `diagnostics` collects complaints. `session_command` is all of
//! `pi session`. `anyhow` stays out: every failure is a sentence.

mod args;
mod attach;
mod diagnostics;
mod export;
mod extensions;
mod input;
mod listing;
mod mode;
mod network;
mod scan;
mod scope;
mod session_command;
mod sessions;
mod startup;

use std::io::{self, Write};
use std::sync::Arc;

pub use args::Args;
pub use scan::{CommandLine, UnknownFlag, scan};

use crate::extension::Extension;

use clap::CommandFactory;

/// The first argument that is a command and no message.
const SESSION_COMMAND: &str = "session";

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
/// let code = pi_coding_agent::cli::run_with(std::env::args().skip(1), vec![hello]);
/// std::process::exit(code.into());
/// ```
pub fn run_with(argv: impl IntoIterator<Item = String>, extensions: Vec<Arc<dyn Extension>>) -> u8 {
    let mut argv = argv.into_iter().peekable();
    if argv.next_if(|first| first == SESSION_COMMAND).is_some() {
        return session_command::run(argv);
    }
    let line = scan(argv);
    if !line.errors.is_empty() {
        line.errors.iter().for_each(|error| diagnostics::complain(&format!("Error: {error}")));
        return 1;
    }
    if line.args.version {
        return print(concat!(env!("CARGO_PKG_VERSION"), "\n"));
    }
    if let Some(file) = &line.args.export {
        return export::run(file, &line.args);
    }
    if line.args.help {
        return print(&format!("{}{}", Args::command().render_help(), extensions::help(&extensions)));
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
