//! The rows that the lines of an editor break into, and where the cursor is among them.

use std::ops::Range;

use crate::widgets::edit::{EditText, Position, units};

/// A text in rows of so many columns.
#[derive(Clone, Copy)]
pub(super) struct Layout<'a> {
    pub(super) text: &'a EditText,
    pub(super) columns: usize,
}

/// A row: a part of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct VisualRow {
    pub(super) line: usize,
    /// The bytes of the line that are in it.
    pub(super) part: Range<usize>,
    /// Whether the line ends with it. Elsewhere the end of a row is the beginning of the next.
    pub(super) is_last: bool,
}

impl VisualRow {
    fn holds(&self, byte: usize) -> bool {
        self.part.start <= byte && (byte < self.part.end || self.is_last)
    }
}

impl Layout<'_> {
    /// How many rows there are.
    pub(super) fn row_count(&self) -> usize {
        self.rows_before(self.text.line_count())
    }

    /// In which row, counted from the first of the text, a place is.
    pub(super) fn row_of(&self, position: Position) -> usize {
        let breaks = self.text.breaks(position.line, self.columns);
        self.rows_before(position.line) + breaks.partition_point(|start| *start <= position.byte)
    }

    fn rows_before(&self, line: usize) -> usize {
        (0..line).map(|line| self.text.breaks(line, self.columns).len() + 1).sum()
    }

    /// The rows from one on.
    pub(super) fn rows_from(&self, first: usize) -> impl Iterator<Item = VisualRow> {
        let (mut line, mut skipped) = (0, first);
        while line < self.text.line_count() && skipped > self.text.breaks(line, self.columns).len() {
            skipped -= self.text.breaks(line, self.columns).len() + 1;
            line += 1;
        }
        (line..self.text.line_count()).flat_map(|line| self.rows_of(line)).skip(skipped)
    }

    fn rows_of(&self, line: usize) -> impl Iterator<Item = VisualRow> {
        let breaks = self.text.breaks(line, self.columns);
        let length = self.text.line(line).len();
        (0..=breaks.len()).map(move |row| VisualRow {
            line,
            part: row.checked_sub(1).map_or(0, |before| breaks[before])..breaks.get(row).copied().unwrap_or(length),
            is_last: row == breaks.len(),
        })
    }

    /// The column of a place in its row.
    pub(super) fn column_of(&self, position: Position) -> usize {
        let row = self.rows_of(position.line).find(|row| row.holds(position.byte));
        row.map_or(0, |row| self.width(position.line, row.part.start..position.byte))
    }

    fn width(&self, line: usize, part: Range<usize>) -> usize {
        crate::text::width(&self.text.line(line)[part])
    }

    /// The place in a row that is nearest to a column, at its left.
    ///
    /// Inside a marker it is the marker's start or, when it is reached from above and starts in an earlier row, its end:
    /// otherwise the cursor could not get past a marker that is broken into rows.
    pub(super) fn place_in(&self, index: usize, column: usize) -> Option<Position> {
        let row = self.rows_from(index).next()?;
        let markers = self.text.markers(row.line);
        let text = self.text.line(row.line);
        let (mut used, mut found) = (0, row.part.start);
        for unit in units(text, row.part.clone(), &markers, self.columns) {
            if used + unit.width > column {
                break;
            }
            used += unit.width;
            if unit.to() < row.part.end || row.is_last {
                found = unit.to();
            }
        }
        let marker = markers.iter().find(|marker| marker.start < found && found < marker.end);
        let is_upwards = index < self.row_of(self.text.cursor());
        let byte = marker.map_or(found, |marker| match is_upwards || row.holds(marker.start) {
            true => marker.start,
            false => marker.end,
        });
        Some(Position::new(row.line, byte))
    }
}
