//! `pi help` and `pi version`, and the options that do the same.

use std::sync::Arc;

use clap::{Command, Parser};

use crate::cli::console::diagnostics::complain;
use crate::cli::console::print;
use crate::cli::console::usage::parse;
use crate::cli::grammar::scan::{CommandLine, scan, unknown_option};
use crate::cli::grammar::suggest::nearest;
use crate::cli::startup;
use pi_coding_agent::extension::Extension;

/// Explains pi, or one of its commands.
#[derive(Debug, Parser)]
#[command(name = "pi help")]
pub(in crate::cli) struct HelpArgs {
    /// The command, for example: session ls
    command: Vec<String>,
}

/// Prints the version.
#[derive(Debug, Parser)]
#[command(name = "pi version")]
pub(in crate::cli) struct VersionArgs {
    /// Say also which versions of the reference it stands for
    #[arg(long)]
    verbose: bool,
}

/// Whether these words name a command, or one that was probably meant.
pub(in crate::cli) fn is_path(table: &Command, words: &[String]) -> bool {
    match words {
        [word] => {
            find(table, words).is_some() || nearest(word, table.get_subcommands().map(Command::get_name)).is_some()
        }
        words => find(table, words).is_some(),
    }
}

/// The command of these names.
pub(in crate::cli) fn find<'a>(table: &'a Command, names: &[String]) -> Option<&'a Command> {
    names.iter().try_fold(table, |command, name| command.find_subcommand(name))
}

/// What is said where there is no such command.
pub(in crate::cli) fn no_command(table: &Command, names: &[String]) -> String {
    let known = table.get_subcommands().map(Command::get_name);
    let meant = names.first().and_then(|name| nearest(name, known));
    let hint = meant.map_or_else(|| "pi --help lists them".to_owned(), |name| format!("did you mean {name}?"));
    format!("Error: pi has no command \"{}\"; {hint}", names.join(" "))
}

/// Runs `pi help`; `argv` is what stands behind it, `table` everything that `pi` understands. Returns the exit code.
pub(in crate::cli) fn run(argv: Vec<String>, extensions: Vec<Arc<dyn Extension>>, mut table: Command) -> u8 {
    let args: HelpArgs = match parse("help", argv) {
        Ok(args) => args,
        Err(code) => return code,
    };
    if args.command.is_empty() {
        return of_program(scan(["--help".to_owned()]), extensions, table);
    }
    table.build();
    match find(&table, &args.command) {
        Some(command) => print(&command.clone().render_long_help().to_string()),
        None => {
            complain(&no_command(&table, &args.command));
            2
        }
    }
}

/// The help of the program, with the options that extensions bring. An option that nobody knows is named in any case.
pub(in crate::cli) fn of_program(line: CommandLine, extensions: Vec<Arc<dyn Extension>>, mut table: Command) -> u8 {
    let of_extensions = startup::help_of_extensions(line, extensions);
    let code = print(&format!("{}{}", table.render_help(), of_extensions.text));
    let unknown = &of_extensions.unknown_flags;
    unknown.iter().for_each(|flag| complain(&format!("Error: {}", unknown_option(flag, &of_extensions.flags))));
    if unknown.is_empty() { code } else { 1 }
}

/// Runs `pi version`; `argv` is what stands behind it. Returns the exit code.
pub(in crate::cli) fn version(argv: Vec<String>) -> u8 {
    match parse::<VersionArgs>("version", argv) {
        Ok(VersionArgs { verbose }) => print(&super::version::text(verbose)),
        Err(code) => code,
    }
}
