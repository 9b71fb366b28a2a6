//! What a word was probably meant to be: one way for options, commands, topics and providers. What is done about it is
//! the caller's.

/// A word of so many characters is recognised with two typing errors; a shorter one with one.
const LONG: usize = 6;
/// A name of so many characters may be mistyped; of a shorter one that makes other words.
const MISTYPED: usize = 5;
/// A word of so many characters is recognised by its beginning.
const BEGINNING: usize = 3;

/// The candidate that is nearest to `word`, unless all of them are too far away. Upper and lower case, hyphens and
/// underscores do not count.
pub(in crate::cli) fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = normal(word);
    let scored = candidates.into_iter().filter_map(|name| {
        let normal = normal(name);
        // Of two that are equally near, letters were more likely swapped than left out.
        Some(((distance(&word, &normal)?, word.len().abs_diff(normal.len())), name))
    });
    scored.min_by_key(|(score, _)| *score).map(|(_, name)| name)
}

/// The candidate that `word` is a mistyped form of: with a letter too few or too many in its middle, or with two letters
/// swapped. That is much less than [`nearest`], so that words of the language are left alone: `main` is not `man`, and
/// neither is `remote` meant to be `remove`.
pub(in crate::cli) fn mistyped<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word: Vec<char> = normal(word).chars().collect();
    candidates.into_iter().find(|name| {
        let name: Vec<char> = normal(name).chars().collect();
        word == name || (name.len() >= MISTYPED && is_slip(&word, &name))
    })
}

fn is_slip(word: &[char], name: &[char]) -> bool {
    let without = |long: &[char], short: &[char]| {
        // The first letter is seldom wrong, and the last one makes another form of a word.
        (1..long.len().saturating_sub(1)).any(|at| long[..at] == short[..at] && long[at + 1..] == short[at..])
    };
    match (word.len(), name.len()) {
        (typed, meant) if typed + 1 == meant => without(name, word),
        (typed, meant) if typed == meant + 1 => without(word, name),
        (typed, meant) if typed == meant => {
            let swapped = |at: usize| word[at] == name[at + 1] && word[at + 1] == name[at];
            (1..typed - 1).any(|at| word[..at] == name[..at] && swapped(at) && word[at + 2..] == name[at + 2..])
        }
        _ => false,
    }
}

fn normal(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '-' | '_')).flat_map(char::to_lowercase).collect()
}

/// How many typing errors lie between the two; `None` where they are too many.
fn distance(word: &str, name: &str) -> Option<usize> {
    let (length, errors) = (word.chars().count(), strsim::damerau_levenshtein(word, name));
    let limit = if length.min(name.chars().count()) >= LONG { 2 } else { 1 };
    // Two letters are near to everything.
    if length >= BEGINNING && errors <= limit {
        return Some(errors);
    }
    (length >= BEGINNING && name.starts_with(word)).then_some(limit + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_the_language_are_not_mistyped() {
        let names = [
            "man",
            "list",
            "docs",
            "add",
            "login",
            "remove",
            "doctor",
            "config",
            "models",
            "update",
            "trust",
            "uninstall",
        ];
        for (word, expected) in [
            ("doctr", Some("doctor")),
            ("dcotor", Some("doctor")),
            ("Doctor", Some("doctor")),
            ("docttor", Some("doctor")),
            ("modles", Some("models")),
            ("mdoels", Some("models")),
            ("logn", Some("login")),
            ("uninstal", Some("uninstall")),
            ("MAN", Some("man")),
            ("main", None),
            ("last", None),
            ("lists", None),
            ("doc", None),
            ("logic", None),
            ("remote", None),
            ("removed", None),
            ("vector", None),
            ("confirm", None),
            ("model", None),
            ("updated", None),
            ("date", None),
            ("rust", None),
            ("", None),
            ("é", None),
        ] {
            assert_eq!(mistyped(word, names), expected, "{word}");
        }
    }

    #[test]
    fn typing_errors_are_recognised() {
        let names = ["doctor", "session", "models", "no-session", "mode", "model", "list", "man"];
        for (word, expected) in [
            ("doctr", Some("doctor")),
            ("dcotor", Some("doctor")),
            ("Doctor", Some("doctor")),
            ("nosession", Some("no-session")),
            ("no_sesion", Some("no-session")),
            ("sess", Some("session")),
            ("modle", Some("model")),
            ("lst", Some("list")),
            ("test", None),
            ("hello", None),
            ("explain", None),
            ("hi", None),
            ("ma", None),
        ] {
            assert_eq!(nearest(word, names), expected, "{word}");
        }
    }
}
