//! Regular expressions as ECMAScript writes them.

use fancy_regex::Regex;

/// A compiled expression.
#[derive(Debug)]
pub(super) struct Pattern {
    text: String,
    regex: Regex,
}

impl Pattern {
    /// Compiles an expression; `None` when it is none.
    pub(super) fn new(text: &str) -> Option<Self> {
        let translated = jsonschema_regex::to_rust_regex(text).ok()?;
        Some(Self { text: text.to_owned(), regex: Regex::new(&translated).ok()? })
    }

    /// The expression as the schema has it.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Whether some part of a text is what the expression describes. One that takes too long to find out about is none.
    pub(super) fn finds(&self, text: &str) -> bool {
        self.regex.is_match(text).unwrap_or(false)
    }
}
