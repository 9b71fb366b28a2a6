//! The rows that the lines of an editor break into, and where the cursor is among them.

use std::ops::Range;

use crate::text::width;
use crate::widgets::edit::{EditText, Position, units};

/// A text in the rows of its last lay-out.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layout<'a> {
    text: &'a EditText,
    /// How many rows stand before the cursor's line, and how many from it on.
    before: usize,
    rest: usize,
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

impl<'a> Layout<'a> {
    pub(super) fn new(text: &'a EditText) -> Self {
        let (before, rest) = text.heights().split_at(text.cursor().line);
        let rows = |heights: &[u32]| heights.iter().sum::<u32>() as usize;
        Self { text, before: rows(before), rest: rows(rest) }
    }

    /// How many rows there are.
    pub(super) fn row_count(&self) -> usize {
        self.before + self.rest
    }

    /// In which row, counted from the first of the text, the cursor is.
    pub(super) fn current_row(&self) -> usize {
        self.before + self.row_in_line()
    }

    /// In which row of its line the cursor is.
    fn row_in_line(&self) -> usize {
        let Position { line, byte } = self.text.cursor();
        self.text.breaks(line).partition_point(|start| *start <= byte)
    }

    /// The rows from one on. Rows far from the cursor take longer to find.
    pub(super) fn rows_from(&self, first: usize) -> impl Iterator<Item = VisualRow> {
        let heights = self.text.heights();
        let (mut line, mut before) = (self.text.cursor().line, self.before);
        while first < before && line > 0 {
            line -= 1;
            before -= heights[line] as usize;
        }
        while line + 1 < heights.len() && first >= before + heights[line] as usize {
            before += heights[line] as usize;
            line += 1;
        }
        let others = (line + 1..heights.len()).flat_map(|line| self.rows_of(line, 0));
        self.rows_of(line, first - before).chain(others)
    }

    /// The rows of a line, without its first ones.
    fn rows_of(&self, line: usize, skipped: usize) -> impl Iterator<Item = VisualRow> {
        let breaks = self.text.breaks(line);
        let length = self.text.line(line).len();
        (skipped..=breaks.len()).map(move |row| VisualRow {
            line,
            part: row.checked_sub(1).map_or(0, |before| breaks[before])..breaks.get(row).copied().unwrap_or(length),
            is_last: row == breaks.len(),
        })
    }

    /// The column of the cursor in its row.
    pub(super) fn current_column(&self) -> usize {
        let Position { line, byte } = self.text.cursor();
        let start = self.row_in_line().checked_sub(1).map_or(0, |before| self.text.breaks(line)[before]);
        width(&self.text.line(line)[start..byte])
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
        for unit in units(text, row.part.clone(), &markers, self.text.columns()) {
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
