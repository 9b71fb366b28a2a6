//! Options of the command line that extensions bring: their values, and their part of the help.

use crate::cli::grammar::scan::{CommandLine, UnknownFlag};
use pi_coding_agent::extension::{ExtensionRunner, Flag, FlagKind, FlagValue};

/// Sets the flags that the command line gives, and returns what is wrong with them.
pub(super) fn set_flags(runner: &ExtensionRunner, line: &mut CommandLine) -> Vec<String> {
    let flags: Vec<Flag> = runner.extensions().iter().flat_map(|extension| extension.flags()).collect();
    let (mut errors, mut messages) = (Vec::new(), Vec::new());
    let given = std::mem::take(&mut line.unknown_flags);
    for UnknownFlag { name, value, message_index } in given {
        match flags.iter().find(|flag| flag.name == name).map(|flag| flag.kind) {
            None => line.unknown_flags.push(UnknownFlag { name, value, message_index }),
            Some(FlagKind::Boolean) => {
                runner.runtime().set_flag(&name, FlagValue::Boolean(true));
                messages.extend(message_index.zip(value));
            }
            Some(FlagKind::String) => match value {
                Some(value) => runner.runtime().set_flag(&name, FlagValue::String(value)),
                None => errors.push(format!("Extension flag \"--{name}\" requires a value")),
            },
        }
    }
    // What stood behind a flag without value is a message after all. The last one first: places count from the front.
    for (index, message) in messages.into_iter().rev() {
        line.args.messages.insert(index, message);
    }
    errors
}

/// The options of extensions, for `--help`. Extensions that cannot be loaded have none.
pub(super) fn help(runner: &ExtensionRunner) -> String {
    let flags = runner.extensions().iter().flat_map(|extension| extension.flags());
    let lines: Vec<(String, String)> = flags.map(|flag| describe(&flag)).collect();
    if lines.is_empty() {
        return String::new();
    }
    let width = lines.iter().map(|(option, _)| option.chars().count()).max().unwrap_or_default();
    let lines: String = lines.iter().map(|(option, text)| format!("  {option:width$}  {text}\n")).collect();
    format!("\nOptions of extensions:\n{lines}")
}

fn describe(flag: &Flag) -> (String, String) {
    let option = match flag.kind {
        FlagKind::Boolean => format!("--{}", flag.name),
        FlagKind::String => format!("--{} <VALUE>", flag.name),
    };
    let default = match &flag.default {
        Some(FlagValue::String(text)) => format!(" [default: {text}]"),
        Some(FlagValue::Boolean(_)) | None => String::new(),
    };
    (option, format!("{}{default}", flag.description.as_deref().unwrap_or_default()))
}
