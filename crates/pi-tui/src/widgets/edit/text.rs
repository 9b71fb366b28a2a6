//! A text with a cursor: typing, cutting, yanking, undo, pastes. Every change goes through `change`.

use std::ops::Range;

use super::breaks::breaks;
use super::buffer::{Buffer, Position};
use super::kill_ring::KillRing;
use super::motion::MotionTarget;
use super::pastes::{Pastes, cleaned};
use super::undo::{Splice, Undo, Unit};
use super::units::edge;

/// The last operation: one of the same kind may join its undo unit or its cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Last {
    Typed,
    Cut,
    Yanked,
    Other,
}

/// A text being edited.
#[derive(Debug, Clone)]
pub(crate) struct EditText {
    buffer: Buffer,
    cursor: Position,
    last: Last,
    undo: Undo,
    ring: KillRing,
    pastes: Pastes,
    /// Columns of the last layout; 0 before the first.
    columns: usize,
}

impl EditText {
    pub(crate) fn new() -> Self {
        Self {
            buffer: Buffer::new(),
            cursor: Position::default(),
            last: Last::Other,
            undo: Undo::default(),
            ring: KillRing::default(),
            pastes: Pastes::default(),
            columns: 0,
        }
    }

    pub(crate) fn text(&self) -> String {
        self.buffer.text()
    }

    /// The text with markers expanded.
    pub(crate) fn expanded(&self) -> String {
        self.pastes.expanded(self.buffer.text())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.buffer.is_empty()
    }

    pub(crate) fn line(&self, index: usize) -> &str {
        self.buffer.line(index)
    }

    pub(crate) fn line_count(&self) -> usize {
        self.buffer.line_count()
    }

    pub(crate) fn cursor(&self) -> Position {
        self.cursor
    }

    /// The cursor's line before the cursor.
    pub(crate) fn before_cursor(&self) -> &str {
        &self.buffer.line(self.cursor.line)[..self.cursor.byte]
    }

    /// The cursor's line from the cursor on.
    pub(crate) fn after_cursor(&self) -> &str {
        &self.buffer.line(self.cursor.line)[self.cursor.byte..]
    }

    /// The markers in a line.
    pub(crate) fn markers(&self, line: usize) -> Vec<Range<usize>> {
        markers(&self.pastes, self.buffer.line(line))
    }

    /// Breaks changed lines into rows of this many columns; all lines if the last layout had other columns.
    pub(crate) fn lay_out(&mut self, columns: usize) {
        let is_new_width = std::mem::replace(&mut self.columns, columns) != columns;
        let pastes = &self.pastes;
        self.buffer.lay_out(is_new_width, |line| breaks(line, &markers(pastes, line), columns));
    }

    /// Byte offsets at which the second and later rows of a line begin, as of the last layout.
    pub(crate) fn breaks(&self, line: usize) -> &[usize] {
        self.buffer.breaks(line)
    }

    /// The number of rows of each line, as of the last layout.
    pub(crate) fn heights(&self) -> &[u32] {
        self.buffer.heights()
    }

    /// Columns of the last layout.
    pub(crate) fn columns(&self) -> usize {
        self.columns
    }

    pub(crate) fn move_to(&mut self, position: Position) {
        self.cursor = position;
        self.last = Last::Other;
    }

    /// Replaces everything, as one undo unit. The cursor moves to the end.
    pub(crate) fn set(&mut self, text: &str) {
        self.change(Position::default(), self.buffer.end(), &cleaned(text), false);
        self.last = Last::Other;
    }

    /// Replaces everything, in the same undo unit as the change before.
    pub(crate) fn set_again(&mut self, text: &str) {
        self.change(Position::default(), self.buffer.end(), &cleaned(text), true);
    }

    /// Empties text, undo stack and pastes. The kill ring is kept.
    pub(crate) fn clear(&mut self) {
        self.buffer = Buffer::new();
        self.cursor = Position::default();
        self.last = Last::Other;
        self.undo.clear();
        self.pastes.clear();
    }

    /// Inserts typed text. A word and the blank before it form one undo unit.
    pub(crate) fn type_text(&mut self, text: &str) {
        let joins = self.last == Last::Typed && !text.contains(char::is_whitespace);
        self.change(self.cursor, self.cursor, &cleaned(text), joins);
        self.last = Last::Typed;
    }

    /// Inserts text, as one undo unit.
    pub(crate) fn insert(&mut self, text: &str) {
        self.replace(self.cursor, self.cursor, &cleaned(text));
    }

    /// Replaces a range, as one undo unit. The cursor moves after the new text.
    pub(crate) fn replace(&mut self, from: Position, to: Position, text: &str) {
        self.change(from, to, text, false);
        self.last = Last::Other;
    }

