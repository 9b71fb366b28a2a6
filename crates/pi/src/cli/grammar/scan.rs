//! The pre-pass over the command line: the reference's grammar, which clap cannot express, turned into clap's.
//!
//! Peculiarities: a value option takes the next argument whatever it looks like; `-p` and `--list-models` take one
//! only if it does not look like an option; of a repeated option the last one counts; unknown long options swallow a
//! value, so that extensions can define them. The table of options is read from the clap declaration. Whether the
//! arguments are a command is decided in `classify_args`.

use clap::{ArgAction, CommandFactory, Parser};

use super::args::{Args, LONG_SHORT_FORMS};
use super::suggest::nearest;

/// What the command line said.
#[derive(Debug, Default)]
pub struct CommandLine {
    /// Known options and messages.
    pub args: Args,
    /// `@path` arguments without the `@`.
    pub files: Vec<String>,
    /// Search term of `--list-models`.
    pub model_search: Option<String>,
    /// Unknown long options; extensions may claim them.
    pub unknown_flags: Vec<UnknownFlag>,
    /// What is wrong with it, in order. Any entry ends the program.
    pub errors: Vec<String>,
    /// Whether `--approve` was given after any `--no-approve`, or the other way round.
    pub approval: Option<bool>,
    /// Whether a `--` ended the options.
    pub options_ended: bool,
}

/// A long option that only an extension can know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownFlag {
    /// Its name without dashes.
    pub name: String,
    /// What would be its value.
    pub value: Option<String>,
    /// Where that would stand among the messages if the option takes none; absent for `--name=value`.
    pub message_index: Option<usize>,
}

/// An option of the table.
#[derive(Clone)]
struct Known {
    long: String,
    short: Option<char>,
    takes_value: bool,
}

/// Reads the command line, without the program's name.
pub fn scan(argv: impl IntoIterator<Item = String>) -> CommandLine {
    let mut scanner = Scanner { table: table(), ..Scanner::default() };
    let mut rest = argv.into_iter().peekable();
    while let Some(argument) = rest.next() {
        scanner.argument(argument, &mut rest);
    }
    scanner.finish()
}

/// Where the first argument stands that is no option and no value of one; `None` where there is none, and behind options
/// after which nothing is a command.
pub(in crate::cli) fn first_word(argv: &[String]) -> Option<usize> {
    const NEVER_BEFORE_A_COMMAND: [&str; 6] = ["print", "mode", "list-models", "export", "help", "version"];
    if argv.first().is_some_and(|first| !first.starts_with(['-', '@'])) {
        return Some(0);
    }
    let table = table();
    let mut index = 0;
    while let Some(argument) = argv.get(index) {
        if !argument.starts_with('-') {
            return (!argument.starts_with('@')).then_some(index);
        }
        let (option, has_value) = argument.split_once('=').map_or((argument.as_str(), false), |(name, _)| (name, true));
        let known = look_up(&table, option)?;
        if NEVER_BEFORE_A_COMMAND.contains(&known.long.as_str()) {
            return None;
        }
        index += if known.takes_value && !has_value { 2 } else { 1 };
    }
    None
}

/// What is said about an option that nobody knows. `others` are long options that extensions bring.
pub(in crate::cli) fn unknown_option(argument: &str, others: &[String]) -> String {
    let dashed = |name: &str| format!("\nDid you mean --{name}?");
    let hint = similar_option(argument, others).map_or_else(String::new, |name| dashed(&name));
    format!("Unknown option: {argument}{hint}")
}

/// The long option that a wrong one was probably meant to be, without dashes.
pub(in crate::cli) fn similar_option(argument: &str, others: &[String]) -> Option<String> {
    let name = argument.trim_start_matches('-');
    let table = table();
    // A short option has nothing to be recognised by.
    let is_long = name.chars().count() > 2 || argument.starts_with("--");
    let names = table.iter().map(|known| known.long.as_str()).chain(others.iter().map(String::as_str));
    is_long.then(|| nearest(name, names)).flatten().map(str::to_owned)
}

fn look_up(table: &[Known], argument: &str) -> Option<Known> {
    let dashed = argument.strip_prefix('-')?;
    let alias = LONG_SHORT_FORMS.iter().find(|(short, _)| *short == argument).map(|(_, long)| *long);
    let found = table.iter().find(|option| match alias.or(dashed.strip_prefix('-')) {
        Some(long) => option.long == long,
        None => option.short.is_some_and(|short| dashed.chars().eq([short])),
    });
    found.cloned()
}

type Rest<I> = std::iter::Peekable<I>;

#[derive(Default)]
struct Scanner {
    table: Vec<Known>,
    line: CommandLine,
    /// Options in the form `--long` or `--long=value`.
    options: Vec<String>,
    messages: Vec<String>,
}

