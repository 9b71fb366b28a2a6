//! `pi trust`: the user's decision about the project in this directory, kept for later runs.

use std::path::Path;

use clap::Parser;
use pi_ai::SystemClock;

use super::commands;
use super::diagnostics::complain;
use super::screen::plain;
use crate::env::Env;
use crate::paths::Paths;
use crate::settings::SettingsManager;
use crate::trust::{is_project_trusted, remember_trust, stored_entry, trust_subjects};

/// Trusts the project in this directory from now on: its settings, extensions, skills, prompts and themes count.
#[derive(Debug, Parser)]
#[command(name = "pi trust", after_help = AFTER_HELP)]
pub(super) struct TrustArgs {
    /// Forget the decision about this directory
    #[arg(long)]
    undo: bool,
}

const AFTER_HELP: &str = "\
The decision is in trust.json of the configuration directory, and counts for the directories below, too. For one run
only: pi --approve. pi doctor says whether the project is trusted, and why.";

/// Runs the command; `argv` are its arguments. Returns the exit code.
pub(super) fn run(argv: Vec<String>) -> u8 {
    let args: TrustArgs = match commands::parse("trust", argv) {
        Ok(args) => args,
        Err(code) => return code,
    };
    let done = std::env::current_dir()
        .map_err(|error| format!("cannot tell the current directory ({error}): change to one that exists"))
        .and_then(|cwd| {
            let paths = Paths::new(Env::process(), cwd);
            if args.undo { undo(&paths) } else { trust(&paths) }
        });
    match done {
        Ok(text) => super::print(&format!("{}\n", plain(&text))),
        Err(message) => {
            complain(&format!("Error: {}", plain(&message)));
            1
        }
    }
}

fn trust(paths: &Paths) -> Result<String, String> {
    let cwd = paths.cwd();
    remember_trust(paths, cwd, Some(true), &SystemClock).map_err(|error| error.to_string())?;
    let subjects = trust_subjects(cwd, paths.env().home().as_deref());
    let names: Vec<String> = subjects.iter().map(|path| relative(path, cwd)).collect();
    let what = match names.as_slice() {
        [] => "It has nothing that needs trust now; what it gets counts at once.".to_owned(),
        names => format!("These count from now on: {}", names.join(", ")),
    };
    Ok(format!("Trusted: {}\n{what}\nTo take it back: pi trust --undo", cwd.display()))
}

fn undo(paths: &Paths) -> Result<String, String> {
    let cwd = paths.cwd();
    let sentence = |error: crate::error::Error| error.to_string();
    let stored = stored_entry(&paths.trust_file(), cwd).map_err(sentence)?;
    let real = std::fs::canonicalize(cwd).unwrap_or_else(|_| cwd.to_owned());
    let forgotten = stored.as_ref().is_some_and(|(dir, _)| *dir == real);
    if forgotten {
        remember_trust(paths, cwd, None, &SystemClock).map_err(sentence)?;
    }
    let settings = SettingsManager::load(paths, cwd, false, std::sync::Arc::new(SystemClock));
    let trusted = is_project_trusted(None, paths, &settings, cwd).map_err(sentence)?;
    let now = if trusted { "It is still trusted" } else { "It is not trusted" };
    let why = match stored_entry(&paths.trust_file(), cwd).map_err(sentence)? {
        Some((dir, _)) => format!(", as {} says in trust.json: cd there for pi trust --undo", dir.display()),
        None if trusted => ", by the setting defaultProjectTrust".to_owned(),
        None => String::new(),
    };
    let done = if forgotten { "Forgotten: the decision about" } else { "There was no decision about" };
    Ok(format!("{done} {}\n{now}{why}.", cwd.display()))
}

fn relative(path: &Path, cwd: &Path) -> String {
    path.strip_prefix(cwd).unwrap_or(path).display().to_string()
}
