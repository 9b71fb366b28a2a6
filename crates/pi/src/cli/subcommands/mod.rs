//! The commands of the program, a module each: what `pi COMMAND` does, and the options that do the same. Here stands which
//! commands there are, and the whole command line as one table, from which help, manual pages and completions are made.
//! Whether the arguments name a command is decided in `classify_args`. Commands are handed what they need of the table; none
//! imports it.
//!
//! # Layout
//! `session` is all of `pi session`, `doctor` of `pi doctor`, `packages` is `pi install` and its kin; `auth`, `models`,
//! `trust`, `docs`, `mcp` (with `mcp_login` and `mcp_serve`), `attach` and `help` are the commands of these names, `version` is what `--version`
//! prints, `export` makes pages,
//! `generate` makes completions (with `completion_values`) and manual pages.

pub(super) mod acp;
pub(super) mod attach;
pub(super) mod auth;
mod completion_values;
pub(super) mod docs;
pub(super) mod doctor;
pub(super) mod export;
pub(super) mod generate;
pub(super) mod help;
#[cfg(feature = "mcp")]
pub(super) mod mcp;
#[cfg(feature = "mcp")]
mod mcp_login;
#[cfg(feature = "mcp")]
mod mcp_serve;
pub(super) mod models;
pub(super) mod packages;
pub(super) mod session;
pub(super) mod trust;
pub(super) mod version;

use std::sync::Arc;

use clap::builder::PossibleValuesParser;
use clap::error::ErrorKind;
use clap::{Command, CommandFactory};
use pi_ai::ThinkingLevel;

use super::grammar::args::Args;
use super::grammar::mode;
use super::grammar::suggest::nearest;
use acp::AcpArgs;
use attach::AttachArgs;
use auth::AuthArgs;
use docs::DocsArgs;
use doctor::DoctorArgs;
use generate::{CompletionsArgs, ManArgs};
use help::{HelpArgs, VersionArgs};
#[cfg(feature = "mcp")]
use mcp::McpArgs;
use models::ModelsArgs;
use pi_coding_agent::extension::Extension;
use session::SessionArgs;
use trust::TrustArgs;

/// An argument that is a command and no message.
#[derive(Debug, Clone, Copy)]
pub(in crate::cli) enum Named {
    /// `pi session …`
    Session,
    /// `pi doctor`
    Doctor,
    /// `pi completions SHELL`
    Completions,
    /// `pi man`
    Man,
    /// `pi auth …`
    Auth,
    /// `pi models`
    Models,
    /// `pi trust`
    Trust,
    /// `pi help`
    Help,
    /// `pi version`
    Version,
    /// `pi docs`
    Docs,
    /// `pi acp`
    Acp,
    /// `pi attach`
    Attach,
    /// `pi mcp …`
    #[cfg(feature = "mcp")]
    Mcp,
    /// A command about packages.
    Package(&'static str),
}

impl Named {
    /// The command of this name.
    pub(in crate::cli) fn from_argument(argument: &str) -> Option<Self> {
        match argument {
            "session" => Some(Self::Session),
            "doctor" => Some(Self::Doctor),
            "completions" => Some(Self::Completions),
            "man" => Some(Self::Man),
            "auth" => Some(Self::Auth),
            "models" => Some(Self::Models),
            "trust" => Some(Self::Trust),
            "help" => Some(Self::Help),
            "version" => Some(Self::Version),
            "docs" => Some(Self::Docs),
            "acp" => Some(Self::Acp),
            "attach" => Some(Self::Attach),
            #[cfg(feature = "mcp")]
            "mcp" => Some(Self::Mcp),
            _ => packages::NAMES.iter().find(|name| **name == argument).map(|name| Self::Package(name)),
        }
    }

    /// Runs it with its arguments. Returns the exit code.
    pub(in crate::cli) fn run(self, argv: Vec<String>, extensions: Vec<Arc<dyn Extension>>) -> u8 {
        match self {
            Self::Session => session::run(argv),
            Self::Doctor => doctor::run(argv),
            Self::Completions => generate::completions(argv, &table()),
            Self::Man => generate::manual(argv, table()),
            Self::Auth => auth::run(argv, extensions),
            Self::Models => models::run(argv, extensions),
            Self::Trust => trust::run(argv),
            Self::Help => help::run(argv, extensions, table()),
            Self::Version => help::version(argv),
            Self::Docs => docs::run(argv),
            Self::Acp => acp::run(argv, extensions),
            Self::Attach => attach::run(argv),
            #[cfg(feature = "mcp")]
            Self::Mcp => mcp::run(argv),
            Self::Package(name) => packages::run(name, argv),
        }
    }

