//! What a word was probably meant to be: one way for options, commands, topics and providers. What is done about it is
//! the caller's.

/// A word of so many characters is recognised with two typing errors; a shorter one with one.
const LONG: usize = 6;
/// A word of so many characters is recognised by its beginning.
const BEGINNING: usize = 3;

/// The candidate that is nearest to `word`, unless all of them are too far away. Upper and lower case, hyphens and
/// underscores do not count.
pub(super) fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = normal(word);
    let scored = candidates.into_iter().filter_map(|name| {
        let normal = normal(name);
        // Of two that are equally near, letters were more likely swapped than left out.
        Some(((distance(&word, &normal)?, word.len().abs_diff(normal.len())), name))
    });
    scored.min_by_key(|(score, _)| *score).map(|(_, name)| name)
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
