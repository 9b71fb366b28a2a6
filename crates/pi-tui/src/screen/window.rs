//! The alternate screen: a whole window, painted row by row.

use std::borrow::Cow;
use std::fmt::Write;

use crate::text::Row;

use super::painter::{Cursor, Painter};
use super::pictures;
use super::shift::Shift;
use super::{Frame, Insert, ScreenOptions, Size};

/// A view over the whole window, on the alternate screen: nothing in it becomes history.
#[derive(Debug, Default)]
pub struct Window {
    options: ScreenOptions,
    rows: Vec<Row>,
    size: Option<Size>,
    shows_cursor: bool,
    /// Where the cursor is.
    parked: Option<(usize, u16)>,
}

impl Window {
    /// Enters the alternate screen.
    pub fn enter(options: ScreenOptions, out: &mut String) -> Self {
        out.push_str("\x1b[?1049h\x1b[?25l");
        Self { options, ..Self::default() }
    }

    /// The terminal has told more of itself.
    pub fn set_options(&mut self, options: ScreenOptions) {
        self.options = options;
    }

    /// Leaves the alternate screen. The main screen is as it was, its cursor visible or not as the next frame says.
    pub fn leave(self, out: &mut String) {
        if self.shows_cursor {
            out.push_str("\x1b[?25l");
        }
        out.push_str("\x1b[?1049l");
    }

    /// Writes what changes the window into these rows, top down; rows that do not fit are left out, missing ones are empty.
    pub fn paint(&mut self, frame: &Frame<'_>, size: Size, out: &mut String) {
        let (begin, mut body, mut changed) = (out.len(), String::new(), 0);
        let blank = Row::blank();
        let is_disturbed =
            |(at, old): (usize, &Row)| old.image().is_some() && frame.rows.get(at).is_none_or(|new| *new != old);
        if self.size != Some(size) || self.rows.iter().enumerate().any(is_disturbed) {
            pictures::erase(&self.rows, &mut body);
            body.push_str("\x1b[H\x1b[2J");
            self.size = Some(size);
            self.rows = vec![blank.clone(); size.height()];
            changed = 2;
        }
        let wanted = |at| frame.rows.get(at).copied().unwrap_or(&blank).fitting(size.columns);
        let wanted: Vec<Cow<'_, Row>> = (0..size.height()).map(wanted).collect();
        if self.options.insert == Insert::Line
            && let Some(shift) = Shift::find(&self.rows, &wanted)
        {
            shift.apply(&mut self.rows, &mut body);
            changed = 2;
        }
        for (at, (old, new)) in self.rows.iter_mut().zip(wanted).enumerate() {
            if *old == *new {
                continue;
            }
            changed += 1;
            // Writing to a string does not fail.
            let _ = write!(body, "\x1b[{}H", at + 1);
            let cursor = Cursor { row: at, column: Some(0) };
            Painter { out: &mut body, cursor, columns: size.columns, erases_first: false }.rewrite(at, old, &new);
            *old = new.into_owned();
        }
        self.park(frame, size, !body.is_empty(), &mut body);
        out.push_str(&body);
        if self.options.synchronized && changed > 1 {
            out.insert_str(begin, "\x1b[?2026h");
            out.push_str("\x1b[?2026l");
        }
    }

    /// Puts the cursor where the caret is, also where it is not visible: input methods open their windows there.
    fn park(&mut self, frame: &Frame<'_>, size: Size, has_moved: bool, out: &mut String) {
        let place = |(row, column): (usize, u16)| (row, column.min(size.columns - 1));
        let caret = frame.caret.filter(|(row, _)| *row < size.height()).map(place);
        if let Some((row, column)) = caret.filter(|_| has_moved || caret != self.parked) {
            let _ = write!(out, "\x1b[{};{}H", row + 1, column + 1);
        }
        self.parked = caret;
        let shows = frame.show_cursor && caret.is_some();
        if self.shows_cursor != shows {
            self.shows_cursor = shows;
            out.push_str(if shows { "\x1b[?25h" } else { "\x1b[?25l" });
        }
    }
}
