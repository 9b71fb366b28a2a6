//! Commands that begin with a slash: the table of ours, and how one is found.
//!
//! `session` is about the conversation, `output` takes something out of it, `help` tells about the program. Selectors have
//! modules of their own beside this one.

mod help;
mod output;
mod session;
#[cfg(test)]
mod tests;

pub(super) use session::{fork, tree};

use super::app::App;
use super::{changes, context, doctor, extension_list, selectors, transcript_view};

/// A command.
pub(super) struct Command {
    /// Its name, without the slash.
    pub(super) name: &'static str,
    /// What it does.
    pub(super) description: &'static str,
    run: Run,
}

/// What runs a command.
enum Run {
    /// Nothing follows its name.
    Plain(fn(&mut App)),
    /// An argument may follow, which is called so.
    With(&'static str, fn(&mut App, &str)),
}

impl Command {
    /// What follows the name, where something may.
    pub(super) fn argument(&self) -> Option<&'static str> {
        match self.run {
            Run::Plain(_) => None,
            Run::With(argument, _) => Some(argument),
        }
    }

    /// Runs it; whether it takes this argument. Without one it always runs.
    fn run(&self, app: &mut App, argument: &str) -> bool {
        match self.run {
            Run::Plain(run) if argument.is_empty() => run(app),
            Run::Plain(_) => return false,
            Run::With(_, run) => run(app, argument),
        }
        true
    }
}

const fn plain(name: &'static str, description: &'static str, run: fn(&mut App)) -> Command {
    Command { name, description, run: Run::Plain(run) }
}

const fn with(
    name: &'static str,
    argument: &'static str,
    description: &'static str,
    run: fn(&mut App, &str),
) -> Command {
    Command { name, description, run: Run::With(argument, run) }
}

/// All of them, in the order of the completion list.
pub(super) const COMMANDS: &[Command] = &[
    plain("settings", "Change settings", selectors::settings),
    with("model", "[model]", "Choose a model", selectors::model),
    plain("scoped-models", "Choose the models that the cycle keys go through", selectors::scoped_models),
    with("export", "[file]", "Write the session into a file, as a page or (.jsonl) as entries", output::export),
    with("import", "<file>", "Go on with a session from a file of entries", session::import),
    plain("share", "Share the session as a secret gist", output::share),
    with("copy", "[file]", "Copy the last answer, or write it into a file", output::copy),
    with("name", "[name]", "Name the session, or tell its name", session::name),
    plain("session", "Tell file, counts and cost of the session", session::show),
    plain("context", "Tell what fills the model's window and what turns cost", context::context),
    plain("changes", "Look at the edits of the session, quote them, take them back", changes::open),
    plain("extensions", "Look at the extensions: what they bring, show, and failed at", extension_list::open),
    plain("doctor", "Tell what the terminal can do, and what keys arrive", doctor::doctor),
    plain("changelog", "What is new in each version", help::changelog),
    plain("hotkeys", "All keys", help::hotkeys),
    plain("fork", "Begin a new session from an earlier message", fork),
    plain("clone", "Go on with a copy of the session", session::clone),
    plain("tree", "Go to another place in the session", tree),
    plain("trust", "Say whether this project is trusted", selectors::trust),
    with("login", "[provider]", "Sign in, or store a key", selectors::login),
    with("logout", "[provider]", "Sign out, or forget a key", selectors::logout),
    plain("new", "Begin a new session", session::new),
    with("compact", "[focus]", "Summarise the conversation to make room", session::compact),
    plain("resume", "Go on with another session", selectors::sessions),
    plain("reload", "Read settings, keys, extensions, skills, templates and themes again", session::reload),
    with("theme", "[name]", "Choose a theme; it is shown while you choose", selectors::theme),
    plain("transcript", "Look at the whole session, to search, fold and copy", transcript_view::open),
    plain("quit", "Leave", |app| app.leaving = Some(0)),
];

/// Runs a command by its name, without an argument.
pub(super) fn run_named(app: &mut App, name: &str) {
    run_with(app, name, "");
}

/// Runs the command that a text names; whether there was one. What is no command of ours is a message: templates, skills
/// and commands of extensions are found by the session.
pub(super) fn run(app: &mut App, text: &str) -> bool {
    let Some(line) = text.strip_prefix('/') else { return false };
    let (name, argument) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    run_with(app, name, argument.trim())
}

fn run_with(app: &mut App, name: &str, argument: &str) -> bool {
    COMMANDS.iter().find(|command| command.name == name).is_some_and(|command| command.run(app, argument))
}