    /// Whether the word has been a command as long as there has been a release: then it is one whatever follows it.
    pub(in crate::cli) fn takes_whatever_follows(self) -> bool {
        matches!(self, Self::Session | Self::Doctor | Self::Completions | Self::Man | Self::Package(_))
    }

    /// Whether these arguments are what the command takes, or at least no sentence.
    pub(in crate::cli) fn fits(self, argv: &[String]) -> bool {
        match (self, argv) {
            // Only options, if anything: a wrong one is the command's to complain about.
            (_, argv) if argv.iter().all(|argument| argument.starts_with('-')) => true,
            // The options of the program, which may have values.
            (Self::Acp, argv) => argv.first().is_some_and(|first| first.starts_with('-')),
            (Self::Help, path) => help::is_path(&table(), path),
            (Self::Auth, [word]) if is_near_a_subcommand(word, &AuthArgs::command()) => true,
            // One word is no sentence, and other agents have commands that begin like these.
            #[cfg(feature = "mcp")]
            (Self::Mcp, [word, rest @ ..]) if rest.is_empty() || is_a_subcommand(word, &McpArgs::command()) => true,
            // What is wrong with an option is the command's to say, too.
            (_, argv) => {
                let words: Vec<String> = argv.iter().filter(|argument| !argument.starts_with('-')).cloned().collect();
                self.takes(argv) || self.takes(&words)
            }
        }
    }

    fn takes(self, argv: &[String]) -> bool {
        let argv = std::iter::once("pi".to_owned()).chain(argv.iter().cloned());
        match self.declared().try_get_matches_from(argv) {
            Ok(_) => true,
            Err(error) => error.kind() == ErrorKind::DisplayHelp,
        }
    }

    /// Whether it has this long option.
    pub(in crate::cli) fn knows(self, option: &str) -> bool {
        if matches!(self, Self::Acp) {
            // It takes those of the program.
            return true;
        }
        let command = self.declared();
        command.get_arguments().any(|argument| argument.get_long() == option.strip_prefix("--"))
    }

    fn declared(self) -> Command {
        match self {
            Self::Session => SessionArgs::command(),
            Self::Doctor => DoctorArgs::command(),
            Self::Completions => CompletionsArgs::command(),
            Self::Man => ManArgs::command(),
            Self::Auth => AuthArgs::command(),
            Self::Models => ModelsArgs::command(),
            Self::Trust => TrustArgs::command(),
            Self::Help => HelpArgs::command(),
            Self::Version => VersionArgs::command(),
            Self::Docs => DocsArgs::command(),
            Self::Acp => AcpArgs::command(),
            Self::Attach => AttachArgs::command(),
            #[cfg(feature = "mcp")]
            Self::Mcp => McpArgs::command(),
            Self::Package(name) => packages::declared(name),
        }
    }
}

/// Also one that only other agents have.
#[cfg(feature = "mcp")]
fn is_a_subcommand(word: &str, command: &Command) -> bool {
    word == "get" || command.find_subcommand(word).is_some()
}

fn is_near_a_subcommand(word: &str, command: &Command) -> bool {
    let names: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
    nearest(word, names).is_some()
}

/// The names of all commands.
pub(in crate::cli) fn names() -> Vec<String> {
    table().get_subcommands().map(|command| command.get_name().to_owned()).collect()
}

/// Everything that `pi` understands.
pub(in crate::cli) fn table() -> Command {
    let levels = ThinkingLevel::ALL.map(ThinkingLevel::as_str);
    let table = Args::command()
        .disable_help_subcommand(true)
        // For completions only: the program itself has texts of its own for other values.
        .mut_arg("mode", |arg| arg.value_parser(PossibleValuesParser::new(mode::NAMES)).hide_possible_values(true))
        .mut_arg("output_format", |arg| {
            arg.value_parser(PossibleValuesParser::new(mode::FORMATS)).hide_possible_values(true)
        })
        .mut_arg("thinking", |arg| arg.value_parser(PossibleValuesParser::new(levels)).hide_possible_values(true))
        .subcommand(AuthArgs::command().name("auth"))
        .subcommand(ModelsArgs::command().name("models"))
        .subcommand(SessionArgs::command().name("session"))
        .subcommand(TrustArgs::command().name("trust"))
        .subcommand(DoctorArgs::command().name("doctor"))
        .subcommand(CompletionsArgs::command().name("completions"))
        .subcommand(ManArgs::command().name("man"))
        .subcommand(DocsArgs::command().name("docs"))
        .subcommand(AcpArgs::command().name("acp"))
        .subcommand(AttachArgs::command().name("attach"))
        .subcommand(HelpArgs::command().name("help"))
        .subcommand(VersionArgs::command().name("version"))
        .subcommands(packages::table());
    #[cfg(feature = "mcp")]
    let table = table.subcommand(McpArgs::command().name("mcp"));
    table
}
