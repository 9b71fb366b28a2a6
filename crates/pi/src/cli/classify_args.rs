//! Whether the command line is a command, a prompt, or a single word that was probably meant as a command. What commands
//! there are is in `commands`.

use super::console::diagnostics::complain;
use super::grammar::scan::{CommandLine, first_word};
use super::grammar::suggest::mistyped;
use super::subcommands::{self, Named};

/// Exit code for a word that is neither a command nor sent.
const USAGE: u8 = 2;
/// Options that say nothing about a command, so that they may stand before any.
const FOR_ALL: [&str; 2] = ["--offline", "--verbose"];
/// Words that other programs have as commands, and what does it here.
const ELSEWHERE: [(&str, &str); 15] = [
    ("login", "pi auth login"),
    ("signin", "pi auth login"),
    ("logout", "pi auth logout"),
    ("signout", "pi auth logout"),
    ("status", "pi auth check"),
    ("whoami", "pi auth check"),
    ("add", "pi install"),
    ("upgrade", "pi update"),
    ("settings", "pi config"),
    ("plugin", "pi list"),
    ("plugins", "pi list"),
    ("extensions", "pi list"),
    ("sessions", "pi session ls"),
    ("resume", "pi --resume"),
    ("continue", "pi --continue"),
];

/// Words of the language that are also mistyped commands.
const COMMON: [&str; 2] = ["stats", "truest"];

/// The command that the arguments name, with what is for it: what stands behind its name, and options before it.
///
/// The first argument is a command whatever follows if it has always been one. Words that became commands later, and those
/// behind options, are commands only when what follows fits: everything else is a prompt.
pub(super) fn command_of(argv: &[String]) -> Option<(Named, Vec<String>)> {
    let index = first_word(argv)?;
    let named = Named::from_argument(&argv[index])?;
    let (before, behind) = (&argv[..index], &argv[index + 1..]);
    let is_certain = index == 0 && named.takes_whatever_follows();
    if !is_certain && !named.fits(behind) {
        return None;
    }
    let is_for_it = |option: &&String| !FOR_ALL.contains(&option.as_str()) || named.knows(option);
    Some((named, before.iter().filter(is_for_it).chain(behind).cloned().collect()))
}

/// Refuses a single word that looks like a command: a typing error must not set an agent to work. Returns the exit code.
pub(super) fn refuse_single_word(line: &CommandLine) -> Option<u8> {
    let args = &line.args;
    let [word] = args.messages.as_slice() else { return None };
    let is_said_to_be_a_prompt = args.print || line.options_ended || !line.files.is_empty();
    let is_something_else =
        args.help || args.list_models || args.export.is_some() || args.mode.as_deref() == Some("rpc");
    if is_said_to_be_a_prompt || is_something_else || !line.errors.is_empty() || word.contains(char::is_whitespace) {
        return None;
    }
    let meant = meant_by(word)?;
    complain(&format!(
        "Error: \"{word}\" is not sent to a model: did you mean {meant}? To send it as a prompt: pi -p -- {word}"
    ));
    Some(USAGE)
}

/// The command line that a word stands for.
fn meant_by(word: &str) -> Option<String> {
    let names = subcommands::names();
    if let Some((_, instead)) = ELSEWHERE.iter().find(|(name, _)| name.eq_ignore_ascii_case(word)) {
        return Some((*instead).to_owned());
    }
    let elsewhere = ELSEWHERE.iter().map(|(name, _)| *name);
    if COMMON.iter().any(|common| common.eq_ignore_ascii_case(word)) {
        return None;
    }
    let found = mistyped(word, names.iter().map(String::as_str).chain(elsewhere))?;
    let instead = ELSEWHERE.iter().find(|(name, _)| *name == found).map(|(_, instead)| (*instead).to_owned());
    Some(instead.unwrap_or_else(|| format!("pi {found}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn a_word_is_a_command_when_what_follows_fits() {
        for (line, expected) in [
            ("session ls", Some("Session [ls]")),
            ("session of ours", Some("Session [of ours]")),
            ("--offline models", Some("Models [--offline]")),
            ("--offline session ls", Some("Session [ls]")),
            ("--offline list", Some("Package(\"list\") []")),
            ("--offline install npm:x", Some("Package(\"install\") [--offline npm:x]")),
            ("--model x list", Some("Package(\"list\") [--model x]")),
            ("--model x list the files", None),
            ("--model x session of ours", None),
            ("models", Some("Models []")),
            ("models --json sonnet", Some("Models [--json sonnet]")),
            ("models --jsno", Some("Models [--jsno]")),
            ("models should be lazy", None),
            ("help", Some("Help []")),
            ("help session search", Some("Help [session search]")),
            ("help instal", Some("Help [instal]")),
            ("help me", None),
            ("help me with this test", None),
            ("version", Some("Version []")),
            ("version bump please", None),
            ("trust", Some("Trust []")),
            ("trust --undo", Some("Trust [--undo]")),
            ("trust me", None),
            ("auth", Some("Auth []")),
            ("auth check anthropic", Some("Auth [check anthropic]")),
            ("auth status", Some("Auth [status]")),
            ("auth chekc", Some("Auth [chekc]")),
            ("auth login is broken", None),
            ("auth tests fail", None),
            ("acp", Some("Acp []")),
            ("acp --model x", Some("Acp [--model x]")),
            ("--offline acp", Some("Acp [--offline]")),
            ("acp is broken", None),
            ("-p models", None),
            ("-- models", None),
            ("fix the tests", None),
        ] {
            let found = command_of(&words(line)).map(|(named, argv)| format!("{named:?} [{}]", argv.join(" ")));
            assert_eq!(found.as_deref(), expected, "{line}");
        }
    }

    #[test]
    fn single_words_that_look_like_commands() {
        for (word, expected) in [
            ("doctr", Some("pi doctor")),
            ("Doctor", Some("pi doctor")),
            ("login", Some("pi auth login")),
            ("logn", Some("pi auth login")),
            ("upgrade", Some("pi update")),
            ("uninstal", Some("pi uninstall")),
            ("continue", Some("pi --continue")),
            ("hello", None),
            ("hi", None),
            ("explain", None),
            ("test", None),
            ("tests", None),
            ("review", None),
            ("commit", None),
            ("one", None),
            ("refactor", None),
            ("main", None),
            ("man", Some("pi man")),
            ("modles", Some("pi models")),
            ("stats", None),
            ("log", None),
            ("remote", None),
            ("logic", None),
            ("setting", None),
            ("model", None),
        ] {
            assert_eq!(meant_by(word).as_deref(), expected, "{word}");
        }
    }
}
