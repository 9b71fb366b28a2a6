//! A multi-line editor.
//!
//! `keys` takes input, `view` draws, `layout` breaks lines into rows, `history` keeps earlier texts. What editing itself is
//! stands in `edit`. The editor knows no completions (see [`Completion`](super::Completion)) and sends nothing: it returns
//! what was submitted.

mod history;
mod keys;
mod layout;
#[cfg(test)]
mod tests;
mod view;

use history::History;
use layout::Layout;

pub use super::edit::Position;
use super::edit::{Direction, EditText};
pub use view::EditorStyle;

/// What became of an input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EditorOutcome {
    /// It means nothing here.
    Ignored,
    /// The text changed.
    Changed,
    /// It was taken, and the text is the same.
    Moved,
    /// The text was sent: trimmed, with what is behind its markers. The editor is empty.
    Submit(String),
}

/// A multi-line editor.
#[derive(Debug, Clone)]
pub struct Editor {
    text: EditText,
    history: History,
    /// The next character is the target of a jump.
    jump: Option<Direction>,
    /// The column that vertical moves try to keep.
    column: Option<usize>,
    /// The first row that is shown, and how many are.
    scroll: usize,
    visible: usize,
    /// Columns of the text when it was drawn last.
    columns: usize,
    padding: u16,
    style: EditorStyle,
    revision: u64,
}

/// Assumed until it is drawn.
const COLUMNS: usize = 80;
const VISIBLE: usize = 5;
const MOST_PADDING: u16 = 3;

impl Editor {
    /// An empty editor.
    pub fn new(style: EditorStyle) -> Self {
        Self {
            text: EditText::new(),
            history: History::default(),
            jump: None,
            column: None,
            scroll: 0,
            visible: VISIBLE,
            columns: COLUMNS,
            padding: 0,
            style,
            revision: 0,
        }
    }

    /// The text as it is shown, with markers for long pastes.
    pub fn text(&self) -> String {
        self.text.text()
    }

    /// The text with what is behind its markers.
    pub fn expanded_text(&self) -> String {
        self.text.expanded()
    }

    /// Whether there is no text.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// The first character that is no blank: what kind of text it is may depend on it.
    pub fn first_character(&self) -> Option<char> {
        let mut lines = (0..self.text.line_count()).map(|line| self.text.line(line));
        lines.find_map(|line| line.trim_start().chars().next())
    }

    /// Where the cursor is.
    pub fn cursor(&self) -> Position {
        self.text.cursor()
    }

    /// A line of the text; empty beyond the last.
    pub fn line(&self, index: usize) -> &str {
        self.text.line(index)
    }

    /// Changes whenever the text or the cursor does.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Whether the next character is the target of a jump.
    pub fn is_jumping(&self) -> bool {
        self.jump.is_some()
    }

    /// Replaces the text, as one unit of undo. The cursor goes to the end.
    pub fn set_text(&mut self, text: &str) {
        self.text.set(text);
        self.changed();
    }

    /// Inserts a text at the cursor, as one unit of undo.
    pub fn insert(&mut self, text: &str) {
        self.text.insert(text);
        self.changed();
    }

    /// Adds a text at the end, as one unit of undo, and goes there.
    pub fn append(&mut self, text: &str) {
        self.text.move_to_end();
        self.insert(text);
    }

    /// Inserts what was pasted: a long text hides behind a marker.
    pub fn paste(&mut self, text: &str) {
        self.text.paste(text);
        self.changed();
    }

    /// Replaces a part of a line before the cursor or around it, as one unit of undo.
    pub(super) fn replace(&mut self, from: Position, to: Position, text: &str, back: usize) {
        self.text.replace(from, to, text);
        (0..back).for_each(|_| self.text.move_to(self.text.place(super::edit::Place::Left)));
        self.changed();
    }

    /// Empties it and returns its text, trimmed and with what is behind its markers; `None` when it is blank.
    pub fn take(&mut self) -> Option<String> {
        let expanded = self.text.expanded();
        let text = expanded.trim();
        if text.is_empty() {
            return None;
        }
        self.text.clear();
        self.scroll = 0;
        self.changed();
        Some(text.to_owned())
    }

    /// Adds a text to the history, as its latest.
    pub fn remember(&mut self, text: &str) {
        self.history.add(text);
    }

    /// Blank columns on both sides, at most three.
    pub fn set_padding(&mut self, columns: u16) {
        self.padding = columns.min(MOST_PADDING);
        self.revision += 1;
    }

    /// Changes what it looks like.
    pub fn set_style(&mut self, style: EditorStyle) {
        if self.style != style {
            self.style = style;
            self.revision += 1;
        }
    }

    /// What it looks like.
    pub fn style(&self) -> EditorStyle {
        self.style
    }

    fn layout(&self) -> Layout<'_> {
        Layout { text: &self.text, columns: self.columns }
    }

    /// After every change that does not come from the history.
    fn changed(&mut self) {
        self.history.stop();
        self.column = None;
        self.jump = None;
        self.revision += 1;
    }
}
