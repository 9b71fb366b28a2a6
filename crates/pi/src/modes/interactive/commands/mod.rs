//! Commands that begin with a slash: the table of ours, and how one is found.
//!
//! `session` is about the conversation, `output` takes something out of it, `help` tells about the program. Selectors have
//! modules of their own beside this one.

mod help;
mod output;
mod session;

pub(super) use session::{fork, tree};

use super::app::App;
use super::selectors;

/// A command.
pub(super) struct Command {
    /// Its name, without the slash.
    pub(super) name: &'static str,
    /// What it does.
    pub(super) description: &'static str,
    /// What follows the name, where something may.
    pub(super) argument: Option<&'static str>,
    run: fn(&mut App, &str),
}

/// All of them, in the order of the completion list.
pub(super) const COMMANDS: &[Command] = &[
    Command {
        name: "settings",
        description: "Change settings",
        argument: None,
        run: |app, _| selectors::settings(app),
    },
    Command { name: "model", description: "Choose a model", argument: Some("[model]"), run: selectors::model },
    Command {
        name: "scoped-models",
        description: "Choose the models that the cycle keys go through",
        argument: None,
        run: |app, _| selectors::scoped_models(app),
    },
    Command {
        name: "export",
        description: "Write the session into a file, as a page or (.jsonl) as entries",
        argument: Some("[file]"),
        run: output::export,
    },
    Command {
        name: "import",
        description: "Go on with a session from a file of entries",
        argument: Some("<file>"),
        run: session::import,
    },
    Command {
        name: "share",
        description: "Share the session as a secret gist",
        argument: None,
        run: |app, _| output::share(app),
    },
    Command { name: "copy", description: "Copy the last answer", argument: None, run: |app, _| output::copy(app) },
    Command {
        name: "name",
        description: "Name the session, or tell its name",
        argument: Some("[name]"),
        run: session::name,
    },
    Command {
        name: "session",
        description: "Tell file, counts and cost of the session",
        argument: None,
        run: |app, _| session::tell(app),
    },
    Command {
        name: "changelog",
        description: "What is new in each version",
        argument: None,
        run: |app, _| help::changelog(app),
    },
    Command { name: "hotkeys", description: "All keys", argument: None, run: |app, _| help::hotkeys(app) },
    Command {
        name: "fork",
        description: "Begin a new session from an earlier message",
        argument: None,
        run: |app, _| fork(app),
    },
    Command {
        name: "clone",
        description: "Go on with a copy of the session",
        argument: None,
        run: |app, _| session::clone(app),
    },
    Command {
        name: "tree",
        description: "Go to another place in the session",
        argument: None,
        run: |app, _| tree(app),
    },
    Command {
        name: "trust",
        description: "Say whether this project is trusted",
        argument: None,
        run: |app, _| selectors::trust(app),
    },
    Command {
        name: "login",
        description: "Sign in, or store a key",
        argument: Some("[provider]"),
        run: selectors::login,
    },
    Command {
        name: "logout",
        description: "Sign out, or forget a key",
        argument: Some("[provider]"),
        run: selectors::logout,
    },
    Command { name: "new", description: "Begin a new session", argument: None, run: |app, _| session::new(app) },
    Command {
        name: "compact",
        description: "Summarise the conversation to make room",
        argument: Some("[focus]"),
        run: session::compact,
    },
    Command {
        name: "resume",
        description: "Go on with another session",
        argument: None,
        run: |app, _| selectors::sessions(app),
    },
    Command {
        name: "reload",
        description: "Read settings, keys, extensions, skills, templates and themes again",
        argument: None,
        run: |app, _| session::reload(app),
    },
    Command { name: "quit", description: "Leave", argument: None, run: |app, _| app.leaving = Some(0) },
];

/// Runs a command by its name, without an argument.
pub(super) fn run_named(app: &mut App, name: &str) {
    if let Some(command) = COMMANDS.iter().find(|command| command.name == name) {
        (command.run)(app, "");
    }
}

/// Runs the command that a text names; whether there was one. What is no command of ours is a message: templates, skills
/// and commands of extensions are found by the session.
pub(super) fn run(app: &mut App, text: &str) -> bool {
    let Some(line) = text.strip_prefix('/') else { return false };
    let (name, argument) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let Some(command) = COMMANDS.iter().find(|command| command.name == name) else { return false };
    let argument = argument.trim();
    if !argument.is_empty() && command.argument.is_none() {
        return false;
    }
    (command.run)(app, argument);
    true
}
