//! `pi completions` and `pi man`: texts for shells and for `man`, made from the same table as the help.

use std::io;

use clap::{Command, Parser, ValueEnum};
use clap_complete::Shell;

use super::completion_values::{self, Values};
use super::help::{find, no_command};
use crate::cli::console::diagnostics::complain;
use crate::cli::console::print;
use crate::cli::console::usage::parse;

/// Prints a script that completes the options and commands of pi in a shell.
#[derive(Debug, Parser)]
#[command(name = "pi completions", after_help = COMPLETIONS_HELP)]
pub(in crate::cli) struct CompletionsArgs {
    /// The shell
    #[arg(required_unless_present = "values")]
    shell: Option<Shell>,
    /// For the scripts: print what is to be completed
    #[arg(long, value_name = "KIND", hide = true)]
    values: Option<Values>,
}

const COMPLETIONS_HELP: &str = "\
Examples:
  pi completions bash > ~/.local/share/bash-completion/completions/pi
  pi completions zsh > ~/.zfunc/_pi                (a directory of fpath)
  pi completions fish > ~/.config/fish/completions/pi.fish
  pi completions powershell >> $PROFILE
  pi completions elvish >> ~/.config/elvish/rc.elv";

/// Prints a manual page: of pi, or of one of its commands.
#[derive(Debug, Parser)]
#[command(name = "pi man", after_help = MAN_HELP)]
pub(in crate::cli) struct ManArgs {
    /// The command, for example: session ls; or a page of pi docs
    command: Vec<String>,
}

const MAN_HELP: &str = "\
Examples:
  pi man > ~/.local/share/man/man1/pi.1
  pi man session doctor | man -l -";

/// Runs `pi completions`; `argv` is what stands behind it, `table` everything that `pi` understands. Returns the exit code.
pub(in crate::cli) fn completions(argv: impl IntoIterator<Item = String>, table: &Command) -> u8 {
    let args: CompletionsArgs = match parse("completions", argv) {
        Ok(args) => args,
        Err(code) => return code,
    };
    if let Some(values) = args.values {
        return print(&completion_values::list(values));
    }
    let Some(shell) = args.shell else { return 2 };
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut without_messages(table), "pi", &mut script);
    let script = String::from_utf8_lossy(&script);
    let script = if shell == Shell::Fish { mended_for_fish(&script, table) } else { script.into_owned() };
    print(&completion_values::with_values(shell, &script))
}

/// The table for completions, without the messages: zsh would count the messages as the place of the command, and look for its arguments one place
/// too late.
fn without_messages(table: &Command) -> Command {
    let options: Vec<_> = table.get_arguments().filter(|arg| !arg.is_positional()).cloned().collect();
    let commands: Vec<_> = table.get_subcommands().cloned().collect();
    Command::new("pi")
        .disable_help_flag(true)
        .disable_version_flag(true)
        .disable_help_subcommand(true)
        .args(options)
        .subcommands(commands)
}

/// Mends what the generated script does not know of this grammar: it cannot read a line whose last option waits for its
/// value (so the line is read without that option then), takes every message for a command, and offers no values of
/// arguments, such as the names of shells.
fn mended_for_fish(script: &str, table: &Command) -> String {
    const READ: &str = "    argparse -s (__fish_pi_global_optspecs) -- $cmd 2>/dev/null\n";
    const AGAIN: &str = "    or argparse -s (__fish_pi_global_optspecs) -- $cmd[1..-2] 2>/dev/null\n";
    const ANY_WORD: &str = "    if set -q argv[1]\n";
    let commands: Vec<_> = table.get_subcommands().map(Command::get_name).collect();
    let command = format!("    if set -q argv[1]; and contains -- $argv[1] {}\n", commands.join(" "));
    let shells: Vec<_> = Shell::value_variants().iter().map(Shell::to_string).collect();
    let values =
        format!("complete -c pi -n \"__fish_pi_using_subcommand completions\" -f -a \"{}\"\n", shells.join(" "));
    script.replace(READ, &format!("{READ}{AGAIN}")).replace(ANY_WORD, &command) + &values
}

/// Runs `pi man`; `argv` is what stands behind it, `table` everything that `pi` understands. Returns the exit code.
pub(in crate::cli) fn manual(argv: impl IntoIterator<Item = String>, mut table: Command) -> u8 {
    let args: ManArgs = match parse("man", argv) {
        Ok(args) => args,
        Err(code) => return code,
    };
    table.build();
    let Some(command) = find(&table, &args.command) else {
        // What is no command may be a page of the documentation.
        if let [topic] = args.command.as_slice()
            && let Some(page) = crate::cli::pages::page(topic)
        {
            return print(&page);
        }
        complain(&no_command(&table, &args.command));
        return 1;
    };
    match page(command) {
        Ok(page) => print(&page),
        Err(error) => {
            complain(&format!("Error: cannot make the manual page: {error}"));
            1
        }
    }
}

fn page(command: &Command) -> io::Result<String> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut page)?;
    Ok(String::from_utf8_lossy(&page).into_owned())
}
