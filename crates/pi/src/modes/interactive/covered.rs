//! The rows of a frame with what lies over them.

use std::collections::BTreeMap;

use pi_tui::screen::Size;
use pi_tui::text::Row;

use super::surface::Overlaid;

/// Rows that have something over them.
#[derive(Debug, Default)]
pub(super) struct Covered {
    changed: BTreeMap<usize, Row>,
    /// The first of them.
    pub(super) first: Option<usize>,
    /// Where the caret stands in what lies over the rest.
    pub(super) caret: Option<(usize, u16)>,
    blank: Row,
    /// How many rows the frame has at least.
    height: usize,
}

impl Covered {
    /// Lays this over the rows that a window of this size shows: its last ones.
    pub(super) fn of(rows: &[&Row], over: &[Overlaid], size: Size) -> Self {
        let mut covered = Self::default();
        let window = usize::from(size.rows);
        let top = rows.len().saturating_sub(window);
        for overlaid in over {
            let begin = top + usize::from(overlaid.row);
            let room = (top + window).saturating_sub(begin);
            for (at, row) in overlaid.rows.iter().take(room).enumerate() {
                let index = begin + at;
                let below = covered.changed.get(&index).or(rows.get(index).copied()).unwrap_or(&covered.blank);
                let row = below.overlaid(row, overlaid.column, overlaid.wide, size.columns);
                covered.changed.insert(index, row);
            }
            covered.height = covered.height.max(begin + overlaid.rows.len().min(room));
            if let Some((row, column)) = overlaid.caret.filter(|(row, _)| *row < room) {
                covered.caret = Some((begin + row, overlaid.column + column));
            }
        }
        covered.first = covered.changed.keys().next().copied();
        covered
    }

    /// All rows of the frame.
    pub(super) fn rows<'a>(&'a self, mut rows: Vec<&'a Row>) -> Vec<&'a Row> {
        while rows.len() < self.height {
            rows.push(&self.blank);
        }
        for (index, row) in &self.changed {
            if let Some(place) = rows.get_mut(*index) {
                *place = row;
            }
        }
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_the_window_are_covered_and_missing_ones_are_made() {
        let size = Size::new(10, 3);
        let row = |text: &str| Row::new(&text.into(), 10);
        let drawn = ["one", "two", "three", "four"].map(row);
        let rows: Vec<&Row> = drawn.iter().collect();
        let over =
            [Overlaid { row: 1, column: 2, wide: 2, rows: vec![row("AB"), row("C"), row("D")], caret: Some((1, 1)) }];
        let covered = Covered::of(&rows, &over, size);
        let texts: Vec<_> = covered.rows(rows).iter().map(|row| row.text()).collect();
        assert_eq!(texts, ["one", "two", "thABe", "foC "]);
        assert_eq!((covered.first, covered.caret), (Some(2), Some((3, 3))));
        let covered = Covered::of(&[], &over, size);
        let texts: Vec<_> = covered.rows(Vec::new()).iter().map(|row| row.text().to_owned()).collect();
        assert_eq!(texts, ["", "  AB", "  C "]);
    }
}
