//! What the terminal shows of ours, and how frames become bytes.

use std::borrow::Cow;
use std::ops::Range;
use std::time::Duration;

use crate::text::Row;

use super::cells::{height_of, place_of};
use super::painter::{Cursor, ERASE_BELOW, Painter};
use super::pictures;
use super::plan::Plan;
use super::view::View;
use super::{Frame, Reflow, STILLNESS, ScreenOptions, Size, Turn};

/// The main screen of a terminal: final rows go to its history, live rows stay below.
///
/// A loop calls [`begin`](Self::begin), tells its document what is sealed, asks it for rows, calls [`frame`](Self::frame),
/// writes the bytes and tells the document again what is sealed.
#[derive(Debug, Default)]
pub struct Screen {
    options: ScreenOptions,
    /// The rows on the screen that are ours, as they were written.
    rows: Vec<Row>,
    /// How many of them are final.
    final_rows: usize,
    cursor: Cursor,
    shows_cursor: bool,
    /// The size in which the rows were written; none before the first frame.
    size: Option<Size>,
    /// The size that was seen last, and when it was new, while it differs or has differed from the one above.
    change: Option<(Size, Duration)>,
    /// The columns in which the rows were written.
    drawn: u16,
    /// The first row is sealed and kept only to tell where the cursor is: no row was live when the size changed.
    anchor: bool,
    /// Where the next frame begins.
    start: FrameStart,
    /// Takes away pictures of rows that are forgotten.
    erasures: String,
    /// Room for a frame, kept for the next one.
    body: String,
}

/// Where the next frame begins.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum FrameStart {
    /// At the row where the cursor is; what is below it is erased.
    #[default]
    Below,
    /// At the top of the window.
    Home { clears_history: bool },
    /// Our rows are on the screen, but reflowed: they are found from the cursor upwards.
    Reflowed,
    /// Our rows are where they were.
    Drawn,
}

impl Screen {
    /// A screen on which nothing is ours yet. The cursor is expected in the first column of a free row.
    pub fn new(options: ScreenOptions) -> Self {
        Self { options, shows_cursor: true, ..Self::default() }
    }

    /// The terminal has told more of itself.
    pub fn set_options(&mut self, options: ScreenOptions) {
        self.options = options;
    }

    /// Looks at the window's size before a frame. `now` is the time since any fixed moment.
    ///
    /// A change of size seals all final rows on the screen: the terminal has reflowed them, and they stay as they are.
    pub fn begin(&mut self, size: Size, now: Duration) -> Turn {
        if self.rows.is_empty() || self.size.is_none() {
            (self.size, self.change) = (Some(size), None);
            return Turn::Draw { sealed: 0 };
        }
        let since = match self.change {
            None if self.size == Some(size) => return Turn::Draw { sealed: 0 },
            Some((seen, since)) if seen == size => since,
            _ => now,
        };
        if now < since + STILLNESS {
            self.change = Some((size, since));
            return Turn::Wait { until: since + STILLNESS };
        }
        (self.size, self.change) = (Some(size), None);
        self.start = FrameStart::Reflowed;
        Turn::Draw { sealed: self.give_up() }
    }

    /// Writes what changes the screen into this frame. Returns how many of its first rows are sealed now.
    pub fn frame(&mut self, frame: &Frame<'_>, out: &mut String) -> usize {
        let Some(size) = self.size.filter(|_| self.change.is_none()) else {
            return 0;
        };
        let view = View::of(frame, size);
        let mut body = std::mem::take(&mut self.body);
        body.clear();
        let is_begun = self.begin_frame(&mut body);
        self.drawn = size.columns;
        let plan = Plan::new(&self.rows, &view.rows, size.height(), self.options.insert);
        self.show_cursor(frame.show_cursor, &mut body);
        let plan = pictures::undisturbed(plan, &self.rows, &mut body);
        self.paint(plan, &view, &mut body);
        if self.options.synchronized && (is_begun || plan.rows_changed() > 1) {
            body.insert_str(0, "\x1b[?2026h");
            body.push_str("\x1b[?2026l");
        }
        out.push_str(&body);
        self.body = body;
        self.keep(plan, view, size)
    }

    /// Everything is drawn again, from the top of the window, by the next frame. The caller fills its document anew: nothing
    /// that is on the screen is sealed. Only `clears_history` ever erases the terminal's history.
    pub fn replay(&mut self, clears_history: bool) {
        pictures::erase(&self.rows, &mut self.erasures);
        self.forget();
        self.start = FrameStart::Home { clears_history };
    }

    /// Leaves the rows as they are and moves to a free row below them, with the cursor visible: for the end. Returns how many
    /// rows are sealed; the next frame draws the others again, below whatever was printed meanwhile.
    pub fn leave(&mut self, out: &mut String) -> usize {
        if !self.rows.is_empty() {
            let below = self.heights(self.cursor.row..self.rows.len()) - 1 - self.place_in_row();
            let mut painter = self.painter(out);
            painter.move_to_row(self.cursor.row + below);
            painter.next_row();
        }
        self.hand_over(out)
    }