impl Scanner {
    fn argument<I: Iterator<Item = String>>(&mut self, argument: String, rest: &mut Rest<I>) {
        if let Some(path) = argument.strip_prefix('@') {
            self.line.files.push(path.to_owned());
        } else if argument == "--" {
            // Whatever a script puts behind it is a message: no option, and no file that is sent along.
            self.line.options_ended = true;
            self.messages.extend(rest);
        } else if let Some(known) = look_up(&self.table, &argument) {
            self.known(&argument, &known, rest);
        } else if let Some(flag) = argument.strip_prefix("--") {
            self.unknown(flag, rest);
        } else if argument.starts_with('-') {
            self.line.errors.push(unknown_option(&argument, &[]));
        } else {
            self.messages.push(argument);
        }
    }

    fn known<I: Iterator<Item = String>>(&mut self, argument: &str, known: &Known, rest: &mut Rest<I>) {
        match (known.takes_value, known.long.as_str()) {
            (true, long) => match rest.next() {
                Some(value) => self.options.push(format!("--{long}={value}")),
                None if long == "name" => self.line.errors.push("--name requires a value".to_owned()),
                // Clients know the first line for a value option at the very end.
                None => {
                    self.line.errors.push(format!("Unknown option: {argument}\n{argument} needs a value behind it"));
                }
            },
            (false, long) => {
                self.options.push(format!("--{long}"));
                self.optional_value(long, rest);
            }
        }
    }

    fn optional_value<I: Iterator<Item = String>>(&mut self, long: &str, rest: &mut Rest<I>) {
        match long {
            "print" => {
                let message =
                    |next: &String| !next.starts_with('@') && (!next.starts_with('-') || next.starts_with("---"));
                self.messages.extend(rest.next_if(message));
            }
            "list-models" => {
                self.line.model_search = rest.next_if(|next| !next.starts_with('@') && !next.starts_with('-'));
            }
            "approve" => self.line.approval = Some(true),
            "no-approve" => self.line.approval = Some(false),
            _ => {}
        }
    }

    /// `--name=value` of an option that there is.
    fn with_value(&mut self, known: &Known, value: &str) {
        match (known.takes_value, known.long.as_str()) {
            (true, long) => self.options.push(format!("--{long}={value}")),
            (false, "print") => {
                self.options.push("--print".to_owned());
                self.messages.push(value.to_owned());
            }
            (false, "list-models") => {
                self.options.push("--list-models".to_owned());
                self.line.model_search = Some(value.to_owned());
            }
            (false, long) => self.line.errors.push(format!("Unknown option: --{long}=…\n--{long} takes no value")),
        }
    }

    fn unknown<I: Iterator<Item = String>>(&mut self, flag: &str, rest: &mut Rest<I>) {
        let flag = match flag.split_once('=') {
            Some((name, value)) => {
                if let Some(known) = look_up(&self.table, &format!("--{name}")) {
                    return self.with_value(&known, value);
                }
                UnknownFlag { name: name.to_owned(), value: Some(value.to_owned()), message_index: None }
            }
            None => UnknownFlag {
                name: flag.to_owned(),
                value: rest.next_if(|next| !next.starts_with('@') && !next.starts_with('-')),
                message_index: Some(self.messages.len()),
            },
        };
        self.line.unknown_flags.push(flag);
    }

    fn finish(self) -> CommandLine {
        let Self { mut line, options, messages, .. } = self;
        let argv =
            std::iter::once("pi".to_owned()).chain(options).chain(std::iter::once("--".to_owned())).chain(messages);
        match Args::try_parse_from(argv) {
            Ok(args) => line.args = without_empty_values(args),
            // The pre-pass leaves clap only what it can take, so this is for options that gain value checks.
            Err(error) => line.errors.push(error.to_string().trim_start_matches("error: ").trim_end().to_owned()),
        }
        line
    }
}

/// An empty value is no value: shells make one of an unset variable. An empty key stays, and is refused: another one
/// must not be used instead.
fn without_empty_values(mut args: Args) -> Args {
    let Args { mode, model, provider, session, session_dir, .. } = &mut args;
    for value in [mode, model, provider, session, session_dir] {
        value.take_if(|value| value.is_empty());
    }
    args
}

