//! `pi trust`: the user's decision about the project in this directory, kept for later runs.

use std::path::Path;

use clap::Parser;

use crate::cli::console::diagnostics::complain;
use crate::cli::console::print;
use crate::cli::console::screen::plain;
use crate::cli::console::usage::parse;
use crate::cli::process_env;
use pi_coding_agent::host::without_links;
use pi_coding_agent::paths::Paths;
use pi_coding_agent::session::SessionHost;
use pi_coding_agent::settings::SettingsManager;
use pi_coding_agent::trust::{is_project_trusted, remember_trust, stored_entry, trust_root, trust_subjects};

/// Trusts the project in this directory from now on: its settings, extensions, skills, prompts and themes count, those of
/// its repository included.
#[derive(Debug, Parser)]
#[command(name = "pi trust", after_help = AFTER_HELP)]
pub(in crate::cli) struct TrustArgs {
    /// Forget the decision about this directory
    #[arg(long)]
    undo: bool,
}

const AFTER_HELP: &str = "\
The decision is in trust.json of the configuration directory, and counts for the directories below, too. For one run
only: pi --approve. pi doctor says whether the project is trusted, and why.";

/// Runs the command; `argv` are its arguments. Returns the exit code.
pub(in crate::cli) fn run(argv: Vec<String>) -> u8 {
    let args: TrustArgs = match parse("trust", argv) {
        Ok(args) => args,
        Err(code) => return code,
    };
    let done = process_env::of_process().and_then(|host| if args.undo { undo(&host) } else { trust(&host) });
    match done {
        Ok(text) => print(&format!("{}\n", plain(&text))),
        Err(message) => {
            complain(&format!("Error: {}", plain(&message)));
            1
        }
    }
}

fn trust(host: &SessionHost) -> Result<String, String> {
    let paths = &host.paths;
    let (cwd, home) = (paths.cwd(), paths.env().home());
    let root = trust_root(cwd, home.as_deref());
    remember_trust(paths, &root, Some(true), &*host.clock).map_err(|error| error.to_string())?;
    let subjects = trust_subjects(cwd, home.as_deref());
    let names: Vec<String> = subjects.iter().map(|path| relative(path, cwd)).collect();
    let what = match names.as_slice() {
        [] => "It has nothing that needs trust now; what it gets counts at once.".to_owned(),
        names => format!("These count from now on: {}", names.join(", ")),
    };
    let whole = if root == cwd { "" } else { ", the project that this directory belongs to" };
    let said = overruled(paths, &root)?;
    Ok(format!("Trusted: {}{whole}\n{what}{said}\nTo take it back: pi trust --undo", root.display()))
}

/// A no that is stored for a directory in between still counts for what is below it.
fn overruled(paths: &Paths, root: &Path) -> Result<String, String> {
    let stored = stored_entry(&paths.trust_file(), paths.cwd()).map_err(|error| error.to_string())?;
    Ok(match stored {
        Some((dir, false)) if dir != root => {
            format!("\nBut trust.json says no for {}: cd there for pi trust --undo", dir.display())
        }
        _ => String::new(),
    })
}

fn undo(host: &SessionHost) -> Result<String, String> {
    let paths = &host.paths;
    let cwd = paths.cwd();
    let sentence = |error: pi_coding_agent::config::Error| error.to_string();
    let stored = stored_entry(&paths.trust_file(), cwd).map_err(sentence)?;
    let root = trust_root(cwd, paths.env().home().as_deref());
    let forgotten = stored.map(|(dir, _)| dir).filter(|dir| *dir == without_links(cwd) || *dir == without_links(&root));
    if let Some(dir) = &forgotten {
        remember_trust(paths, dir, None, &*host.clock).map_err(sentence)?;
    }
    let settings = SettingsManager::load(paths, cwd, false, std::sync::Arc::clone(&host.clock));
    let trusted = is_project_trusted(None, paths, &settings, cwd).map_err(sentence)?;
    let now = if trusted { "It is still trusted" } else { "It is not trusted" };
    let why = match stored_entry(&paths.trust_file(), cwd).map_err(sentence)? {
        Some((dir, _)) => format!(", as {} says in trust.json: cd there for pi trust --undo", dir.display()),
        None if trusted => ", by the setting defaultProjectTrust".to_owned(),
        None => String::new(),
    };
    let done = match forgotten {
        Some(dir) if dir != without_links(cwd) => format!("Forgotten: the decision about {}", dir.display()),
        Some(_) => format!("Forgotten: the decision about {}", cwd.display()),
        None => format!("There was no decision about {}", cwd.display()),
    };
    Ok(format!("{done}\n{now}{why}."))
}

fn relative(path: &Path, cwd: &Path) -> String {
    path.strip_prefix(cwd).unwrap_or(path).display().to_string()
}
