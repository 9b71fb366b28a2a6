//! A text that is looked for in the sources of blocks.

use std::ops::Range;
use std::sync::Arc;

use pi_tui::text::{Attributes, Line, Row};
use regex::{Regex, RegexBuilder};

use super::items::Item;

/// A search and what it found.
#[derive(Debug, Default)]
pub(super) struct Search {
    pub(super) needle: String,
    /// What fits; nothing where nothing is looked for.
    pattern: Option<Regex>,
    /// Blocks in which it occurs; nothing as long as it is looked for.
    pub(super) hits: Option<Vec<usize>>,
    /// The one that is shown.
    pub(super) at: usize,
}

impl Search {
    /// A search for a text, or between slashes for a regular expression.
    ///
    /// # Errors
    /// What is wrong with the expression.
    pub(super) fn new(needle: &str) -> Result<Self, String> {
        let pattern = if needle.is_empty() { None } else { Some(pattern(needle)?) };
        Ok(Self { needle: needle.to_owned(), pattern, hits: None, at: 0 })
    }

    /// What fits, for looking beside the loop.
    pub(super) fn pattern(&self) -> Option<Regex> {
        self.pattern.clone()
    }

    /// What was found: the first of them at or after a block is shown.
    pub(super) fn found(&mut self, hits: Vec<usize>, from: usize) -> Option<usize> {
        self.at = hits.iter().position(|hit| *hit >= from).unwrap_or_default();
        let first = hits.get(self.at).copied();
        self.hits = Some(hits);
        first
    }

    /// Looks for it in blocks that are new or have changed; what was found before stays.
    pub(super) fn look_at(&mut self, changed: &[usize], items: &[Item]) {
        let (Some(hits), Some(pattern)) = (self.hits.as_mut(), &self.pattern) else { return };
        let shown = hits.get(self.at).copied();
        hits.extend(changed.iter().filter(|at| items.get(**at).is_some_and(|item| occurs(pattern, &item.source()))));
        hits.sort_unstable();
        hits.dedup();
        self.at = shown.and_then(|shown| hits.iter().position(|hit| *hit == shown)).unwrap_or_default();
    }

    /// The next one, or the one before; round the ends.
    pub(super) fn step(&mut self, forward: bool) -> Option<usize> {
        let hits = self.hits.as_ref().filter(|hits| !hits.is_empty())?;
        let count = hits.len();
        self.at = if forward { (self.at + 1) % count } else { (self.at + count - 1) % count };
        hits.get(self.at).copied()
    }

    /// How many there are, for the title.
    pub(super) fn count(&self) -> String {
        match &self.hits {
            None => format!("{:?}: searching", self.needle),
            Some(hits) if hits.is_empty() => format!("{:?}: not found", self.needle),
            Some(hits) => format!("{:?}: {} of {} blocks", self.needle, self.at + 1, hits.len()),
        }
    }

    /// A row with the places marked where the text occurs; nothing where it does not. All else stays as it is.
    pub(super) fn mark(&self, row: &Row, columns: u16) -> Option<Row> {
        let line = Line::from_ansi(row.text());
        let text = line.text();
        let places: Vec<_> = places(self.pattern.as_ref()?, &text).collect();
        if places.is_empty() {
            return None;
        }
        Some(Row::new(&marked(&line, &places), columns).filled(row.fill()))
    }
}

/// A line with these places of its text turned to the other colours.
fn marked(line: &Line, places: &[Range<usize>]) -> Line {
    let mut out = Line::new();
    let mut begin = 0;
    for span in &line.spans {
        let end = begin + span.text.len();
        let mut at = begin;
        for place in places.iter().filter(|place| place.start < end && place.end > begin) {
            let (from, to) = (place.start.max(begin), place.end.min(end));
            out.push_linked(&span.text[at - begin..from - begin], span.style, span.link.as_ref());
            let style = span.style.with(Attributes::INVERSE);
            out.push_linked(&span.text[from - begin..to - begin], style, span.link.as_ref());
            at = to;
        }
        out.push_linked(&span.text[at - begin..], span.style, span.link.as_ref());
        begin = end;
    }
    out
}

/// The blocks in which it occurs. Takes a pass over all of them: not for the task that draws.
fn find(items: &[Item], pattern: &Regex) -> Vec<usize> {
    (0..items.len()).filter(|at| occurs(pattern, &items[*at].source())).collect()
}