/// The declared options.
fn table() -> Vec<Known> {
    let known = |option: &clap::Arg| {
        let takes_value = matches!(option.get_action(), ArgAction::Set | ArgAction::Append);
        Some(Known { long: option.get_long()?.to_owned(), short: option.get_short(), takes_value })
    };
    Args::command().get_arguments().filter_map(known).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(argv: &[&str]) -> CommandLine {
        scan(argv.iter().map(|argument| (*argument).to_owned()))
    }

    #[test]
    fn messages_and_files_may_stand_anywhere() {
        let line = line(&["@a.txt", "first", "-p", "second", "@b.md", "--no-session", "third"]);
        assert!(line.args.print && line.args.no_session);
        assert_eq!(line.args.messages, ["first", "second", "third"]);
        assert_eq!(line.files, ["a.txt", "b.md"]);
        assert!(line.errors.is_empty());
    }

    #[test]
    fn a_value_option_takes_whatever_follows() {
        let line =
            line(&["--model", "--print", "-t", "-x", "--append-system-prompt", "a", "--append-system-prompt", "@b"]);
        assert_eq!(line.args.model.as_deref(), Some("--print"));
        assert_eq!(line.args.tools.as_deref(), Some("-x"));
        assert_eq!(line.args.append_system_prompt, ["a", "@b"]);
        assert!(!line.args.print);
    }

    #[test]
    fn of_a_repeated_option_the_last_one_counts() {
        let line = line(&["-p", "one", "--model", "a", "-t", "read", "-t", "bash", "--model", "b", "-p", "two"]);
        assert!(line.errors.is_empty(), "{:?}", line.errors);
        assert_eq!((line.args.model.as_deref(), line.args.tools.as_deref()), (Some("b"), Some("bash")));
        assert_eq!(line.args.messages, ["one", "two"]);
    }

    #[test]
    fn an_empty_value_is_none() {
        let line = line(&["--model", "", "--mode", "", "--session", "", "--session-dir", "", "--provider", ""]);
        let Args { model, mode, session, session_dir, provider, .. } = line.args;
        assert_eq!([model, mode, session, session_dir, provider], [const { None }; 5]);
    }

    #[test]
    fn print_takes_a_message_unless_it_looks_like_an_option() {
        assert_eq!(line(&["-p", "hi"]).args.messages, ["hi"]);
        assert_eq!(line(&["-p", "---\nfront matter"]).args.messages, ["---\nfront matter"]);
        assert!(line(&["-p", "--no-session"]).args.no_session);
        assert_eq!(line(&["-p", "@f"]).files, ["f"]);
    }

    #[test]
    fn short_forms_of_several_letters() {
        let line = line(&["-nt", "-xt", "bash,edit", "-nbt", "-nc", "-ns", "-np"]);
        assert!(line.args.no_tools && line.args.no_builtin_tools && line.args.no_context_files);
        assert_eq!(line.args.exclude_tools.as_deref(), Some("bash,edit"));
    }

    #[test]
    fn bad_input_is_named() {
        let cases = [
            (vec!["--model"], "Unknown option: --model\n--model needs a value behind it"),
            (vec!["--offline=yes"], "Unknown option: --offline=…\n--offline takes no value"),
            (vec!["-n=x"], "Unknown option: -n=x"),
            (vec!["-modle"], "Unknown option: -modle\nDid you mean --model?"),
            (vec!["--name"], "--name requires a value"),
            (vec!["-z"], "Unknown option: -z"),
            (vec!["-"], "Unknown option: -"),
        ];
        for (argv, error) in cases {
            assert_eq!(line(&argv).errors, [error], "{argv:?}");
        }
    }

    #[test]
    fn values_may_stand_behind_an_equals_sign() {
        let line = line(&["--model=a=b", "--tools=", "--append-system-prompt=x", "--list-models=son", "--print=hi"]);
        assert_eq!((line.args.model.as_deref(), line.args.tools.as_deref()), (Some("a=b"), Some("")));
        assert_eq!((line.args.append_system_prompt, line.args.messages), (vec!["x".to_owned()], vec!["hi".to_owned()]));
        assert!(line.args.print && line.model_search.as_deref() == Some("son") && line.errors.is_empty());
    }

    #[test]
    fn behind_two_hyphens_everything_is_a_message() {
        let line = line(&["-p", "--no-session", "--", "--model", "@file", "--", "-z"]);
        assert_eq!(line.args.messages, ["--model", "@file", "--", "-z"]);
        assert!(line.args.print && line.args.no_session && line.options_ended);
        assert!(line.files.is_empty() && line.errors.is_empty() && line.args.model.is_none());
        assert_eq!(self::line(&["--model", "--", "x"]).args.model.as_deref(), Some("--"), "a value is a value");
    }

    #[test]
    fn the_first_word_stands_behind_options_and_their_values() {
        for (argv, expected) in [
            (vec!["list"], Some(0)),
            (vec!["--offline", "-e", "x.ts", "--tools=read", "-na", "list", "x"], Some(5)),
            (vec!["--offline"], None),
            (vec!["--unknown", "list"], None),
            (vec!["-p", "list"], None),
            (vec!["--", "list"], None),
            (vec!["@list", "list"], None),
        ] {
            let argv: Vec<String> = argv.into_iter().map(str::to_owned).collect();
            assert_eq!(first_word(&argv), expected, "{argv:?}");
        }
    }

    #[test]
    fn unknown_long_options_are_left_to_extensions() {
        let line = line(&["--plan", "careful", "--depth=3", "message"]);
        let flag = |name: &str, value: &str, message_index| UnknownFlag {
            name: name.to_owned(),
            value: Some(value.to_owned()),
            message_index,
        };
        assert_eq!(line.unknown_flags, [flag("plan", "careful", Some(0)), flag("depth", "3", None)]);
        assert_eq!(line.args.messages, ["message"]);
    }

    #[test]
    fn the_last_approval_wins() {
        assert_eq!(line(&["-a", "-na"]).approval, Some(false));
        assert_eq!(line(&["--no-approve", "--approve"]).approval, Some(true));
        assert_eq!(line(&[]).approval, None);
    }

    #[test]
    fn list_models_may_have_a_search_term() {
        assert_eq!(line(&["--list-models", "son"]).model_search.as_deref(), Some("son"));
        assert_eq!(line(&["--list-models", "--verbose"]).model_search, None);
    }
}
