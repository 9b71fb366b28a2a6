//! A text that is looked for in the sources of blocks.

use std::sync::Arc;

use pi_tui::text::{Attributes, Line, Row, Style};

use super::items::Item;

/// A search and what it found.
#[derive(Debug, Default)]
pub(super) struct Search {
    pub(super) needle: String,
    /// Blocks in which it occurs; nothing as long as it is looked for.
    pub(super) hits: Option<Vec<usize>>,
    /// The one that is shown.
    pub(super) at: usize,
}

impl Search {
    pub(super) fn new(needle: &str) -> Self {
        Self { needle: needle.to_owned(), hits: None, at: 0 }
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
        let Some(hits) = self.hits.as_mut().filter(|_| !self.needle.is_empty()) else { return };
        let shown = hits.get(self.at).copied();
        let occurs =
            |at: &&usize| items.get(**at).is_some_and(|item| places(&item.source(), &self.needle).next().is_some());
        hits.extend(changed.iter().filter(occurs));
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

    /// A row with the places marked where the text occurs.
    pub(super) fn mark(&self, row: &Row, columns: u16) -> Option<Row> {
        let text = Line::from_ansi(row.text()).text();
        let mut places = places(&text, &self.needle).peekable();
        places.peek()?;
        let marked = Style::PLAIN.with(Attributes::INVERSE);
        let (mut line, mut from) = (Line::new(), 0);
        for place in places {
            line.push(&text[from..place], Style::PLAIN);
            from = place + self.needle.len();
            line.push(&text[place..from], marked);
        }
        line.push(&text[from..], Style::PLAIN);
        Some(Row::new(&line, columns).filled(row.fill()))
    }
}

/// The blocks in which a text occurs. Takes a pass over all of them: not for the task that draws.
pub(super) fn find(items: &[Item], needle: &str) -> Vec<usize> {
    let occurs = |item: &Item| places(&item.source(), needle).next().is_some();
    (0..items.len()).filter(|at| occurs(&items[*at])).collect()
}

/// The same beside the loop.
pub(super) async fn find_all(items: Arc<Vec<Item>>, needle: String) -> Vec<usize> {
    tokio::task::spawn_blocking(move || find(&items, &needle)).await.unwrap_or_default()
}

/// Where a text occurs, by bytes. Capitals count only if the needle has some; other letters are compared as they are written.
fn places<'a>(text: &'a str, needle: &'a str) -> impl Iterator<Item = usize> + 'a {
    let is_exact = needle.chars().any(char::is_uppercase);
    let mut from = 0;
    std::iter::from_fn(move || {
        while !needle.is_empty() && from + needle.len() <= text.len() {
            let (place, end) = (from, from + needle.len());
            from += 1;
            let Some(piece) = text.get(place..end) else { continue };
            if piece == needle || (!is_exact && piece.eq_ignore_ascii_case(needle)) {
                from = end;
                return Some(place);
            }
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_of_a_text() {
        for (text, needle, expected) in [
            ("one One two", "one", vec![0, 4]),
            ("one One two", "One", vec![4]),
            ("aaaa", "aa", vec![0, 2]),
            ("größe GRÖSSE", "größe", vec![0]),
            ("日本語", "本", vec![3]),
            ("text", "", vec![]),
            ("a", "longer", vec![]),
        ] {
            assert_eq!(places(text, needle).collect::<Vec<_>>(), expected, "{text} {needle}");
        }
    }

    #[test]
    fn a_search_goes_round() {
        let mut search = Search::new("x");
        assert_eq!(search.count(), "\"x\": searching");
        assert_eq!(search.found(vec![2, 5, 9], 4), Some(5));
        assert_eq!((search.step(true), search.step(true), search.step(false)), (Some(9), Some(2), Some(9)));
        assert_eq!(search.count(), "\"x\": 3 of 3 blocks");
        assert_eq!(search.found(Vec::new(), 0), None);
        assert_eq!((search.step(true), search.count()), (None, "\"x\": not found".to_owned()));
    }

    #[test]
    fn what_is_found_is_marked_in_its_row() {
        let row = Row::new(&Line::styled("one two", Style::PLAIN.bold()), 20);
        let marked = Search::new("two").mark(&row, 20).unwrap();
        assert_eq!(marked.text(), "one \x1b[7mtwo\x1b[0m");
        assert!(Search::new("three").mark(&row, 20).is_none());
    }
}
