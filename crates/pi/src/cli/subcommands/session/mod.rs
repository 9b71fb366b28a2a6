//! `pi session …`: sessions for people and scripts, without settings, models or a session of its own.
//!
//! # Layout
//! `args` declares the commands, `places` finds files; `doctor`, `show`, `tree`,
//! `ls`, `search`, `remove` and `transfer` are the commands; `branches` draws the tree.

mod args;
mod branches;
mod doctor;
mod ls;
mod places;
mod remove;
mod search;
mod show;
mod transfer;
mod tree;

use std::io;

use self::args::Command;
pub(in crate::cli) use self::args::SessionArgs;
use self::places::Places;
use crate::cli::console::diagnostics::complain;
use crate::cli::console::screen::{self, Screen};
use crate::cli::console::usage::parse;
use pi_coding_agent::{Error, export, session};

/// Why a command did not get to its end.
#[derive(Debug)]
enum Failure {
    /// A sentence that names the thing and the way out.
    Said(String),
    /// Standard output does not take what is written.
    Output(io::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Said(error.to_string())
    }
}

impl From<export::Error> for Failure {
    fn from(error: export::Error) -> Self {
        Self::Said(error.to_string())
    }
}

impl From<session::Error> for Failure {
    fn from(error: session::Error) -> Self {
        Self::Said(error.to_string())
    }
}

/// Runs a command; `argv` is what stands behind `pi session`. Returns the exit code.
pub(in crate::cli) fn run(argv: impl IntoIterator<Item = String>) -> u8 {
    let args: SessionArgs = match parse("session", argv) {
        Ok(args) => args,
        Err(code) => return code,
    };
    let mut screen = Screen::stdout(args.json);
    let code = Places::of_process(args.session_dir.as_deref()).and_then(|places| {
        let code = run_command(args.command, &places, &mut screen)?;
        screen.finish()?;
        Ok(code)
    });
    match code {
        Ok(code) => code,
        // Whoever reads has seen enough.
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => 0,
        Err(Failure::Output(error)) => fail(&format!("cannot write to standard output: {error}")),
        Err(Failure::Said(message)) => {
            // What was printed before belongs before the complaint.
            let _ = screen.finish();
            fail(&message)
        }
    }
}

fn run_command(command: Command, places: &Places, screen: &mut Screen) -> Result<u8, Failure> {
    match command {
        Command::Ls { all } => ls::run(all, places, screen),
        Command::Show { file, branch, entry } => show::run(&file, branch.as_deref(), entry.as_deref(), places, screen),
        Command::Tree { file } => tree::run(&file, places, screen),
        Command::Search { query, all } => search::run(&query.join(" "), all, places, screen),
        Command::Doctor { file, repair } => doctor::run(&file, repair.as_ref().map(Option::as_deref), places, screen),
        Command::Export { file, out } => transfer::export(&file, out.as_deref(), places, screen),
        Command::Rm { files, older_than, yes } => {
            let removal = remove::Removal { files: &files, older_than: older_than.as_deref(), yes };
            remove::run(&removal, places, screen)
        }
        Command::Import { file } => transfer::import(&file, places, screen),
    }
}

fn fail(message: &str) -> u8 {
    complain(&format!("Error: {}", screen::plain(message)));
    1
}
