//! Moving the cursor and writing rows, with as few bytes as it takes.

use std::fmt::Write;

use crate::text::{Color, Mark, Row, RowImage};

use super::cells::{Cells, erase_rest, is_disputed};

/// Where the cursor is: a row counted from the first that is ours, and a column unless a full row has been written, after
/// which terminals differ.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Cursor {
    pub(super) row: usize,
    pub(super) column: Option<u16>,
}

/// Erases the row from its first column on, and what is below. Not from the first cell: where that is the window's first one,
/// tmux would put the whole window into its history.
pub(super) const ERASE_BELOW: &str = "\x1b[K\x1b[C\x1b[J\r";

/// Writes into a text and keeps account of the cursor.
#[derive(Debug)]
pub(super) struct Painter<'a> {
    pub(super) out: &'a mut String,
    pub(super) cursor: Cursor,
    pub(super) columns: u16,
    /// Whether a row is erased before it becomes shorter, see [`Reflow::Erased`](super::Reflow::Erased).
    pub(super) erases_first: bool,
}

impl Painter<'_> {
    pub(super) fn move_to(&mut self, row: usize, column: u16) {
        self.move_to_row(row);
        self.move_to_column(column);
    }

    pub(super) fn move_to_row(&mut self, row: usize) {
        let now = self.cursor.row;
        if row < now {
            self.csi(now - row, 'A');
        } else if row > now {
            self.csi(row - now, 'B');
        }
        self.cursor.row = row;
    }

    fn move_to_column(&mut self, column: u16) {
        match self.cursor.column {
            Some(now) if now == column => return,
            _ if column == 0 => self.out.push('\r'),
            Some(now) if now == column + 1 => self.out.push('\x08'),
            _ => self.csi(usize::from(column) + 1, 'G'),
        }
        self.cursor.column = Some(column);
    }

    /// Moves down by so many rows; those that are not there yet come from the bottom.
    pub(super) fn feed(&mut self, rows: usize) {
        self.out.extend(std::iter::repeat_n('\n', rows));
        self.cursor.row += rows;
    }

    /// Begins the next row, which comes from the bottom if there is none.
    pub(super) fn next_row(&mut self) {
        self.move_to_column(0);
        self.feed(1);
    }

    pub(super) fn insert_rows(&mut self, rows: usize) {
        self.move_to_column(0);
        self.csi(rows, 'L');
    }

    pub(super) fn delete_rows(&mut self, rows: usize) {
        self.move_to_column(0);
        self.csi(rows, 'M');
    }

    /// Erases a row from its first column on, where the cursor is.
    pub(super) fn erase_row(&mut self) {
        self.out.push_str("\x1b[K");
    }

    /// Erases from the first column of a row on; the cursor stays there.
    pub(super) fn erase_below(&mut self) {
        self.out.push_str(ERASE_BELOW);
    }

    /// Writes a whole row from its first column; `over` tells that something is there.
    pub(super) fn row(&mut self, row: &Row, over: bool) {
        self.move_to_column(0);
        // Of such a row only the text is sure: all else has to be as it is to be before.
        let placed = is_disputed(row).then(|| Cells::of(row));
        let is_erased = placed.is_some() || (over && self.erases_first);
        if is_erased {
            erase_rest(if placed.is_some() { row.fill() } else { Color::Default }, self.out);
        }
        if matches!(row.mark(), Some(Mark::Begin | Mark::Whole)) {
            self.out.push_str("\x1b]133;A\x07");
        }
        match &placed {
            Some(cells) => cells.write_placed(self.columns, row.fill(), self.out),
            None => self.out.push_str(row.text()),
        }
        self.cursor.column = self.column_behind(row.width());
        if placed.is_none() && (row.fill() != Color::Default || (over && !is_erased)) {
            self.erase_rest(row);
        }
        if let Some(place) = row.image().and_then(RowImage::place) {
            self.out.push_str(place);
        }
        if matches!(row.mark(), Some(Mark::End | Mark::Whole)) {
            self.out.push_str("\x1b]133;B\x07\x1b]133;C\x07");
        }
    }

    /// Erases behind the cursor, with the row's colour. Behind a full row there is nothing, and terminals that wait there to
    /// wrap would erase the last cell.
    fn erase_rest(&mut self, row: &Row) {
        if self.cursor.column.is_some() {
            erase_rest(row.fill(), self.out);
        }
    }

    fn column_behind(&self, width: u16) -> Option<u16> {
        Some(width).filter(|width| *width < self.columns)
    }

    /// Makes one row another, at a place on the screen.
    pub(super) fn rewrite(&mut self, at: usize, old: &Row, new: &Row) {
        if old == new {
            return;
        }
        if self.erases_first && new.width() < old.width() {
            self.move_to(at, 0);
            return self.row(new, true);
        }
        let (before, after) = (Cells::of(old), Cells::of(new));
        let rest_differs = old.fill() != new.fill() || new.width() < old.width();
        let changed = after.changed_since(&before, !rest_differs).filter(|_| is_text(old, new));
        let Some(changed) = changed else {
            self.move_to(at, 0);
            return self.row(new, true);
        };
        self.move_to(at, after.column(changed.first));
        after.write(changed, self.out);
        self.cursor.column = self.column_behind(after.column(changed.end));
        if rest_differs {
            self.erase_rest(new);
        }
    }

    fn csi(&mut self, count: usize, kind: char) {
        self.out.push_str("\x1b[");
        if count != 1 {
            // Writing to a string does not fail.
            let _ = write!(self.out, "{count}");
        }
        self.out.push(kind);
    }
}

/// Whether two rows differ in their text alone.
fn is_text(old: &Row, new: &Row) -> bool {
    old.mark() == new.mark() && old.image().is_none() && new.image().is_none()
}
