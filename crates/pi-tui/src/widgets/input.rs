//! A one-line text field with horizontal scrolling.

use super::Caret;
use super::edit::{EditCommand, EditText, Position, shown_in_cell, units};
use crate::input::{Input, KeyEvent};
use crate::keymap::{Keymap, action};
use crate::text::{Attributes, Line, Row, Style, width};

/// Styles of a text field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InputStyle {
    /// The prompt before the text.
    pub prompt: Style,
    /// The text.
    pub text: Style,
    /// The cell of the cursor.
    pub caret: Style,
}

impl Default for InputStyle {
    fn default() -> Self {
        Self { prompt: Style::PLAIN, text: Style::PLAIN, caret: Style::PLAIN.with(Attributes::INVERSE) }
    }
}

/// The outcome of an input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InputOutcome {
    /// Not handled.
    Ignored,
    /// The text changed.
    Changed,
    /// Handled; the text is unchanged.
    Moved,
    /// The submitted text. The field keeps it.
    Submit(String),
}

/// A one-line text field.
#[derive(Debug, Clone)]
pub struct TextInput {
    text: EditText,
    prompt: String,
    style: InputStyle,
}

impl TextInput {
    /// An empty field after a prompt.
    pub fn new(prompt: &str, style: InputStyle) -> Self {
        Self { text: EditText::new(), prompt: prompt.to_owned(), style }
    }

    /// Changes how it looks.
    pub fn set_style(&mut self, style: InputStyle) {
        self.style = style;
    }

    /// The text.
    pub fn text(&self) -> &str {
        self.text.line(0)
    }

    /// Whether the text is empty.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Replaces the text, as one undo unit. The cursor moves to the end.
    pub fn set_text(&mut self, text: &str) {
        self.text.set(&on_one_line(text));
    }

    /// Empties the field and its undo stack.
    pub fn clear(&mut self) {
        self.text.clear();
    }

    /// Handles an input. Escape is ignored: it closes what holds the field.
    pub fn handle(&mut self, input: &Input, keys: &Keymap) -> InputOutcome {
        match input {
            Input::Paste(text) => {
                self.text.insert(&on_one_line(text));
                InputOutcome::Changed
            }
            Input::Key(event) if !event.is_release() => self.key(event, keys),
            _ => InputOutcome::Ignored,
        }
    }

    fn key(&mut self, event: &KeyEvent, keys: &Keymap) -> InputOutcome {
        // A terminal that is not in raw mode yet sends LF for Enter.
        if event.is_line_feed() || keys.is(event, action::INPUT_SUBMIT) {
            return InputOutcome::Submit(self.text().to_owned());
        }
        if let Some(command) = EditCommand::of(event, keys) {
            return if self.text.run(command) { InputOutcome::Changed } else { InputOutcome::Moved };
        }
        match event.text.as_deref().map(on_one_line) {
            Some(text) if !text.is_empty() => {
                self.text.type_text(&text);
                InputOutcome::Changed
            }
            _ => InputOutcome::Ignored,
        }
    }

    /// Draws one row: the prompt, and the part of the text around the cursor.
    pub fn rows(&mut self, columns: u16) -> (Vec<Row>, Caret) {
        let mut line = Line::styled(self.prompt.as_str(), self.style.prompt);
        let room = usize::from(columns).saturating_sub(line.width());
        let cursor = self.text.cursor();
        let before = width(self.text.before_cursor());
        let start = self.first_column(before, room);
        let (mut column, mut caret) = (0, None);
        for unit in units(self.text(), 0..self.text().len(), &[], usize::MAX) {
            let is_caret = Position::new(0, unit.from) == cursor;
            if column >= start && column + unit.width <= start + room {
                if is_caret {
                    caret = Some(line.width());
                    line.push(&shown_in_cell(unit.text), self.style.text.patch(self.style.caret));
                } else {
                    line.push(unit.text, self.style.text);
                }
            }
            column += unit.width;
        }
        let caret = caret.unwrap_or_else(|| line.width());
        if cursor.byte == self.text().len() {
            line.push(" ", self.style.text.patch(self.style.caret));
        }
        let column = u16::try_from(caret).unwrap_or(u16::MAX).min(columns.saturating_sub(1));
        (vec![Row::new(&line, columns)], Caret { row: 0, column })
    }

    /// The first visible column of the text, for a cursor at column `before`.
    fn first_column(&self, before: usize, room: usize) -> usize {
        let total = width(self.text());
        if total < room {
            return 0;
        }
        // A cursor after the text needs a cell of its own.
        let is_at_end = self.text.after_cursor().is_empty();
        let shown = room.saturating_sub(usize::from(is_at_end));
        before.saturating_sub(shown / 2).min(total.saturating_sub(shown))
    }
}

fn on_one_line(text: &str) -> String {
    text.replace(['\r', '\n'], "")
}