    /// Takes away the rows that are not final, with the cursor visible at their place: for suspending, and for programs that
    /// use the terminal for a while. Returns how many rows are sealed.
    pub fn withdraw(&mut self, out: &mut String) -> usize {
        self.erase_live(out);
        self.hand_over(out)
    }

    /// The alternate screen was left, which hides the cursor: it is shown where it was.
    pub fn uncover(&self, out: &mut String) {
        if self.shows_cursor {
            out.push_str("\x1b[?25h");
        }
    }

    fn hand_over(&mut self, out: &mut String) -> usize {
        self.show_cursor(true, out);
        let sealed = self.final_rows;
        self.forget();
        self.start = FrameStart::Below;
        sealed
    }

    fn forget(&mut self) {
        self.rows.clear();
        (self.final_rows, self.anchor) = (0, false);
        self.cursor = Cursor::default();
        self.change = None;
    }

    /// Final rows on the screen become the terminal's.
    fn give_up(&mut self) -> usize {
        let sealed = self.final_rows;
        self.anchor |= sealed > 0 && sealed == self.rows.len();
        let gone = sealed - usize::from(self.anchor && sealed > 0);
        self.rows.drain(..gone);
        self.cursor.row -= gone;
        self.final_rows = 0;
        sealed
    }

    /// Brings the cursor to where the rows begin, and erases what is below. Returns whether anything was written.
    fn begin_frame(&mut self, out: &mut String) -> bool {
        match std::mem::replace(&mut self.start, FrameStart::Drawn) {
            FrameStart::Drawn => return false,
            FrameStart::Below => {
                out.push('\r');
                out.push_str(ERASE_BELOW);
            }
            FrameStart::Home { clears_history } => {
                out.push_str(&std::mem::take(&mut self.erasures));
                out.push_str("\x1b[H");
                out.push_str(ERASE_BELOW);
                if clears_history {
                    out.push_str("\x1b[3J");
                }
            }
            FrameStart::Reflowed => {
                self.erase_live(out);
                self.forget();
            }
        }
        self.cursor = Cursor { row: 0, column: Some(0) };
        true
    }

    /// Goes to the first row that is not final and erases from there on, however high the rows have become.
    fn erase_live(&self, out: &mut String) {
        if self.rows.is_empty() {
            return;
        }
        let first = self.final_rows + usize::from(self.anchor);
        pictures::erase(&self.rows[first.min(self.rows.len())..], out);
        let mut painter = self.painter(out);
        if first > self.cursor.row {
            painter.next_row();
        } else {
            let up = self.heights(first..self.cursor.row) + self.place_in_row();
            // Rows are counted from the one that is wanted.
            painter.cursor.row = up;
            painter.move_to(0, 0);
        }
        painter.erase_below();
    }

    /// How many rows some of ours take by now.
    fn heights(&self, rows: Range<usize>) -> usize {
        let columns = self.present_columns();
        self.rows[rows].iter().map(|row| height_of(row, columns, self.drawn, self.options.reflow)).sum()
    }

    /// In which of the rows that its row takes by now the cursor is. Behind the text terminals differ; taken too low, a row
    /// stays where it is, taken too high, one would be erased that is final.
    fn place_in_row(&self) -> usize {
        let row = &self.rows[self.cursor.row];
        if self.options.reflow == Reflow::None {
            return 0;
        }
        let column = self.cursor.column.unwrap_or(self.drawn);
        let before = column.saturating_add(1).min(row.width());
        place_of(row, before, self.present_columns()).saturating_sub(1)
    }

    fn present_columns(&self) -> u16 {
        self.change.map(|(size, _)| size).or(self.size).map_or(1, |size| size.columns)
    }

    fn paint(&mut self, plan: Plan, view: &View<'_>, out: &mut String) {
        let mut painter = self.painter(out);
        plan.apply(&self.rows, &view.rows, &mut painter);
        if let Some((row, column)) = view.caret {
            painter.move_to(row, column);
        }
        self.cursor = painter.cursor;
    }

    fn painter<'a>(&self, out: &'a mut String) -> Painter<'a> {
        let erases_first = self.options.reflow == Reflow::Erased;
        Painter { out, cursor: self.cursor, columns: self.drawn, erases_first }
    }

    fn show_cursor(&mut self, shows: bool, out: &mut String) {
        if self.shows_cursor != shows {
            out.push_str(if shows { "\x1b[?25h" } else { "\x1b[?25l" });
            self.shows_cursor = shows;
        }
    }

    /// Remembers what is on the screen now. Returns how many rows have left it.
    fn keep(&mut self, plan: Plan, view: View<'_>, size: Size) -> usize {
        let sealed = view.rows.len().saturating_sub(size.height());
        if let Some(first) = plan.first() {
            self.rows.truncate(first);
            self.rows.extend(view.rows.into_iter().skip(first).map(Cow::into_owned));
        }
        self.rows.drain(..sealed);
        self.cursor.row -= sealed;
        self.final_rows = view.final_rows - sealed;
        sealed
    }
}
