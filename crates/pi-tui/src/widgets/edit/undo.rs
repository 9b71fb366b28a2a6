//! The undo stack and the redo stack: logs of replacements, grouped into units.
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
pub(crate) struct Undo {
    units: Vec<Unit>,
    /// What was undone since the last change, latest last.
    undone: Vec<Unit>,
}

impl Undo {
    /// Starts a unit.
    pub(super) fn push(&mut self, splice: Splice, cursor: Position) {
        self.undone.clear();
        self.units.push(Unit { splices: vec![splice], cursor });
    }

    /// Adds to the latest unit. Consecutive insertions are merged into one replacement.
    pub(super) fn join(&mut self, splice: Splice, cursor: Position) {
        self.undone.clear();
        let Some(unit) = self.units.last_mut() else { return self.push(splice, cursor) };
        match unit.splices.last_mut() {
            Some(last) if splice.removed.is_empty() && last.end == splice.from => last.end = splice.end,
            _ => unit.splices.push(splice),
        }
    }

    pub(super) fn pop(&mut self) -> Option<Unit> {
        self.units.pop()
    }

    /// The unit that was undone last.
    pub(super) fn pop_undone(&mut self) -> Option<Unit> {
        self.undone.pop()
    }

    /// A unit that undoes what was done again.
    pub(super) fn add_redone(&mut self, unit: Unit) {
        self.units.push(unit);
    }

    /// A unit that does again what was undone.
    pub(super) fn add_undone(&mut self, unit: Unit) {
        self.undone.push(unit);
    }

    pub(crate) fn depth(&self) -> usize {
        self.units.len()
    }

    /// Makes one unit of all above this depth.
    pub(crate) fn merge_above(&mut self, depth: usize) {
        if depth + 1 >= self.units.len() {
            return;
        }
        let later = self.units.split_off(depth + 1);
        if let Some(unit) = self.units.last_mut() {
            unit.splices.extend(later.into_iter().flat_map(|unit| unit.splices));
        }
    }

    pub(super) fn clear(&mut self) {
        self.units.clear();
        self.undone.clear();
    }
}
