//! Undo: what each change replaced, in units that are taken back at once.
//!
//! A change costs what it replaced, not what the text is long.

use super::buffer::Position;

/// A replacement that can be taken back.
#[derive(Debug, Clone)]
pub(super) struct Splice {
    /// Where the new text begins.
    pub(super) from: Position,
    /// Where it ends.
    pub(super) end: Position,
    /// What was there before.
    pub(super) removed: String,
}

/// Replacements that are taken back together.
#[derive(Debug, Clone)]
pub(super) struct Unit {
    /// In the order they were made.
    pub(super) splices: Vec<Splice>,
    /// Where the cursor was before them.
    pub(super) cursor: Position,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Undo {
    units: Vec<Unit>,
}

impl Undo {
    /// Begins a unit.
    pub(super) fn push(&mut self, splice: Splice, cursor: Position) {
        self.units.push(Unit { splices: vec![splice], cursor });
    }

    /// Adds to the latest unit. Typing grows its last replacement instead of adding another.
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
