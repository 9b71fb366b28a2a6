//! The order in which people expect names: punctuation, digits, letters; case only decides between equals.
//!
//! For ASCII this is the root order of the Unicode Collation Algorithm, which JavaScript's `localeCompare` uses.

use std::cmp::Ordering;

/// Punctuation in its order.
const PUNCTUATION: &str = "_-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$";

/// Compares two names.
pub(super) fn compare(a: &str, b: &str) -> Ordering {
    a.chars().map(weight).cmp(b.chars().map(weight)).then_with(|| a.chars().map(is_upper).cmp(b.chars().map(is_upper)))
}

/// Class, then place in the class.
fn weight(c: char) -> (u8, u32) {
    let place = |index: usize| u32::try_from(index).unwrap_or(u32::MAX);
    match PUNCTUATION.find(c) {
        _ if c.is_whitespace() => (0, u32::from(c)),
        Some(index) => (1, place(index)),
        None if c.is_ascii_digit() => (2, u32::from(c)),
        None => (3, c.to_lowercase().next().map_or(0, u32::from)),
    }
}

fn is_upper(c: char) -> bool {
    c.is_uppercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_sort_as_people_expect() {
        let sorted = ["claude-3", "claude.3", "claude3", "Claude-x", "claude-xy", "gpt-5", "GPT-5", "us.anthropic"];
        for pair in sorted.windows(2) {
            // The list is not fully ordered by hand; equality must not occur, and the relation must be consistent.
            assert_eq!(compare(pair[0], pair[1]), compare(pair[1], pair[0]).reverse(), "{pair:?}");
        }
        for (low, high) in [
            ("claude-3", "claude.3"),
            ("claude-3", "claude-x"),
            ("a_b", "a-b"),
            ("a-b", "a.b"),
            ("a/b", "a1"),
            ("gpt-5", "GPT-5"),
            ("GPT-4", "gpt-5"),
            ("a", "ab"),
            ("claude-opus", "us.anthropic"),
        ] {
            assert_eq!(compare(low, high), Ordering::Less, "{low} < {high}");
        }
    }
}
