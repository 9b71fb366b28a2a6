//! Arguments of prompt templates: splitting what the user typed, filling the placeholders.

use std::sync::LazyLock;

use regex::{Captures, Regex};

/// `${N:-default}`, `${@:N}`, `${@:N:L}`, `$ARGUMENTS`, `$@`, `$N`.
const PLACEHOLDERS: &str = r"\$\{([0-9]+):-([^}]*)\}|\$\{@:([0-9]+)(?::([0-9]+))?\}|\$(ARGUMENTS|@|[0-9]+)";

static PLACEHOLDER: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(PLACEHOLDERS).ok());

/// Splits at blanks. Single or double quotes hold words together and cannot be escaped; one that is not closed runs
/// to the end. Empty arguments are dropped.
pub(crate) fn split_arguments(text: &str) -> Vec<String> {
    let mut arguments = Vec::new();
    let mut current = String::new();
    let mut quote = None;
    for c in text.chars() {
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) => current.push(c),
            None if c == '"' || c == '\'' => quote = Some(c),
            None if c.is_whitespace() => arguments.push(std::mem::take(&mut current)),
            None => current.push(c),
        }
    }
    arguments.push(current);
    arguments.retain(|argument| !argument.is_empty());
    arguments
}

/// Fills the placeholders in one pass from left to right. What is filled in is not looked at again, and a backslash
/// means nothing.
pub(crate) fn substitute_arguments(template: &str, arguments: &[String]) -> String {
    let fill = |captures: &Captures<'_>| value_of(captures, arguments);
    // The pattern is constant and compiles; without it the text would simply stay as it is.
    PLACEHOLDER.as_ref().map_or_else(|| template.to_owned(), |regex| regex.replace_all(template, fill).into_owned())
}

fn value_of(captures: &Captures<'_>, arguments: &[String]) -> String {
    let number = |index: usize| captures.get(index).map(|digits| digits.as_str().parse().unwrap_or(usize::MAX));
    let nth = |n: usize| n.checked_sub(1).and_then(|index| arguments.get(index)).cloned().unwrap_or_default();
    if let Some(n) = number(1) {
        let value = nth(n);
        return if value.is_empty() { captures[2].to_owned() } else { value };
    }
    if let Some(first) = number(3) {
        let rest = arguments.iter().skip(first.saturating_sub(1)).take(number(4).unwrap_or(usize::MAX));
        return rest.cloned().collect::<Vec<_>>().join(" ");
    }
    match &captures[5] {
        "ARGUMENTS" | "@" => arguments.join(" "),
        digits => nth(digits.parse().unwrap_or(usize::MAX)),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn splitting() {
        for (text, wanted) in [
            ("", vec![]),
            ("  a\tb\nc ", vec!["a", "b", "c"]),
            (r#"one "two words" 'three'"#, vec!["one", "two words", "three"]),
            (r#"a"b c"d "#, vec!["ab cd"]),
            (r#"'' "" x"#, vec!["x"]),
            (r#""open end  "#, vec!["open end  "]),
            (r#""it's" 'say "x"'"#, vec!["it's", r#"say "x""#]),
            (r#"a\"b c"#, vec![r"a\b c"]),
        ] {
            assert_eq!(split_arguments(text), wanted, "{text:?}");
        }
    }

    #[test]
    fn filling() {
        let arguments: Vec<String> = ["one", "two words", "three"].map(str::to_owned).into();
        for (template, wanted) in [
            ("$1|$2|$4|$0", "one|two words||"),
            ("$@", "one two words three"),
            ("$ARGUMENTS.", "one two words three."),
            ("${@:2}", "two words three"),
            ("${@:0}", "one two words three"),
            ("${@:2:1}", "two words"),
            ("${@:1:0}", ""),
            ("${@:9}", ""),
            ("${3:-none} ${4:-no ne} ${9:-}", "three no ne "),
            ("$1.5 $1a $$ $x ${x} ${1}", "one.5 onea $$ $x ${x} ${1}"),
            (r"\$1", r"\one"),
            ("$99999999999999999999999", ""),
            ("$arguments", "$arguments"),
        ] {
            assert_eq!(substitute_arguments(template, &arguments), wanted, "{template}");
        }
    }

    #[test]
    fn what_is_filled_in_is_not_filled_again() {
        let arguments = vec!["$2".to_owned(), "$@".to_owned()];
        assert_eq!(substitute_arguments("$1 $2 ${3:-$1}", &arguments), "$2 $@ $1");
    }

    #[test]
    fn an_empty_argument_counts_as_missing_for_a_default() {
        assert_eq!(substitute_arguments("${1:-x}", &[String::new()]), "x");
    }

    proptest! {
        #[test]
        fn splitting_loses_nothing_but_blanks_and_quotes(text in "[ab'\" \n]{0,30}") {
            let kept: String = split_arguments(&text).concat().split_whitespace().collect();
            let wanted = text.replace(['\'', '"', ' ', '\n'], "");
            prop_assert_eq!(kept.replace(['\'', '"'], ""), wanted);
        }

        #[test]
        fn text_without_a_dollar_stays(text in "[^$]{0,40}", arguments in prop::collection::vec("[a-z$]{0,3}", 0..3)) {
            prop_assert_eq!(substitute_arguments(&text, &arguments), text);
        }
    }
}