    /// Inserts pasted text, a long one as a marker. A path is separated from a word before it.
    pub(crate) fn paste(&mut self, pasted: &str) {
        let mut text = cleaned(pasted).into_owned();
        let is_after_word = self.before_cursor().ends_with(|char: char| char.is_alphanumeric() || char == '_');
        if is_after_word && text.starts_with(['/', '~', '.']) {
            text.insert(0, ' ');
        }
        let shown = self.pastes.keep(text);
        self.replace(self.cursor, self.cursor, &shown);
    }

    /// Inserts a marker that stands for an image, and a blank.
    pub(crate) fn insert_image(&mut self, label: &str, text: &str) {
        let marker = self.pastes.keep_image(&cleaned(label), cleaned(text).into_owned());
        self.replace(self.cursor, self.cursor, &format!("{marker} "));
    }

    /// Removes the text between the cursor and a place; returns whether there was any.
    pub(crate) fn remove(&mut self, place: MotionTarget) -> bool {
        let place = self.place(place);
        if place == self.cursor {
            return false;
        }
        self.change(place.min(self.cursor), place.max(self.cursor), "", false);
        self.last = Last::Other;
        true
    }

    /// Like [`remove`](Self::remove), and puts the text into the kill ring. Consecutive cuts are merged.
    pub(crate) fn cut(&mut self, place: MotionTarget) -> bool {
        let place = self.place(place);
        if place == self.cursor {
            return false;
        }
        let is_backward = place < self.cursor;
        let removed = self.buffer.between(place.min(self.cursor), place.max(self.cursor));
        if self.last == Last::Cut {
            self.ring.join(removed, is_backward);
        } else {
            self.ring.push(removed);
        }
        self.change(place.min(self.cursor), place.max(self.cursor), "", false);
        self.last = Last::Cut;
        true
    }

    /// Inserts the latest cut; returns whether there is one.
    pub(crate) fn yank(&mut self) -> bool {
        let Some(text) = self.ring.latest().map(str::to_owned) else { return false };
        self.change(self.cursor, self.cursor, &text, false);
        self.last = Last::Yanked;
        true
    }

    /// Right after a yank: replaces the yanked text by the cut before it.
    pub(crate) fn yank_pop(&mut self) -> bool {
        if self.last != Last::Yanked || !self.ring.rotate() {
            return false;
        }
        self.undo();
        self.yank()
    }

    /// Reverts the latest undo unit; returns whether there was one.
    pub(crate) fn undo(&mut self) -> bool {
        self.last = Last::Other;
        let Some(unit) = self.undo.pop() else { return false };
        let undone = revert(&mut self.buffer, &mut self.cursor, &unit);
        self.undo.add_undone(undone);
        true
    }

    /// Does again what was undone last; returns whether there was anything.
    pub(crate) fn redo(&mut self) -> bool {
        self.last = Last::Other;
        let Some(unit) = self.undo.pop_undone() else { return false };
        let redone = revert(&mut self.buffer, &mut self.cursor, &unit);
        self.undo.add_redone(redone);
        true
    }

    /// What was done, for those that group it in their own way.
    pub(crate) fn undo_log(&mut self) -> &mut Undo {
        self.last = Last::Other;
        &mut self.undo
    }

    /// What was cut.
    pub(crate) fn ring(&mut self) -> &mut KillRing {
        self.last = Last::Other;
        &mut self.ring
    }

    /// Changes the text. The cursor moves after the new text, to the next cluster boundary.
    fn change(&mut self, from: Position, to: Position, text: &str, joins: bool) {
        let replaced = self.buffer.replace(from, to, text);
        let splice = Splice { from, end: replaced.end, removed: replaced.removed };
        if joins {
            self.undo.join(splice, self.cursor);
        } else {
            self.undo.push(splice, self.cursor);
        }
        let end = replaced.end;
        self.cursor = Position::new(end.line, edge(self.line(end.line), end.byte));
    }
}

/// Reverts a unit; returns the one that reverts that.
fn revert(buffer: &mut Buffer, cursor: &mut Position, unit: &Unit) -> Unit {
    let before = std::mem::replace(cursor, unit.cursor);
    let inverse = unit.splices.iter().rev().map(|splice| {
        let replaced = buffer.replace(splice.from, splice.end, &splice.removed);
        Splice { from: splice.from, end: replaced.end, removed: replaced.removed }
    });
    Unit { splices: inverse.collect(), cursor: before }
}

/// A combining mark after its last character makes a marker common text: units end at cluster boundaries.
fn markers(pastes: &Pastes, line: &str) -> Vec<Range<usize>> {
    let mut markers = pastes.markers(line);
    markers.retain(|marker| edge(line, marker.end) == marker.end);
    markers
}
