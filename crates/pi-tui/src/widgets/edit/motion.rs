//! Positions relative to the cursor: units, words, line ends, occurrences of a character.

use super::buffer::Position;
use super::text::EditText;
use super::units::{after, before, edge, edge_before, units};
use super::words::{first_word, last_word};

/// A position relative to the cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MotionTarget {
    Left,
    Right,
    WordLeft,
    WordRight,
    LineStart,
    LineEnd,
    /// Line start; at the line start, the end of the line before, so that a cut joins lines.
    CutStart,
    /// Line end; at the line end, the start of the next line.
    CutEnd,
}

/// Towards the start or the end of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    Backward,
    Forward,
}

impl EditText {
    /// Moves to the next occurrence of a character, across lines.
    pub(crate) fn jump(&mut self, character: &str, direction: Direction) -> bool {
        let found = match direction {
            Direction::Forward => {
                (self.cursor().line..self.line_count()).find_map(|line| self.find_forward(line, character))
            }
            Direction::Backward => (0..=self.cursor().line).rev().find_map(|line| self.find_backward(line, character)),
        };
        self.move_to(found.unwrap_or(self.cursor()));
        found.is_some()
    }

    fn find_forward(&self, line: usize, character: &str) -> Option<Position> {
        self.find(line, character).into_iter().find(|found| *found > self.cursor())
    }

    fn find_backward(&self, line: usize, character: &str) -> Option<Position> {
        self.find(line, character).into_iter().rev().find(|found| *found < self.cursor())
    }

    /// The occurrences of a character in a line, markers excluded.
    fn find(&self, line: usize, character: &str) -> Vec<Position> {
        let text = self.line(line);
        if !text.contains(character) {
            return Vec::new();
        }
        let markers = self.markers(line);
        let found = units(text, 0..text.len(), &markers, usize::MAX).filter(|unit| unit.text == character);
        found.map(|unit| Position::new(line, unit.from)).collect()
    }

    /// Resolves a place.
    pub(crate) fn place(&self, place: MotionTarget) -> Position {
        let Position { line, byte } = self.cursor();
        let text = self.line(line);
        let back = |within: usize| match line.checked_sub(1) {
            Some(before) if byte == 0 => Position::new(before, self.line(before).len()),
            _ => Position::new(line, within),
        };
        let on = |within: usize| match byte == text.len() && line + 1 < self.line_count() {
            true => Position::new(line + 1, 0),
            false => Position::new(line, within),
        };
        match place {
            MotionTarget::Left => back(before(text, byte, &self.markers(line))),
            MotionTarget::Right => on(after(text, byte, &self.markers(line))),
            MotionTarget::WordLeft => back(self.word_left()),
            MotionTarget::WordRight => on(self.word_right()),
            MotionTarget::LineStart => Position::new(line, 0),
            MotionTarget::LineEnd => Position::new(line, text.len()),
            MotionTarget::CutStart => back(0),
            MotionTarget::CutEnd => on(text.len()),
        }
    }

    /// A marker counts as one word.
    fn word_left(&self) -> usize {
        let text = self.before_cursor();
        let markers = self.markers(self.cursor().line);
        let marker = markers.iter().rev().find(|marker| marker.end <= text.len());
        let floor = marker.map_or(0, |marker| marker.end);
        match marker {
            Some(marker) if text[floor..].trim().is_empty() => marker.start,
            // In some scripts a word boundary may be inside a cluster.
            _ => edge_before(self.line(self.cursor().line), floor + last_word(&text[floor..])),
        }
    }

    fn word_right(&self) -> usize {
        let Position { line, byte } = self.cursor();
        let text = self.line(line);
        let markers = self.markers(line);
        let marker = markers.iter().find(|marker| marker.start >= byte);
        let ceiling = marker.map_or(text.len(), |marker| marker.start);
        match marker {
            Some(marker) if text[byte..ceiling].trim().is_empty() => marker.end,
            _ => edge(text, byte + first_word(&text[byte..ceiling])),
        }
    }
}
