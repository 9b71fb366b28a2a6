//! What is searched for: words, `"phrases"`, `-exclusions` and `re:patterns`, each by itself, so that they may stand in
//! different messages of a session.

use pi_coding_agent::session::{Error, SearchQuery, SessionInfo};
use pi_tui::fuzzy;

use crate::common::one_line::one_line;

/// What is searched for.
#[derive(Debug, Clone, Default)]
pub(super) struct Query {
    pub(super) terms: Vec<Term>,
}

/// One part of it.
#[derive(Debug, Clone)]
pub(super) struct Term {
    /// For the search through all messages.
    pub(super) text: SearchQuery,
    /// Whether a session that has it is left out.
    pub(super) is_excluded: bool,
    /// Words may have gaps in titles.
    fuzzy: Option<fuzzy::Query>,
}

impl Query {
    /// Reads a query; without a text everything matches.
    ///
    /// # Errors
    /// When a pattern is none.
    pub(super) fn parse(text: &str) -> Result<Self, Error> {
        let mut terms = Vec::new();
        let mut rest = text.trim();
        while !rest.is_empty() {
            let (term, after) = Term::take(rest)?;
            terms.extend(term);
            rest = after.trim_start();
        }
        Ok(Self { terms })
    }

    /// Whether it matches everything.
    pub(super) fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }
}

impl Term {
    fn take(text: &str) -> Result<(Option<Self>, &str), Error> {
        if text.starts_with("re:") {
            let has_pattern = text.len() > "re:".len();
            let term = has_pattern.then(|| SearchQuery::parse(text)).transpose()?;
            return Ok((term.map(|text| Self { text, is_excluded: false, fuzzy: None }), ""));
        }
        let (is_excluded, part) = text.strip_prefix('-').map_or((false, text), |part| (true, part));
        let (words, rest, is_phrase) = match part.strip_prefix('"') {
            Some(phrase) => {
                let (words, rest) = phrase.split_once('"').unwrap_or((phrase, ""));
                (words, rest, true)
            }
            None => {
                let (word, rest) = part.split_at(part.find(char::is_whitespace).unwrap_or(part.len()));
                (word, rest, false)
            }
        };
        if words.trim().is_empty() {
            return Ok((None, rest));
        }
        // Quoted, nothing in it has a meaning of its own; a quote within a word cannot be quoted.
        let quoted = format!("\"{}\"", words.replace('"', " "));
        let term = SearchQuery::parse(&quoted).map(|text| Self {
            text,
            is_excluded,
            fuzzy: (!is_phrase && !is_excluded).then(|| fuzzy::Query::new(words)),
        });
        match term {
            Err(Error::SearchEmpty) => Ok((None, rest)),
            term => Ok((Some(term?), rest)),
        }
    }

    /// Whether what a list says about a session has it: how well, the higher the better.
    pub(super) fn score(&self, session: &SessionInfo) -> Option<u32> {
        const EXACT: u32 = 30;
        const FUZZY: u32 = 8;
        const PLACE: u32 = 5;
        let title = title(session);
        if self.text.matches(&title) {
            return Some(EXACT);
        }
        if self.fuzzy.as_ref().is_some_and(|query| query.score(&short(&title)).is_some()) {
            return Some(FUZZY);
        }
        let has = |text: &str| self.text.matches(text);
        (has(&session.id) || has(&session.cwd) || has(&session.first_message)).then_some(PLACE)
    }
}

/// What a session is called: its name, else what was said first.
pub(super) fn title(session: &SessionInfo) -> String {
    let text = session.name.as_deref().unwrap_or(&session.first_message);
    one_line(text)
}

/// In a long text any few letters are found in their order.
fn short(title: &str) -> String {
    const LONGEST: usize = 60;
    title.chars().take(LONGEST).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::session;
    use super::*;

    #[test]
    fn parts_are_looked_for_by_themselves() {
        let one = session("a", None, "Mend the frame engine", 1);
        for (text, expected) in [
            ("", true),
            ("engine frame", true),
            ("frmeng", true),
            ("\"frame engine\"", true),
            ("\"engine frame\"", false),
            ("engine -frame", false),
            ("re:^mend.*engine$", true),
            ("re:^engine", false),
            ("re:", true),
            ("\"", true),
            ("/home/demo", true),
            ("a\"b", false),
        ] {
            let query = Query::parse(text).unwrap();
            let fits = query.terms.iter().all(|term| term.score(&one).is_some() != term.is_excluded);
            assert_eq!(fits, expected, "{text}");
        }
        assert!(Query::parse("re:(").is_err());
    }
}
