//! Blocks that become rows: what of them is final, and what the terminal has been given.

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
}
