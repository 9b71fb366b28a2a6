//! The query language: words, `"phrases"`, `-exclusions` and `re:patterns`.

use regex::{Regex, RegexBuilder};
use regex_syntax::ast;

use crate::session::Error;

/// What is looked for: a message must hold everything that is asked for, and nothing that is excluded. Upper and lower
/// case are the same, in any script.
///
/// | Part | Means |
/// |---|---|
/// | `word` | this text, also within a longer word |
/// | `"some words"` | these words, with any blanks or line breaks between them |
/// | `-word`, `-"some words"` | not this |
/// | `re:pattern` | a regular expression, up to the end of the query |
#[derive(Debug, Clone)]
pub struct SearchQuery {
    pub(super) wanted: Vec<Term>,
    pub(super) excluded: Vec<Term>,
    /// All words together, in their order, when there are several.
    pub(super) together: Option<Regex>,
}

/// One part of a query.
#[derive(Debug, Clone)]
pub(super) struct Term {
    pub(super) regex: Regex,
    /// The text that is looked for; `None` for a pattern.
    pub(super) literal: Option<String>,
}

impl SearchQuery {
    /// Reads a query.
    ///
    /// # Errors
    /// [`Error::SearchEmpty`] when it asks for nothing; [`Error::SearchPattern`] when the pattern is none.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let mut query = Self { wanted: vec![], excluded: vec![], together: None };
        let mut rest = text.trim();
        while !rest.is_empty() {
            rest = query.take_part(rest)?.trim_start();
        }
        if query.wanted.is_empty() {
            return Err(Error::SearchEmpty);
        }
        let literals: Option<Vec<_>> = query.wanted.iter().map(|term| term.literal.as_deref()).collect();
        let words = literals.filter(|words| words.len() > 1).map(|words| words.join(" "));
        query.together = words.map(|words| literal(&words)).transpose()?.map(|term| term.regex);
        Ok(query)
    }

    /// Whether a text holds what is asked for, and nothing that is excluded.
    pub fn matches(&self, text: &str) -> bool {
        let holds = |term: &Term| term.regex.is_match(text);
        self.wanted.iter().all(holds) && !self.excluded.iter().any(holds)
    }

    /// Takes the first part off; what remains may begin with blanks.
    fn take_part<'a>(&mut self, text: &'a str) -> Result<&'a str, Error> {
        if let Some(pattern) = text.strip_prefix("re:") {
            if !pattern.is_empty() {
                self.wanted.push(Term { regex: compile(pattern)?, literal: None });
            }
            return Ok("");
        }
        let (excluded, part) = text.strip_prefix('-').map_or((false, text), |part| (true, part));
        let (words, rest) = match part.strip_prefix('"') {
            Some(phrase) => phrase.split_once('"').unwrap_or((phrase, "")),
            None => part.split_at(part.find(char::is_whitespace).unwrap_or(part.len())),
        };
        if !words.trim().is_empty() {
            let terms = if excluded { &mut self.excluded } else { &mut self.wanted };
            terms.push(literal(words.trim())?);
        }
        Ok(rest)
    }
}

/// A term for words as they are, with anything blank between them.
fn literal(words: &str) -> Result<Term, Error> {
    let parts: Vec<_> = words.split_whitespace().map(regex::escape).collect();
    Ok(Term { regex: compile(&parts.join(r"\s+"))?, literal: Some(words.to_owned()) })
}

fn compile(pattern: &str) -> Result<Regex, Error> {
    let failed = |position, reason| Error::SearchPattern { pattern: pattern.to_owned(), position, reason };
    // The regex crate says where only in a picture of several lines; its parser says it in numbers.
    let parsed = regex_syntax::ParserBuilder::new().case_insensitive(true).build().parse(pattern);
    parsed.map_err(|error| match error {
        regex_syntax::Error::Parse(error) => failed(column(pattern, error.span()), error.kind().to_string()),
        regex_syntax::Error::Translate(error) => failed(column(pattern, error.span()), error.kind().to_string()),
        other => failed(1, other.to_string()),
    })?;
    let built = RegexBuilder::new(pattern).case_insensitive(true).build();
    built.map_err(|error| failed(1, error.to_string()))
}

/// In characters, from 1.
fn column(pattern: &str, span: &ast::Span) -> usize {
    pattern.get(..span.start.offset).map_or(0, |before| before.chars().count()) + 1
}
