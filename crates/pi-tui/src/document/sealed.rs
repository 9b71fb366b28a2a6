//! Blocks all of whose rows are final.

use std::fmt;

use crate::text::Row;

use super::Block;

/// The rows of a block whose rows are all final, and what of them was given away.
///
/// Until the first row is given away they are built anew whenever they are asked for. From then on the rest stays as it was
/// built: the rows above it cannot change any more, so neither can they. Nothing is left of them when the size changes,
/// because then all of them are given away.
#[derive(Debug, Default)]
pub struct Sealing {
    rows: Vec<Row>,
    is_sealed: bool,
}

impl Sealing {
    /// Adds what was not given away yet; returns how many rows are final: all.
    pub fn draw(&mut self, out: &mut Vec<Row>, build: impl FnOnce() -> Vec<Row>) -> usize {
        if !self.is_sealed {
            self.rows = build();
        }
        out.extend_from_slice(&self.rows);
        self.rows.len()
    }

    /// The first rows were given away.
    pub fn seal(&mut self, rows: usize) {
        self.rows.drain(..rows.min(self.rows.len()));
        self.is_sealed |= rows > 0;
    }

    /// Drops what can be built anew.
    pub fn forget(&mut self) {
        if !self.is_sealed {
            self.rows = Vec::new();
        }
    }

    /// Whether any row was given away, so that a change would not be seen.
    pub fn is_sealed(&self) -> bool {
        self.is_sealed
    }
}

/// A block whose rows are final from the beginning.
pub struct Settled<F> {
    build: F,
    revision: u64,
    rows: Sealing,
}

impl<F: FnMut(u16) -> Vec<Row>> Settled<F> {
    /// A block whose rows at a width are built by a function.
    pub fn new(build: F) -> Self {
        Self { build, revision: 0, rows: Sealing::default() }
    }

    /// The function would build other rows than before. Seen only while no row was given away.
    pub fn touch(&mut self) {
        self.revision += 1;
    }
}

impl<F: FnMut(u16) -> Vec<Row>> Block for Settled<F> {
    fn revision(&self) -> u64 {
        self.revision
    }

    fn draw(&mut self, columns: u16, out: &mut Vec<Row>) -> usize {
        self.rows.draw(out, || (self.build)(columns))
    }

    fn seal(&mut self, rows: usize) {
        self.rows.seal(rows);
    }

    fn forget(&mut self) {
        self.rows.forget();
    }

    fn is_done(&self) -> bool {
        true
    }
}

impl<F> fmt::Debug for Settled<F> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Settled").field("revision", &self.revision).field("rows", &self.rows).finish()
    }
}
