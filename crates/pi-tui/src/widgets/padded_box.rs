//! Boxes: a background over the whole width, with room around what is inside.

use crate::text::{Color, Line, Row, Style, wrap};

/// A box without a border. Its background goes to the edge of the window, whatever stands in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Boxed {
    /// The colour behind everything.
    pub background: Color,
    /// Columns left free on either side.
    pub padding: u16,
    /// Rows left free above and below.
    pub margin: u16,
}

impl Boxed {
    /// A box with one column and one row around what is inside.
    pub const fn new(background: Color) -> Self {
        Self { background, padding: 1, margin: 1 }
    }

    /// Columns for what is inside.
    pub fn inner(&self, columns: u16) -> u16 {
        columns.saturating_sub(self.padding.saturating_mul(2)).max(1)
    }

    /// An empty row.
    pub fn blank(&self) -> Row {
        Row::blank().filled(self.background)
    }

    /// A line, which is cut where it is too long.
    pub fn row(&self, line: &Line, columns: u16) -> Row {
        let padding = Line::from(" ".repeat(self.padding.into()).as_str());
        let padded = if line.is_empty() { line.clone() } else { line.behind(&padding) };
        Row::new(&padded.over(Style::PLAIN.background(self.background)), columns).filled(self.background)
    }

    /// The whole box around lines, which are wrapped.
    pub fn rows<'a>(&self, lines: impl IntoIterator<Item = &'a Line>, columns: u16) -> Vec<Row> {
        let wrapped = lines.into_iter().flat_map(|line| wrap(line, self.inner(columns).into()));
        self.around(wrapped.map(|line| self.row(&line, columns)))
    }

    /// The whole box around rows that have its background, such as those of Markdown with it.
    pub fn around(&self, rows: impl IntoIterator<Item = Row>) -> Vec<Row> {
        let margin = || std::iter::repeat_n(self.blank(), self.margin.into());
        margin().chain(rows).chain(margin()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backgrounds_are_behind_everything() {
        let lines = [Line::from("one two").and("!", Style::PLAIN.bold()), Line::new()];
        let rows = Boxed::new(Color::Indexed(4)).rows(&lines, 7);
        let texts: Vec<&str> = rows.iter().map(Row::text).collect();
        assert_eq!(texts, ["", "\x1b[44m one\x1b[0m", "\x1b[44m two\x1b[0m\x1b[1;44m!\x1b[0m", "", ""]);
        assert!(rows.iter().all(|row| row.fill() == Color::Indexed(4)));
    }
}
