//! Colours for code: comments, strings, numbers and keywords, found in one pass without a grammar.
//!
#![doc = include_str!("../README.md")]
//!
//! # Layout
//!
//! | Module | What is in it |
//! |---|---|
//! | `languages` | the table of languages: names and file extensions, comments, quotes, keywords |
//! | `scanner` | cuts code into pieces by a row of that table |
//!
//! What colours look like is no matter of this crate: it knows neither HTML nor terminals. It has no dependencies.

mod languages;
mod scanner;

use std::iter::FusedIterator;

use languages::Rules;
use scanner::{Open, Scanner};

/// What a piece of code is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Class {
    /// Everything that has no colour: names, operators, white space.
    Plain,
    /// A comment, with its marks.
    Comment,
    /// A string or a character, with its quotes.
    String,
    /// A number.
    Number,
    /// A keyword; in markup a tag with its bracket.
    Keyword,
}

/// A piece of code and what it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span<'a> {
    /// What it is.
    pub class: Class,
    /// The text as it stands in the code; never empty.
    pub text: &'a str,
}

/// A language whose code can be coloured.
#[derive(Debug, Clone, Copy)]
pub struct Language(&'static Rules);

impl Language {
    /// The language of this name or file extension, in any case: `rust`, `rs`, `Python`. Several languages that are
    /// coloured alike share their rules.
    pub fn by_name(name: &str) -> Option<Self> {
        languages::find(name).map(Self)
    }

    /// The language of a file, by the extension of its name: `src/lib.rs`, `.gitignore`, or by a name that needs none:
    /// `Makefile`.
    pub fn by_file(path: &str) -> Option<Self> {
        let name = path.rsplit(['/', '\\']).next()?;
        match name.rsplit_once('.') {
            Some((_, extension)) => Self::by_name(extension),
            None => Self::by_name(name).filter(|_| name.to_ascii_lowercase().ends_with("file")),
        }
    }

    /// Its names and file extensions, in lower case.
    pub fn names(self) -> &'static [&'static str] {
        self.0.names
    }

    /// Cuts one line, without its end, into spans. `state` is what the line before has left, the default before the first;
    /// it becomes what this line leaves. Lines one by one are coloured as the text is in one piece.
    pub fn scan_line<'a>(self, state: &mut State, line: &'a str, mut each: impl FnMut(Span<'a>)) {
        let mut scanner = Scanner::resumed(self.0, line, state.0);
        for (class, text) in scanner.by_ref() {
            each(Span { class, text });
        }
        state.0 = scanner.open();
    }

    /// Cuts code into spans. Together they are the whole text, whatever the text is.
    pub fn spans(self, code: &str) -> Spans<'_> {
        Spans(Scanner::new(self.0, code))
    }
}

/// What is open at the end of a line: a comment, a string, a tag. It belongs to one language.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct State(Open);

/// The spans of a text, in order.
#[derive(Debug, Clone)]
pub struct Spans<'a>(Scanner<'a>);

impl<'a> Iterator for Spans<'a> {
    type Item = Span<'a>;

    fn next(&mut self) -> Option<Span<'a>> {
        self.0.next().map(|(class, text)| Span { class, text })
    }
}

impl FusedIterator for Spans<'_> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_have_languages_by_their_extensions() {
        for (path, expected) in [
            ("src/lib.rs", Some("rust")),
            ("C:\\a.b\\X.PY", Some("python")),
            (".gitignore", Some("yaml")),
            ("a.rs/README", None),
            ("rs", None),
            ("a/Makefile", Some("make")),
            ("x.unknown", None),
            ("", None),
        ] {
            let names = Language::by_file(path).map(Language::names);
            assert_eq!(names.is_some(), expected.is_some(), "{path}");
            assert!(expected.is_none_or(|name| names.unwrap().contains(&name)), "{path}");
        }
    }

    #[test]
    fn every_name_leads_to_its_language() {
        for name in languages::LANGUAGES.iter().flat_map(|rules| rules.names) {
            assert!(Language::by_name(&name.to_uppercase()).unwrap().names().contains(name));
        }
    }
}
