//! The frame engine: rows in, bytes out.
//!
//! `engine` keeps what the terminal shows of ours and turns frames into bytes; `view` chooses what of a frame fits into the
//! window; `plan` decides which rows are rewritten, inserted and deleted; `painter` moves the cursor and writes rows;
//! `pictures` keeps pictures over their rows; `cells` reads rows back as cells, to rewrite only what changed and to know how high a row is after a resize; `window`
//! paints the alternate screen, by `shift` where rows move. Nothing here reads or writes a file, knows the time by itself, or uses absolute rows of the
//! main screen.
//!
//! # Two zones
//!
//! Rows are *sealed* once they belong to the terminal: they have left the window upwards, or the window changed its size
//! while they were final. Sealed rows are never touched or asked for again. All other rows are *ours* and are drawn in
//! place. They are counted from the first row that is ours, because nobody knows where on the screen that row is.

mod cells;
mod engine;
mod painter;
mod pictures;
mod plan;
mod shift;
mod view;
mod window;

pub use engine::Screen;
pub use window::Window;

use std::time::Duration;

use crate::text::Row;

/// How long a size must not change before anything is drawn in it.
///
/// Bytes that are on their way while the window changes are interpreted at a width we do not know; what they draw cannot be
/// found again.
pub const STILLNESS: Duration = Duration::from_millis(150);

/// The size of a window in cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Size {
    /// Its width.
    pub columns: u16,
    /// Its height.
    pub rows: u16,
}

impl Size {
    /// A size; a terminal that reports zero has one cell.
    pub fn new(columns: u16, rows: u16) -> Self {
        Self { columns: columns.max(1), rows: rows.max(1) }
    }

    fn height(self) -> usize {
        usize::from(self.rows)
    }
}

/// How rows get between other rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Insert {
    /// Line feeds at our last row make room, insert-line moves what is below: no row is written twice.
    #[default]
    Line,
    /// Everything from the first changed row is printed again: for terminals that get insert-line wrong.
    Repaint,
}

/// What a terminal does with rows when it becomes narrower or wider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Reflow {
    /// Nothing: rows are cut or padded (xterm, linux, screen, st, rxvt).
    None,
    /// Text wraps, colour that was erased to the end of a row does not. The safe choice for unknown terminals that reflow:
    /// taken wrongly it leaves a stray row, while [`Filled`](Self::Filled) taken wrongly would erase one.
    #[default]
    Text,
    /// Colour up to the end of a row wraps like text (alacritty).
    Filled,
    /// The same, and a row stays as long as it once was when its end was erased (tmux): it is erased as a whole before it
    /// becomes shorter.
    Erased,
}

/// What the engine needs to know of a terminal.
#[derive(Debug, Clone, Copy, Default)]
pub struct ScreenOptions {
    /// How rows get between other rows.
    pub insert: Insert,
    /// What the terminal does with rows at a resize.
    pub reflow: Reflow,
    /// Whether frames are put into the brackets of synchronized output.
    pub synchronized: bool,
}

/// Everything that is to be seen, from the first row that is not sealed.
#[derive(Debug, Clone, Copy)]
pub struct Frame<'a> {
    /// The rows, top down: the document's, then whatever stays below them.
    pub rows: &'a [&'a Row],
    /// How many of the first rows are final. Only these may leave the window.
    pub final_rows: usize,
    /// Row and column of the caret, where input methods open their windows.
    pub caret: Option<(usize, u16)>,
    /// Whether the terminal's own cursor is visible at the caret.
    pub show_cursor: bool,
}

/// What is to be done now; see [`Screen::begin`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// Draw a frame. The terminal has got so many rows of the last one: tell the document before it is asked for rows.
    Draw {
        /// Rows that are no longer ours.
        sealed: usize,
    },
    /// The size is changing: come again, at this time at the latest.
    Wait {
        /// The time, as given to [`Screen::begin`].
        until: Duration,
    },
}
