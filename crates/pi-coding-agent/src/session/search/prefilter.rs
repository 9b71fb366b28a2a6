//! Lines that cannot hold what is looked for, told from their raw bytes.
//!
//! JSON may write a character in several ways, so a word is only looked for if nothing in it needs an escape, and a line
//! with escapes that could hide one is parsed. A line that is let through may still not match; one that is held back
//! never does.

use std::sync::LazyLock;

use memchr::memmem;
use regex::bytes::{Regex, RegexBuilder};

use super::query::SearchQuery;
use crate::session::list::edges::{Speaker, by_its_ends};

/// Looks for the words of a query in raw lines.
#[derive(Debug)]
pub(super) struct Prefilter {
    needles: Vec<Regex>,
}

static ESCAPE: LazyLock<memmem::Finder<'_>> = LazyLock::new(|| memmem::Finder::new(br"\u"));
static MESSAGE: LazyLock<memmem::Finder<'_>> = LazyLock::new(|| memmem::Finder::new(b"message"));

impl Prefilter {
    pub(super) fn new(query: &SearchQuery) -> Self {
        let literals = query.wanted.iter().filter_map(|term| term.literal.as_deref());
        let needles = literals
            .filter_map(longest_plain)
            .filter_map(|needle| RegexBuilder::new(&regex::escape(needle)).case_insensitive(true).build().ok());
        Self { needles: needles.collect() }
    }

    /// Whether the line may hold a message that fits.
    pub(super) fn lets_through(&self, line: &[u8]) -> bool {
        if hides_characters(line) {
            return true;
        }
        MESSAGE.find(line).is_some()
            && self.needles.iter().all(|needle| needle.is_match(line))
            && by_its_ends(line).is_none_or(|ends| ends.speaker != Speaker::Other)
    }
}

/// The longest piece of a text that stands in JSON as it is, unless it is written as `\uXXXX`.
fn longest_plain(text: &str) -> Option<&str> {
    let escaped =
        |c: char| c.is_whitespace() || c.is_control() || matches!(c, '"' | '\\' | '/' | char::REPLACEMENT_CHARACTER);
    text.split(escaped).max_by_key(|piece| piece.len()).filter(|piece| !piece.is_empty())
}

/// Whether a character that a word may hold is written as `\uXXXX`. The escapes of control characters are frequent, and
/// hide nothing.
fn hides_characters(line: &[u8]) -> bool {
    let mut escapes = ESCAPE.find_iter(line);
    escapes.any(|at| !matches!(line.get(at + 2..at + 5), Some(b"000" | b"001")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_that_json_never_escapes_are_looked_for() {
        for (text, expected) in [
            ("word", Some("word")),
            ("src/lib.rs", Some("lib.rs")),
            ("say \"hello\" now", Some("hello")),
            ("ÄÖ\u{fffd}x", Some("ÄÖ")),
            ("\"\\/", None),
        ] {
            assert_eq!(longest_plain(text), expected, "{text}");
        }
    }

    #[test]
    fn escapes_of_letters_are_not_overlooked() {
        for (line, expected) in [
            (r#""\u001b[0m \u0000""#, false),
            (r#""\u0041""#, true),
            (r#""\ud83d""#, true),
            (r#""\u001b\u00e9""#, true),
            (r#""\u00"#, true),
            (r#""\n\t\/""#, false),
        ] {
            assert_eq!(hides_characters(line.as_bytes()), expected, "{line}");
        }
    }
}
