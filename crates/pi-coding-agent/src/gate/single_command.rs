//! Which commands can be allowed for good: one command, whose words mean the same each time.

/// What makes more than one command of a line, or something else of it each time: separators, pipes, redirections, substitutions,
/// groups, line breaks.
const SPECIAL: &[char] = &[';', '&', '|', '<', '>', '$', '`', '(', ')', '{', '}', '\n', '\r'];

/// The words of a single command; nothing for any other line.
pub(super) fn words(command: &str) -> Option<Vec<String>> {
    if command.contains(SPECIAL) {
        return None;
    }
    shlex::split(command).filter(|words| !words.is_empty())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn single_commands_have_words() {
        for (command, expected) in [
            ("cargo test", Some(vec!["cargo", "test"])),
            ("git commit -m 'two words'", Some(vec!["git", "commit", "-m", "two words"])),
            ("a; b", None),
            ("a && b", None),
            ("a | b", None),
            ("a > b", None),
            ("echo $HOME", None),
            ("echo `id`", None),
            ("diff <(a) b", None),
            ("a\nb", None),
            ("(a)", None),
            ("git commit -m 'a; b'", None),
            ("an 'open quote", None),
            ("", None),
        ] {
            let expected = expected.map(|words| words.into_iter().map(str::to_owned).collect());
            assert_eq!(words(command), expected, "{command:?}");
        }
    }

    proptest! {
        #[test]
        fn a_line_with_a_special_character_is_never_one_command(
            before in "[a-z ]{0,10}",
            special in prop::sample::select(SPECIAL.to_vec()),
            after in ".{0,10}",
        ) {
            prop_assert_eq!(words(&format!("{before}{special}{after}")), None);
        }
    }
}
