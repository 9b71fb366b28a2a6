//! The arguments of a command: reading them, and what is said when they are not right or help was asked for.

use clap::Parser;
use clap::error::ErrorKind;

use super::diagnostics::complain;
use super::screen::plain;

/// Exit code for wrong usage of a command.
const USAGE: u8 = 2;

/// Reads the arguments of a command; the exit code where there is nothing more to do.
pub(in crate::cli) fn parse<T: Parser>(name: &str, argv: impl IntoIterator<Item = String>) -> Result<T, u8> {
    let argv = std::iter::once(format!("pi {name}")).chain(argv);
    T::try_parse_from(argv).map_err(|error| explain(name, &error))
}

/// Help goes to standard output, a complaint about usage to standard error. Returns the exit code.
fn explain(command: &str, error: &clap::Error) -> u8 {
    let text = error.render().to_string();
    match error.kind() {
        ErrorKind::DisplayHelp => super::print(&text),
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand | ErrorKind::MissingSubcommand => {
            complain(&format!("Error: pi {command} needs a command\n\n{}", text.trim_end()));
            USAGE
        }
        _ => {
            let text = text.strip_prefix("error: ").unwrap_or(&text);
            complain(&format!("Error: {}", plain(text.trim_end())));
            USAGE
        }
    }
}
