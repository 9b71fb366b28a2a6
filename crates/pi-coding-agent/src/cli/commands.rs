//! The first argument as a command: which ones there are, and the whole command line as one table, from which help,
//! manual pages and completions are made.

use clap::builder::PossibleValuesParser;
use clap::{Command, CommandFactory, Parser};
use pi_ai::ThinkingLevel;

use super::args::Args;
use super::doctor::DoctorArgs;
use super::generate::{CompletionsArgs, ManArgs};
use super::session_command::SessionArgs;
use super::{doctor, generate, mode, packages, session_command};

/// A first argument that is a command and no message.
#[derive(Debug, Clone, Copy)]
pub(super) enum Named {
    /// `pi session …`
    Session,
    /// `pi doctor`
    Doctor,
    /// `pi completions SHELL`
    Completions,
    /// `pi man`
    Man,
    /// A command about packages.
    Package(&'static str),
}

impl Named {
    /// The command of this name.
    pub(super) fn from_argument(argument: &str) -> Option<Self> {
        match argument {
            "session" => Some(Self::Session),
            "doctor" => Some(Self::Doctor),
            "completions" => Some(Self::Completions),
            "man" => Some(Self::Man),
            _ => packages::NAMES.iter().find(|name| **name == argument).map(|name| Self::Package(name)),
        }
    }

    /// Runs it with the arguments behind its name. Returns the exit code.
    pub(super) fn run(self, argv: impl IntoIterator<Item = String>) -> u8 {
        match self {
            Self::Session => session_command::run(argv),
            Self::Doctor => doctor::run(argv),
            Self::Completions => generate::completions(argv),
            Self::Man => generate::manual(argv),
            Self::Package(name) => packages::run(name, argv),
        }
    }
}

/// Everything that `pi` understands.
pub(super) fn table() -> Command {
    let levels = ThinkingLevel::ALL.map(ThinkingLevel::as_str);
    Args::command()
        .disable_help_subcommand(true)
        // For completions only: the program itself has texts of its own for other values.
        .mut_arg("mode", |arg| arg.value_parser(PossibleValuesParser::new(mode::NAMES)).hide_possible_values(true))
        .mut_arg("thinking", |arg| arg.value_parser(PossibleValuesParser::new(levels)).hide_possible_values(true))
        .subcommand(SessionArgs::command().name("session"))
        .subcommand(DoctorArgs::command().name("doctor"))
        .subcommand(CompletionsArgs::command().name("completions"))
        .subcommand(ManArgs::command().name("man"))
        .subcommands(packages::table())
}

/// The same for completions: zsh would count the messages as the place of the command, and look for its arguments one place
/// too late.
pub(super) fn table_for_completions() -> Command {
    let table = table();
    let options: Vec<_> = table.get_arguments().filter(|arg| !arg.is_positional()).cloned().collect();
    let commands: Vec<_> = table.get_subcommands().cloned().collect();
    Command::new("pi")
        .disable_help_flag(true)
        .disable_version_flag(true)
        .disable_help_subcommand(true)
        .args(options)
        .subcommands(commands)
}

/// Reads the arguments of a command; the exit code where there is nothing more to do.
pub(super) fn parse<T: Parser>(name: &str, argv: impl IntoIterator<Item = String>) -> Result<T, u8> {
    let argv = std::iter::once(format!("pi {name}")).chain(argv);
    T::try_parse_from(argv).map_err(|error| super::usage::explain(name, &error))
}
