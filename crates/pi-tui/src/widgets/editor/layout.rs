//! The rows that the lines of an editor break into, and where the cursor is among them.

use std::ops::Range;

use crate::text::width;
use crate::widgets::edit::{EditText, Position, units};

/// A text in the rows of its last lay-out.
#[derive(Clone, Copy)]
pub(super) struct Layout<'a>(pub(super) &'a EditText);

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
        self.rows_before(self.0.line_count())
    }

    /// In which row, counted from the first of the text, the cursor is.
    pub(super) fn current_row(&self) -> usize {
        let position = self.0.cursor();
        let breaks = self.0.breaks(position.line);
        self.rows_before(position.line) + breaks.partition_point(|start| *start <= position.byte)
    }

    fn rows_before(&self, line: usize) -> usize {
        let heights = self.0.heights();
        heights[..line.min(heights.len())].iter().map(|height| *height as usize).sum()
    }

    /// The rows from one on.
    pub(super) fn rows_from(&self, first: usize) -> impl Iterator<Item = VisualRow> {
        let (mut line, mut skipped) = (0, first);
        for height in self.0.heights().iter().map(|height| *height as usize) {
            if skipped < height {
                break;
            }
            skipped -= height;
            line += 1;
        }
        let others = (line + 1..self.0.line_count()).flat_map(|line| self.rows_of(line, 0));
        self.rows_of(line, skipped).chain(others)
    }

    /// The rows of a line, without its first ones.
    fn rows_of(&self, line: usize, skipped: usize) -> impl Iterator<Item = VisualRow> {
        let breaks = self.0.breaks(line);
        let length = self.0.line(line).len();
        (skipped..=breaks.len()).map(move |row| VisualRow {
            line,
            part: row.checked_sub(1).map_or(0, |before| breaks[before])..breaks.get(row).copied().unwrap_or(length),
            is_last: row == breaks.len(),
        })
    }

    /// The column of the cursor in its row.
    pub(super) fn current_column(&self) -> usize {
        let position = self.0.cursor();
        let breaks = self.0.breaks(position.line);
        let row = breaks.partition_point(|start| *start <= position.byte);
        let start = row.checked_sub(1).map_or(0, |before| breaks[before]);
        width(&self.0.line(position.line)[start..position.byte])
    }

    /// The place in a row that is nearest to a column, at its left.
    ///
    /// Inside a marker it is the marker's start or, when it is reached from above and starts in an earlier row, its end:
    /// otherwise the cursor could not get past a marker that is broken into rows.
    pub(super) fn place_in(&self, index: usize, column: usize) -> Option<Position> {
        let row = self.rows_from(index).next()?;
        let markers = self.0.markers(row.line);
        let text = self.0.line(row.line);
        let (mut used, mut found) = (0, row.part.start);
        for unit in units(text, row.part.clone(), &markers, self.0.columns()) {
            if used + unit.width > column {
                break;
            }
            used += unit.width;
            if unit.to() < row.part.end || row.is_last {
                found = unit.to();
            }
        }
        let marker = markers.iter().find(|marker| marker.start < found && found < marker.end);
        let is_upwards = index < self.current_row();
        let byte = marker.map_or(found, |marker| match is_upwards || row.holds(marker.start) {
            true => marker.start,
            false => marker.end,
        });
        Some(Position::new(row.line, byte))
    }
}
