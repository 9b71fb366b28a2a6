//! Visual rows of the text: finding rows, and the cursor's row and column.

use std::ops::Range;

use crate::text::width;
use crate::widgets::edit::{EditText, Position, units};

/// The rows of a text, as of its last layout.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layout<'a> {
    text: &'a EditText,
    /// Rows before the cursor's line, and rows from that line on.
    before: usize,
    rest: usize,
}

/// A visual row: a part of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct VisualRow {
    pub(super) line: usize,
    /// Byte range in the line.
    pub(super) part: Range<usize>,
    /// Whether it is the last row of its line. The end of any other row belongs to the next row.
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

    /// The number of rows.
    pub(super) fn row_count(&self) -> usize {
        self.before + self.rest
    }

    /// Index of the cursor's row.
    pub(super) fn current_row(&self) -> usize {
        self.before + self.row_in_line()
    }

    /// Index of the cursor's row within its line.
    fn row_in_line(&self) -> usize {
        let Position { line, byte } = self.text.cursor();
        self.text.breaks(line).partition_point(|start| *start <= byte)
    }

    /// The rows from an index on, searched outwards from the cursor: most callers want rows near it.
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

    /// The rows of a line, without the first `skipped`.
    fn rows_of(&self, line: usize, skipped: usize) -> impl Iterator<Item = VisualRow> {
        let breaks = self.text.breaks(line);
        let length = self.text.line(line).len();
        (skipped..=breaks.len()).map(move |row| VisualRow {
            line,
            part: row.checked_sub(1).map_or(0, |before| breaks[before])..breaks.get(row).copied().unwrap_or(length),
            is_last: row == breaks.len(),
        })
    }

    /// The cursor's column in its row.
    pub(super) fn current_column(&self) -> usize {
        let Position { line, byte } = self.text.cursor();
        let start = self.row_in_line().checked_sub(1).map_or(0, |before| self.text.breaks(line)[before]);
        width(&self.text.line(line)[start..byte])
    }

    /// The position in a row at a column, or to its left.
    ///
    /// Inside a marker it is the marker's start or, coming from above a marker that starts in an earlier row, its end:
    /// otherwise the cursor could not move down past a marker that spans rows.
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