/// The same beside the loop.
pub(super) async fn find_all(items: Arc<Vec<Item>>, pattern: Regex) -> Vec<usize> {
    tokio::task::spawn_blocking(move || find(&items, &pattern)).await.unwrap_or_default()
}

/// What a needle fits. Capitals count only if it has some, those of classes such as `\S` left aside.
fn pattern(needle: &str) -> Result<Regex, String> {
    let expression = needle.strip_prefix('/').and_then(|rest| rest.strip_suffix('/')).filter(|inner| !inner.is_empty());
    let is_exact = has_capitals(needle, expression.is_some());
    let source = expression.map_or_else(|| regex::escape(needle), str::to_owned);
    let built = RegexBuilder::new(&source).case_insensitive(!is_exact).multi_line(true).build();
    built.map_err(|error| {
        let error = error.to_string();
        let why = error.lines().last().unwrap_or_default().trim_start_matches("error: ");
        format!("{needle} is no regular expression: {why}")
    })
}

fn has_capitals(text: &str, is_expression: bool) -> bool {
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        if is_expression && letter == '\\' {
            letters.next();
        } else if letter.is_uppercase() {
            return true;
        }
    }
    false
}

fn occurs(pattern: &Regex, text: &str) -> bool {
    places(pattern, text).next().is_some()
}

/// Where it occurs, by bytes. What fits nothing at all is no place.
fn places<'a>(pattern: &'a Regex, text: &'a str) -> impl Iterator<Item = Range<usize>> + 'a {
    pattern.find_iter(text).map(|found| found.range()).filter(|place| !place.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use pi_tui::text::Style;

    #[test]
    fn places_of_a_text() {
        for (text, needle, expected) in [
            ("one One two", "one", vec![0, 4]),
            ("one One two", "One", vec![4]),
            ("aaaa", "aa", vec![0, 2]),
            ("größe GRÖSSE GRÖßE", "größe", vec![0, 16]),
            ("日本語", "本", vec![3]),
            ("a", "longer", vec![]),
            ("a.c abc", "a.c", vec![0]),
            ("a.c abc", "/a.c/", vec![0, 4]),
            ("Abc abc", "/A.c/", vec![0]),
            // A class is no capital.
            ("a1 B2", r"/[a-z]\S/", vec![0, 3]),
            ("one\ntwo", "/^two$/", vec![4]),
            ("either/or", "/", vec![6]),
            ("a//b", "//", vec![1]),
            ("abc", "/x*/", vec![]),
        ] {
            let pattern = pattern(needle).unwrap();
            let found: Vec<_> = places(&pattern, text).map(|place| place.start).collect();
            assert_eq!(found, expected, "{text} {needle}");
        }
        assert_eq!(pattern("/a(/").unwrap_err(), "/a(/ is no regular expression: unclosed group");
    }

    #[test]
    fn a_search_goes_round() {
        let mut search = Search::new("x").unwrap();
        assert_eq!(search.count(), "\"x\": searching");
        assert_eq!(search.found(vec![2, 5, 9], 4), Some(5));
        assert_eq!((search.step(true), search.step(true), search.step(false)), (Some(9), Some(2), Some(9)));
        assert_eq!(search.count(), "\"x\": 3 of 3 blocks");
        assert_eq!(search.found(Vec::new(), 0), None);
        assert_eq!((search.step(true), search.count()), (None, "\"x\": not found".to_owned()));
    }

    #[test]
    fn what_is_found_is_marked_and_all_keeps_its_colours() {
        let row = Row::new(&Line::styled("one ", Style::PLAIN.bold()).and("two", Style::PLAIN.italic()), 20);
        for (needle, expected) in [
            (
                "two",
                Line::styled("one ", Style::PLAIN.bold()).and("two", Style::PLAIN.italic().with(Attributes::INVERSE)),
            ),
            (
                "e t",
                Line::styled("on", Style::PLAIN.bold())
                    .and("e ", Style::PLAIN.bold().with(Attributes::INVERSE))
                    .and("t", Style::PLAIN.italic().with(Attributes::INVERSE))
                    .and("wo", Style::PLAIN.italic()),
            ),
        ] {
            let marked = Search::new(needle).unwrap().mark(&row, 20).unwrap();
            assert_eq!(marked.text(), Row::new(&expected, 20).text(), "{needle}");
        }
        assert!(Search::new("three").unwrap().mark(&row, 20).is_none());
        assert!(Search::new("").unwrap().mark(&row, 20).is_none());
    }
}
