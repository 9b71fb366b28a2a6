//! Blocks that become rows: what of them is final, and what the terminal has been given.
//!
//! `blocks` keeps the blocks that are not wholly the terminal's, in order, with their rows; `sealed` is the simplest kind of
//! block. Nothing in them knows the window but its width and how many rows are left for what is not final. `viewport` is a
//! window over a document that gives nothing away, by `page`, which says what rows of a list of blocks are in a window;
//! `selection` is a part of the text that somebody has chosen.

mod blocks;
mod page;
mod sealed;
mod selection;
mod viewport;

pub use blocks::{BlockId, Document, Laid};
pub use page::{Heights, Page};
pub use sealed::{Sealing, Settled};
pub use selection::{Ends, Place, Selection};
pub use viewport::{Shown, ShownRow, Viewport};

use crate::text::Row;

/// Something that draws rows of a document.
pub trait Block {
    /// Changes whenever the rows would. The rows of an unchanged revision at an unchanged width are not asked for again.
    fn revision(&self) -> u64;

    /// Adds the rows that were not given away yet, at this width; returns how many of them, from the first, are final: they
    /// will never look otherwise (at this width), and may be given to the terminal.
    fn draw(&mut self, columns: u16, out: &mut Vec<Row>) -> usize;

    /// The first rows of what was drawn last, all of them final, were given to the terminal. They are not drawn again, at
    /// whatever width.
    fn seal(&mut self, rows: usize);

    /// What was drawn is not shown for a while: what is kept only to draw it again may be dropped.
    fn forget(&mut self) {}

    /// Whether no further rows will come, so that the block can be dropped once its rows are given away. A block for which
    /// this stays false stays in its document, with no rows, and costs a little in every frame.
    fn is_done(&self) -> bool {
        false
    }
}

impl<B: Block + ?Sized> Block for Box<B> {
    fn revision(&self) -> u64 {
        (**self).revision()
    }

    fn draw(&mut self, columns: u16, out: &mut Vec<Row>) -> usize {
        (**self).draw(columns, out)
    }

    fn seal(&mut self, rows: usize) {
        (**self).seal(rows);
    }

    fn forget(&mut self) {
        (**self).forget();
    }

    fn is_done(&self) -> bool {
        (**self).is_done()
    }
}
