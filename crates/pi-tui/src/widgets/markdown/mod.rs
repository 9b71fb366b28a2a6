//! Markdown that grows: each delta costs what it brings.
//!
//! `source` tells what a line begins, `splitter` cuts what is final off a text that grows, `piece` is such a part; `tree`,
//! `inline`, `autolink` and `references` read a part with a parser, `layout` and `table` draw it. What is final is drawn once per
//! width, and forgotten when the terminal has it. `typed` draws what a person typed, line by line.

mod autolink;
mod inline;
mod layout;
mod piece;
mod references;
mod source;
mod splitter;
mod style;
mod table;
#[cfg(test)]
mod tests;
mod tree;
mod typed;

use std::collections::VecDeque;

pub use style::MarkdownStyle;
pub use typed::typed_lines;

use crate::document::Block;
use crate::text::{Color, Line, Row, wrap};
use crate::widgets::padded_box::Boxed;
use layout::Layout;
use piece::Piece;
use splitter::Splitter;

/// A text in Markdown, whole or as it comes.
///
/// A block is final when the next one begins. Within a fence each line is final that has ended, within a list each item but
/// the last. A table shows its last rows while it grows, a paragraph stays open until it ends. Links by name find what was
/// defined before them.
///
/// ```
/// use pi_tui::document::Block;
/// use pi_tui::widgets::markdown::{Markdown, MarkdownStyle};
///
/// let mut answer = Markdown::new(MarkdownStyle::default());
/// for delta in ["- fir", "st\n- sec", "ond\n", "- th"] {
///     answer.push(delta);
/// }
/// let mut rows = Vec::new();
/// let last = answer.draw(80, &mut rows);
/// let texts: Vec<&str> = rows.iter().map(|row| row.text()).collect();
/// assert_eq!((texts, last), (vec!["- first", "- second", "- th"], 1));
/// ```
#[derive(Debug, Clone)]
pub struct Markdown {
    style: MarkdownStyle,
    splitter: Splitter,
    /// What is final and not given away in full.
    pieces: VecDeque<Piece>,
    drawn: Drawn,
    /// Rows of the first piece that were given away, each count with the columns that they were drawn for.
    given: Vec<(usize, u16)>,
    revision: u64,
}

/// Rows of pieces at a width.
#[derive(Debug, Clone, Default)]
struct Drawn {
    columns: u16,
    rows: VecDeque<Row>,
    /// Rows of each piece that was drawn, without those that were given away.
    counts: VecDeque<usize>,
}

impl Markdown {
    /// An empty text.
    pub fn new(style: MarkdownStyle) -> Self {
        Self {
            style,
            splitter: Splitter::default(),
            pieces: VecDeque::new(),
            drawn: Drawn::default(),
            given: Vec::new(),
            revision: 0,
        }
    }

    /// A text that is whole.
    pub fn whole(text: &str, style: MarkdownStyle) -> Self {
        let mut markdown = Self::new(style);
        markdown.set_text(text);
        markdown
    }

    /// Adds to the end of the text.
    pub fn push(&mut self, delta: &str) {
        self.splitter.push(delta, &mut self.pieces);
        self.revision += u64::from(!delta.is_empty());
    }

    /// There is no more text: all of it is final. What is pushed later begins a new block.
    pub fn finish(&mut self) {
        self.splitter.finish(&mut self.pieces);
        self.revision += 1;
    }

    /// Replaces everything, also what was given away, by a text that is whole.
    pub fn set_text(&mut self, text: &str) {
        self.splitter = Splitter::default();
        self.pieces.clear();
        self.drawn = Drawn::default();
        self.given.clear();
        self.push(text);
        self.finish();
    }

    /// Changes what it looks like, in as far as it was not given away.
    pub fn set_style(&mut self, style: MarkdownStyle) {
        if self.style != style {
            self.style = style;
            self.drawn = Drawn::default();
            self.revision += 1;
        }
    }

    /// What is around the text; who shows it leaves rows free, if anyone does.
    fn boxed(&self) -> Boxed {
        Boxed { background: self.style.base.background, padding: self.style.padding, margin: 0 }
    }

    /// Columns for the text, in a window of so many.
    pub fn columns_for_text(&self, columns: u16) -> usize {
        usize::from(self.boxed().inner(columns))
    }

    fn lines(&self, piece: &Piece, columns: u16) -> Vec<Line> {
        let inner = self.columns_for_text(columns);
        let lines = piece.lines(Layout { style: &self.style }, &self.splitter.references, inner);
        // Marks take their columns even where there are too few for them and the text.
        if lines.iter().all(|line| line.width() <= inner) { lines } else { self.wrapped(&lines, columns) }
    }

    /// The lines of the first piece that were not given away. Where the width has changed in between, what was left of the
    /// old lines is wrapped again: nothing is shown twice.
    fn rest_of_first(&self, piece: &Piece, columns: u16) -> Vec<Line> {
        let first = self.given.first().map_or(columns, |(_, columns)| *columns);
        let mut lines = self.lines(piece, first);
        for (count, columns) in &self.given {
            lines = self.wrapped(&lines, *columns).into_iter().skip(*count).collect();
        }
        self.wrapped(&lines, columns)
    }

    fn wrapped(&self, lines: &[Line], columns: u16) -> Vec<Line> {
        lines.iter().flat_map(|line| wrap(line, self.columns_for_text(columns))).collect()
    }

    fn row(&self, line: &Line, columns: u16) -> Row {
        // The box would copy each line for nothing.
        if self.style.padding == 0 && self.style.base.background == Color::Default {
            return Row::new(line, columns);
        }
        self.boxed().row(line, columns)
    }

    /// Draws the pieces that became final since the last time.
    fn draw_pieces(&mut self, columns: u16) {
        if self.drawn.columns != columns {
            self.drawn = Drawn { columns, ..Drawn::default() };
        }
        for i in self.drawn.counts.len()..self.pieces.len() {
            let piece = &self.pieces[i];
            let lines = if i == 0 { self.rest_of_first(piece, columns) } else { self.lines(piece, columns) };
            self.drawn.counts.push_back(lines.len());
            for line in &lines {
                let row = self.row(line, columns);
                self.drawn.rows.push_back(row);
            }
        }
    }

    /// Forgets pieces of which nothing is left.
    fn drop_given(&mut self) {
        while self.drawn.counts.front() == Some(&0) {
            self.drawn.counts.pop_front();
            self.pieces.pop_front();
            self.given.clear();
        }
    }
}

impl Block for Markdown {
    fn revision(&self) -> u64 {
        self.revision
    }

    fn draw(&mut self, columns: u16, out: &mut Vec<Row>) -> usize {
        self.draw_pieces(columns);
        out.extend(self.drawn.rows.iter().cloned());
        for piece in self.splitter.open_pieces() {
            out.extend(self.lines(&piece, columns).iter().map(|line| self.row(line, columns)));
        }
        self.drawn.rows.len()
    }

    fn seal(&mut self, rows: usize) {
        let mut left = rows.min(self.drawn.rows.len());
        self.drawn.rows.drain(..left);
        self.drop_given();
        while let Some(count) = self.drawn.counts.front_mut().filter(|_| left > 0) {
            let taken = left.min(*count);
            *count -= taken;
            left -= taken;
            match self.given.last_mut() {
                Some((given, columns)) if *columns == self.drawn.columns => *given += taken,
                _ => self.given.push((taken, self.drawn.columns)),
            }
            self.drop_given();
        }
    }
}
