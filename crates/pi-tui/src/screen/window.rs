//! The alternate screen: a whole window, painted row by row.

use std::fmt::Write;

use crate::text::Row;

use super::Size;
use super::painter::{Cursor, Painter};
use super::pictures;

/// A view over the whole window, on the alternate screen: nothing in it becomes history.
#[derive(Debug, Default)]
pub struct Window {
    rows: Vec<Row>,
    size: Option<Size>,
    shows_cursor: bool,
}

impl Window {
    /// Enters the alternate screen.
    pub fn enter(out: &mut String) -> Self {
        out.push_str("\x1b[?1049h\x1b[?25l");
        Self::default()
    }

    /// Leaves the alternate screen. The main screen is as it was, its cursor visible or not as the next frame says.
    pub fn leave(self, out: &mut String) {
        if self.shows_cursor {
            out.push_str("\x1b[?25l");
        }
        out.push_str("\x1b[?1049l");
    }

    /// Writes what changes the window into these rows, top down; rows that do not fit are left out, missing ones are empty.
    /// The cursor is visible where there is a caret.
    pub fn paint(&mut self, rows: &[&Row], caret: Option<(usize, u16)>, size: Size, out: &mut String) {
        let blank = Row::blank();
        let is_disturbed =
            |(at, old): (usize, &Row)| old.image().is_some() && rows.get(at).is_none_or(|new| *new != old);
        if self.size != Some(size) || self.rows.iter().enumerate().any(is_disturbed) {
            pictures::erase(&self.rows, out);
            out.push_str("\x1b[H\x1b[2J");
            self.size = Some(size);
            self.rows = vec![blank.clone(); size.height()];
        }
        for (at, old) in self.rows.iter_mut().enumerate() {
            let new = rows.get(at).copied().unwrap_or(&blank).fitting(size.columns);
            if *old == *new {
                continue;
            }
            // Writing to a string does not fail.
            let _ = write!(out, "\x1b[{}H", at + 1);
            let cursor = Cursor { row: at, column: Some(0) };
            Painter { out, cursor, columns: size.columns, erases_first: false }.rewrite(at, old, &new);
            *old = new.into_owned();
        }
        self.park(caret, size, out);
    }

    fn park(&mut self, caret: Option<(usize, u16)>, size: Size, out: &mut String) {
        let caret = caret.filter(|(row, _)| *row < size.height());
        if let Some((row, column)) = caret {
            let _ = write!(out, "\x1b[{};{}H", row + 1, column.min(size.columns - 1) + 1);
        }
        if self.shows_cursor != caret.is_some() {
            self.shows_cursor = caret.is_some();
            out.push_str(if self.shows_cursor { "\x1b[?25h" } else { "\x1b[?25l" });
        }
    }
}
