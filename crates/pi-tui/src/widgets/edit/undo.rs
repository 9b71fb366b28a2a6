//! The undo stack: a log of replacements, grouped into units.
//!
//! A log instead of snapshots, so that a key does not cost a copy of the text.

use super::buffer::Position;

/// A replacement, with what it takes to revert it.
#[derive(Debug, Clone)]
pub(super) struct Splice {
    /// Start of the new text.
    pub(super) from: Position,
    /// End of the new text.
    pub(super) end: Position,
    /// The replaced text.
    pub(super) removed: String,
}

/// Replacements that are reverted together.
#[derive(Debug, Clone)]
pub(super) struct Unit {
    /// In chronological order.
    pub(super) splices: Vec<Splice>,
    /// The cursor before the first.
    pub(super) cursor: Position,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Undo {
    units: Vec<Unit>,
}

impl Undo {
    /// Starts a unit.
    pub(super) fn push(&mut self, splice: Splice, cursor: Position) {
        self.units.push(Unit { splices: vec![splice], cursor });
    }

    /// Adds to the latest unit. Consecutive insertions are merged into one replacement.
    pub(super) fn join(&mut self, splice: Splice, cursor: Position) {
        let Some(unit) = self.units.last_mut() else { return self.push(splice, cursor) };
        match unit.splices.last_mut() {
            Some(last) if splice.removed.is_empty() && last.end == splice.from => last.end = splice.end,
            _ => unit.splices.push(splice),
        }
    }

    pub(super) fn pop(&mut self) -> Option<Unit> {
        self.units.pop()
    }

    pub(super) fn clear(&mut self) {
        self.units.clear();
    }
}
