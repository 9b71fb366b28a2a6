//! What of a line is text, and what was added to show it: for copying what was written instead of what is seen.

use std::ops::Range;

use super::line::Line;
use super::row::{Piece, Row, pieces};
use super::style::Attributes;
use super::width::clusters;

/// Where the text of a line or row begins, and how it goes on.
///
/// Nothing of it is seen, so that lines and rows that differ in it alone are the same.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Origin {
    /// So many columns stand before the text: margins, marks of quotes, numbers of lines.
    pub(super) lead: u16,
    /// The text goes on below, after so many blanks that are not shown; otherwise its line ends here.
    pub(super) goes_on: Option<u16>,
}

impl PartialEq for Origin {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Origin {}

impl Line {
    /// The line behind something that is no part of its text.
    #[must_use]
    pub fn behind(&self, margin: &Self) -> Self {
        let mut out = margin.clone();
        out.append(self);
        let lead = usize::from(self.origin.lead) + margin.width();
        out.origin = Origin { lead: u16::try_from(lead).unwrap_or(u16::MAX), ..self.origin };
        out
    }

    /// The line behind something that belongs to its text.
    #[must_use]
    pub fn continuing(&self, beginning: &Self) -> Self {
        let mut out = beginning.clone();
        out.append(self);
        out.origin.goes_on = self.origin.goes_on;
        out
    }
}

impl Row {
    /// The text in these columns, without what stands before it.
    pub(crate) fn text_in(&self, columns: Range<u16>) -> String {
        let columns = usize::from(columns.start.max(self.origin.lead))..usize::from(columns.end);
        let (mut at, mut out) = (0, String::new());
        for piece in pieces(self.text()) {
            let Piece::Text(text) = piece else { continue };
            for (cluster, width) in clusters(text) {
                // Half of a wide character is all of it.
                if at < columns.end && at + width.max(1) > columns.start {
                    out.push_str(cluster);
                }
                at += width;
            }
        }
        out
    }

    /// How many blanks are left out where the text goes on in the next row, if it does.
    pub(crate) fn goes_on(&self) -> Option<u16> {
        self.origin.goes_on
    }

    /// The row with these columns turned to the other colours, as far as they have text.
    #[must_use]
    pub fn inverted(&self, columns: Range<u16>, width: u16) -> Self {
        let columns = usize::from(columns.start.max(self.origin.lead))..usize::from(columns.end);
        let (mut at, mut out) = (0, Line::new());
        for span in &Line::from_ansi(self.text()).spans {
            for (cluster, width) in clusters(&span.text) {
                let is_in = at < columns.end && at + width.max(1) > columns.start;
                let style = if is_in { span.style.with(Attributes::INVERSE) } else { span.style };
                out.push_linked(cluster, style, span.link.as_ref());
                at += width;
            }
        }
        let row = Self::new(&out, width).filled(self.fill());
        match self.mark() {
            Some(mark) => row.marked(mark),
            None => row,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{Style, wrap};

    #[test]
    fn text_is_what_was_written() {
        let margin = Line::from("│ ");
        let line = Line::from("one  two ").and("日本語", Style::PLAIN.bold());
        let rows: Vec<Row> = wrap(&line, 8).iter().map(|line| Row::new(&line.behind(&margin), 20)).collect();
        let texts: Vec<_> = rows.iter().map(|row| (row.text_in(0..20), row.goes_on())).collect();
        assert_eq!(texts, [("one  two".to_owned(), Some(1)), ("日本語".to_owned(), None)]);
        assert_eq!(rows[0].text_in(4..6), "e ");
        assert_eq!(rows[1].text_in(3..5), "日本");
        assert_eq!(rows[1].inverted(4..6, 20).text(), "│ \x1b[1m日\x1b[0m\x1b[1;7m本\x1b[0m\x1b[1m語\x1b[0m");
        assert_eq!(Row::blank().text_in(0..9), "");
        assert_eq!(rows[0], Row::new(&Line::from("│ one  two"), 20), "it is not seen");
    }
}
