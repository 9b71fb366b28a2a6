//! What a command says when its arguments are not right, or when help was asked for.

use clap::error::ErrorKind;

use super::diagnostics::complain;
use super::screen::plain;

/// Exit code for wrong usage of a command.
const USAGE: u8 = 2;

/// Help goes to standard output, a complaint about usage to standard error. Returns the exit code.
pub(super) fn explain(command: &str, error: &clap::Error) -> u8 {
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
