//! The text as cells: what the cursor stands on, one after the other, the end of each line among them.
//!
//! A cell is a grapheme cluster or a marker. Motions are steps over cells, so that none can end inside of one.

use std::ops::Range;

use crate::widgets::edit::{EditText, Position, units};

/// What a cell is, for motions by word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    Blank,
    /// The end of a line.
    Break,
    Word,
    Mark,
}

/// A cell.
#[derive(Debug, Clone)]
pub(super) struct Cell {
    pub(super) place: Position,
    pub(super) text: String,
    pub(super) class: Class,
}

/// All cells of a text. The last one is the end of the last line.
#[derive(Debug, Clone)]
pub(super) struct Sheet(Vec<Cell>);

impl Sheet {
    pub(super) fn new(text: &EditText) -> Self {
        let mut cells = Vec::new();
        for line in 0..text.line_count() {
            let (content, markers) = (text.line(line), text.markers(line));
            let of_line = units(content, 0..content.len(), &markers, usize::MAX).map(|unit| Cell {
                place: Position::new(line, unit.from),
                class: class_of(unit.text),
                text: unit.text.to_owned(),
            });
            cells.extend(of_line);
            let place = Position::new(line, content.len());
            cells.push(Cell { place, text: "\n".to_owned(), class: Class::Break });
        }
        Self(cells)
    }

    /// The index of the last cell: the end of the text.
    pub(super) fn end(&self) -> usize {
        self.0.len().saturating_sub(1)
    }

    pub(super) fn class(&self, at: usize) -> Class {
        self.0.get(at).map_or(Class::Break, |cell| cell.class)
    }

    /// The class for motions by what is between blanks, or by word.
    pub(super) fn word_class(&self, at: usize, is_big: bool) -> Class {
        match self.class(at) {
            Class::Mark if is_big => Class::Word,
            class => class,
        }
    }

    pub(super) fn is_break(&self, at: usize) -> bool {
        self.class(at) == Class::Break
    }

    /// Whether nothing but blanks may be there.
    pub(super) fn is_gap(&self, at: usize) -> bool {
        matches!(self.class(at), Class::Blank | Class::Break)
    }

    pub(super) fn text(&self, at: usize) -> &str {
        self.0.get(at).map_or("", |cell| &cell.text)
    }

    /// The text of a range of cells. The end of the text says nothing.
    pub(super) fn text_of(&self, range: Range<usize>) -> String {
        let end = range.end.min(self.end());
        self.0.get(range.start.min(end)..end).into_iter().flatten().map(|cell| cell.text.as_str()).collect()
    }

    pub(super) fn place(&self, at: usize) -> Position {
        self.0.get(at.min(self.end())).map_or(Position::default(), |cell| cell.place)
    }

    /// The cell at a place.
    pub(super) fn at(&self, place: Position) -> usize {
        self.0.partition_point(|cell| cell.place < place).min(self.end())
    }

    pub(super) fn line_of(&self, at: usize) -> usize {
        self.place(at).line
    }

    pub(super) fn line_count(&self) -> usize {
        self.line_of(self.end()) + 1
    }

    /// The first cell of a line.
    pub(super) fn first_of_line(&self, line: usize) -> usize {
        self.at(Position::new(line, 0))
    }

    pub(super) fn line_start(&self, at: usize) -> usize {
        self.first_of_line(self.line_of(at))
    }

    /// The cell that ends a line.
    pub(super) fn line_end(&self, at: usize) -> usize {
        (at..self.end()).find(|at| self.is_break(*at)).unwrap_or(self.end())
    }

    pub(super) fn first_non_blank(&self, at: usize) -> usize {
        let (start, end) = (self.line_start(at), self.line_end(at));
        (start..end).find(|at| self.class(*at) != Class::Blank).unwrap_or(end)
    }

    /// Whether a line has no cell but its end.
    pub(super) fn is_empty_line(&self, at: usize) -> bool {
        self.is_break(at) && self.line_start(at) == at
    }

    /// Where the cursor may stand while nothing is inserted: on the last cell of a line, not behind it.
    pub(super) fn clamp(&self, at: usize) -> usize {
        let at = at.min(self.end());
        if self.is_break(at) && !self.is_empty_line(at) { at.saturating_sub(1) } else { at }
    }
}

fn class_of(text: &str) -> Class {
    let is_word = |char: char| char.is_alphanumeric() || char == '_';
    match text.chars().next() {
        // Markers have many characters, and count as a word.
        Some(_) if text.starts_with('[') && text.len() > 1 => Class::Word,
        Some(char) if char.is_whitespace() => Class::Blank,
        Some(char) if is_word(char) => Class::Word,
        _ => Class::Mark,
    }
}
