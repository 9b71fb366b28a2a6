//! Operators: what they do to a range of cells, or of lines.

use std::ops::Range;

use super::keys::Pending;
use super::sheet::Sheet;
use super::{Vim, VimMode};
use crate::widgets::edit::Direction;
use crate::widgets::editor::{Editor, layer};

/// An operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    Delete,
    Change,
    Yank,
    Lower,
    Upper,
    Toggle,
}

impl Operator {
    /// The key that, behind the operator, means whole lines.
    pub(super) fn key(self) -> char {
        match self {
            Self::Delete => 'd',
            Self::Change => 'c',
            Self::Yank => 'y',
            Self::Lower => 'u',
            Self::Upper => 'U',
            Self::Toggle => '~',
        }
    }

    /// Those that come after `g`.
    pub(super) fn of_case(key: char) -> Option<Self> {
        [Self::Lower, Self::Upper, Self::Toggle].into_iter().find(|operator| operator.key() == key)
    }

    fn of_text(self, text: &str) -> String {
        match self {
            Self::Lower => text.to_lowercase(),
            Self::Upper => text.to_uppercase(),
            _ => text.chars().flat_map(toggled).collect(),
        }
    }
}

fn toggled(char: char) -> Vec<char> {
    if char.is_uppercase() { char.to_lowercase().collect() } else { char.to_uppercase().collect() }
}

impl Vim {
    /// Puts a text in the place of cells.
    pub(super) fn edit(&mut self, editor: &mut Editor, sheet: &Sheet, range: Range<usize>, text: &str) {
        if range.is_empty() && text.is_empty() {
            return;
        }
        editor.replace(sheet.place(range.start), sheet.place(range.end), text, 0);
        self.has_changed = true;
    }

    /// Does what an operator does to cells.
    pub(super) fn operate(
        &mut self,
        editor: &mut Editor,
        register: Option<char>,
        operator: Operator,
        sheet: &Sheet,
        range: Range<usize>,
    ) {
        let range = range.start.min(sheet.end())..range.end.min(sheet.end()).max(range.start.min(sheet.end()));
        let text = sheet.text_of(range.clone());
        // Undoing it leads to the start of what it took.
        layer::move_to(editor, sheet.place(range.start));
        match operator {
            Operator::Yank => {
                if !text.is_empty() {
                    self.registers.keep(editor, register, text);
                }
            }
            Operator::Delete | Operator::Change => {
                if !text.is_empty() {
                    self.registers.keep(editor, register, text);
                }
                self.edit(editor, sheet, range, "");
                if operator == Operator::Change {
                    self.mode = VimMode::Insert;
                }
            }
            Operator::Lower | Operator::Upper | Operator::Toggle => {
                let place = sheet.place(range.start);
                self.edit(editor, sheet, range, &operator.of_text(&text));
                layer::move_to(editor, place);
            }
        }
    }

    /// The operator twice: whole lines from the cursor on.
    pub(super) fn on_lines(&mut self, editor: &mut Editor, pending: Pending, operator: Operator) {
        let sheet = Sheet::new(layer::text(editor));
        let line = sheet.line_of(sheet.at(editor.cursor()));
        let end = (line + pending.times().unwrap_or(1)).min(sheet.line_count());
        self.operate_on_lines(editor, pending.register, operator, &sheet, line..end);
    }

    /// Does what an operator does to lines.
    pub(super) fn operate_on_lines(
        &mut self,
        editor: &mut Editor,
        register: Option<char>,
        operator: Operator,
        sheet: &Sheet,
        lines: Range<usize>,
    ) {
        let start = sheet.first_of_line(lines.start);
        let end = sheet.line_end(sheet.first_of_line(lines.end.saturating_sub(1)));
        let text = format!("{}\n", sheet.text_of(start..end));
        match operator {
            Operator::Yank => {
                self.registers.keep(editor, register, text);
                // Downwards the cursor stays, upwards it goes along.
                if sheet.line_of(sheet.at(editor.cursor())) != lines.start {
                    layer::move_to(editor, sheet.place(start));
                }
            }
            Operator::Change => {
                self.registers.keep(editor, register, text);
                self.edit(editor, sheet, start..end, "");
                self.mode = VimMode::Insert;
            }
            Operator::Delete => {
                self.registers.keep(editor, register, text);
                // The end of a line goes along: its own, or the one before.
                let range = match (end < sheet.end(), start > 0) {
                    (true, _) => start..end + 1,
                    (false, true) => start - 1..end,
                    (false, false) => start..end,
                };
                self.edit(editor, sheet, range, "");
                let sheet = Sheet::new(layer::text(editor));
                let line = lines.start.min(sheet.line_count() - 1);
                layer::move_to(editor, sheet.place(sheet.first_non_blank(sheet.first_of_line(line))));
            }
            Operator::Lower | Operator::Upper | Operator::Toggle => {
                self.operate(editor, None, operator, sheet, start..end);
            }
        }
    }

    /// `r`: one character in the place of so many.
    pub(super) fn replace(&mut self, editor: &mut Editor, times: usize, text: &str) {
        let sheet = Sheet::new(layer::text(editor));
        let at = sheet.at(editor.cursor());
        if self.mode.is_visual() {
            let range = self.selected(&sheet, at);
            let cells = range.clone().map(|at| if sheet.is_break(at) { "\n" } else { text });
            let new: String = cells.collect();
            let end = range.end.min(sheet.end());
            let new = if end < range.end { new.strip_suffix('\n').unwrap_or(&new) } else { &new };
            self.edit(editor, &sheet, range.start..end, new);
            self.mode = VimMode::Normal;
            return layer::move_to(editor, sheet.place(range.start));
        }
        if at + times <= sheet.line_end(at) {
            self.edit(editor, &sheet, at..at + times, &text.repeat(times));
            let sheet = Sheet::new(layer::text(editor));
            layer::move_to(editor, sheet.place(at + times - 1));
        }
    }

    /// `~`: the other case, and on.
    pub(super) fn toggle_case(&mut self, editor: &mut Editor, times: usize) {
        let sheet = Sheet::new(layer::text(editor));
        let at = sheet.at(editor.cursor());
        let range = at..(at + times).min(sheet.line_end(at));
        let text = Operator::Toggle.of_text(&sheet.text_of(range.clone()));
        self.edit(editor, &sheet, range, &text);
    }

    /// `J`: so many lines become one, with a blank in between.
    pub(super) fn join(&mut self, editor: &mut Editor, count: usize) {
        let depth = layer::text(editor).undo_log().depth();
        for _ in 1..count {
            let sheet = Sheet::new(layer::text(editor));
            let end = sheet.line_end(sheet.at(editor.cursor()));
            if end == sheet.end() {
                break;
            }
            let next = sheet.first_non_blank(end + 1);
            let is_plain = sheet.is_break(next) || end == sheet.line_start(end) || sheet.text(next) == ")";
            let place = sheet.place(end);
            let blank = if is_plain || sheet.text(end - 1) == " " { "" } else { " " };
            self.edit(editor, &sheet, end..next, blank);
            layer::move_to(editor, place);
        }
        layer::text(editor).undo_log().merge_above(depth);
    }

    /// Up and down beyond the text: earlier and later texts.
    pub(super) fn recall(&mut self, editor: &mut Editor, is_up: bool) {
        let direction = if is_up { Direction::Backward } else { Direction::Forward };
        let before = editor.text();
        layer::recall(editor, direction);
        self.has_changed = before != editor.text();
    }
}
