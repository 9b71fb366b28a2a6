//! A multi-line editor.
//!
//! `keys` handles input, `layer` is for widgets that lie over an editor, `view` draws, `layout` maps lines to rows, `history`
//! keeps earlier texts; the text operations are in `edit`. No completions here (see
//! [`Completion`](super::completion::Completion)), and nothing is sent: a submitted text is returned.

mod history;
mod keys;
pub(super) mod layer;
mod layout;
#[cfg(test)]
mod tests;
mod view;

use history::History;
use layout::Layout;

pub use super::edit::Position;
use super::edit::{Direction, EditText};
pub use view::EditorStyle;

/// The outcome of an input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EditorOutcome {
    /// Not handled.
    Ignored,
    /// The text changed.
    Changed,
    /// Handled; the text is unchanged.
    Moved,
    /// The submitted text, trimmed and with markers expanded. The editor is empty now.
    Submit(String),
}

/// A multi-line editor.
#[derive(Debug, Clone)]
pub struct Editor {
    text: EditText,
    history: History,
    /// Waiting for the character to jump to.
    jump: Option<Direction>,
    /// Sticky column of vertical moves.
    column: Option<usize>,
    /// Index of the first visible row.
    scroll: usize,
    /// Maximum number of visible rows; pages move by it.
    visible: usize,
    /// Columns of the text area when last drawn.
    columns: usize,
    padding: u16,
    style: EditorStyle,
    /// What the lower rule says.
    label: String,
    /// What is selected.
    selection: Option<(Position, Position)>,
    revision: u64,
}

/// Assumed until the first drawing.
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
            label: String::new(),
            selection: None,
            revision: 0,
        }
    }

    /// The text as shown: long pastes as markers.
    pub fn text(&self) -> String {
        self.text.text()
    }

    /// The text with markers expanded to the pasted texts.
    pub fn expanded_text(&self) -> String {
        self.text.expanded()
    }

    /// Whether the text is empty.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// The first non-blank character. Cheap: programs style the editor by it.
    pub fn first_character(&self) -> Option<char> {
        let mut lines = (0..self.text.line_count()).map(|line| self.text.line(line));
        lines.find_map(|line| line.trim_start().chars().next())
    }

    /// The cursor.
    pub fn cursor(&self) -> Position {
        self.text.cursor()
    }

    /// A line of the text; empty past the end.
    pub fn line(&self, index: usize) -> &str {
        self.text.line(index)
    }

    /// Changes whenever the text, the cursor or the look changes.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Whether it waits for the character to jump to.
    pub fn is_jumping(&self) -> bool {
        self.jump.is_some()
    }

    /// Replaces the text, as one undo unit. The cursor moves to the end.
    pub fn set_text(&mut self, text: &str) {
        self.text.set(text);
        self.changed();
    }

    /// Inserts text at the cursor, as one undo unit.
    pub fn insert(&mut self, text: &str) {
        self.text.insert(text);
        self.changed();
    }

    /// Inserts pasted text at the cursor: a long one as a marker.
    pub fn paste(&mut self, text: &str) {
        self.text.paste(text);
        self.changed();
    }

    /// Inserts an image at the cursor: a marker with this label, which stands for the text, such as the path of its file.
    pub fn insert_image(&mut self, label: &str, text: &str) {
        self.text.insert_image(label, text);
        self.changed();
    }

    /// Replaces a range, as one undo unit, and puts the cursor `back` units before the end of the new text.
    pub(super) fn replace(&mut self, from: Position, to: Position, text: &str, back: usize) {
        self.text.replace(from, to, text);
        (0..back).for_each(|_| self.text.move_to(self.text.place(super::edit::MotionTarget::Left)));
        self.changed();
    }

    /// What the lower rule says; nothing for a plain one.
    pub fn set_label(&mut self, label: &str) {
        if self.label != label {
            label.clone_into(&mut self.label);
            self.revision += 1;
        }
    }

    /// Empties the editor and returns its text, trimmed and with markers expanded; `None` if blank.
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

    /// Adds a text to the history, as its newest entry.
    pub fn remember(&mut self, text: &str) {
        self.history.add(text);
    }

    /// Sets the blank columns on both sides, at most three.
    pub fn set_padding(&mut self, columns: u16) {
        self.padding = columns.min(MOST_PADDING);
        self.revision += 1;
    }

    /// Sets the styles.
    pub fn set_style(&mut self, style: EditorStyle) {
        if self.style != style {
            self.style = style;
            self.revision += 1;
        }
    }

    /// The styles.
    pub fn style(&self) -> EditorStyle {
        self.style
    }

    /// The rows, up to date.
    fn layout(&mut self) -> Layout<'_> {
        self.text.lay_out(self.columns);
        Layout::new(&self.text)
    }

    /// Bookkeeping after every change that is not a step in the history.
    fn changed(&mut self) {
        self.history.stop();
        self.column = None;
        self.jump = None;
        self.revision += 1;
    }
}
