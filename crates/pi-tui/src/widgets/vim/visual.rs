//! Selections: from the anchor to the cursor, both in it; or all lines in between.

use std::ops::Range;

use super::keys::Pending;
use super::object::Object;
use super::operate::Operator;
use super::sheet::Sheet;
use super::{Vim, VimMode};
use crate::widgets::editor::{Editor, layer};

impl Vim {
    pub(super) fn begin_selection(&mut self, editor: &Editor, is_lines: bool) {
        self.anchor = editor.cursor();
        self.mode = if is_lines { VimMode::VisualLine } else { VimMode::Visual };
    }

    /// The cells that are selected, line ends of lines among them.
    pub(super) fn selected(&self, sheet: &Sheet, at: usize) -> Range<usize> {
        let anchor = sheet.at(self.anchor);
        let (start, end) = (at.min(anchor), at.max(anchor));
        match self.mode {
            VimMode::VisualLine => sheet.line_start(start)..sheet.line_end(end) + 1,
            _ => start..end + 1,
        }
    }

    /// A command for the selection.
    pub(super) fn on_selection(&mut self, editor: &mut Editor, pending: Pending, key: char) {
        match key {
            'd' | 'x' => self.operate_on_selection(editor, pending, Operator::Delete),
            'c' | 's' => self.operate_on_selection(editor, pending, Operator::Change),
            'y' => self.operate_on_selection(editor, pending, Operator::Yank),
            'u' => self.operate_on_selection(editor, pending, Operator::Lower),
            'U' => self.operate_on_selection(editor, pending, Operator::Upper),
            '~' => self.operate_on_selection(editor, pending, Operator::Toggle),
            'D' | 'X' | 'S' | 'C' | 'Y' => {
                self.mode = VimMode::VisualLine;
                let operator = match key {
                    'D' | 'X' => Operator::Delete,
                    'Y' => Operator::Yank,
                    _ => Operator::Change,
                };
                self.operate_on_selection(editor, pending, operator);
            }
            'p' | 'P' => self.put_over_selection(editor, pending),
            'J' => {
                let sheet = Sheet::new(layer::text(editor));
                let range = self.selected(&sheet, sheet.at(editor.cursor()));
                let lines = sheet.line_of(range.end.saturating_sub(1)) - sheet.line_of(range.start) + 1;
                self.mode = VimMode::Normal;
                layer::move_to(editor, sheet.place(range.start));
                self.join(editor, lines.max(2));
            }
            'o' => {
                let cursor = editor.cursor();
                layer::move_to(editor, self.anchor);
                self.anchor = cursor;
            }
            'v' | 'V' => {
                let other = if key == 'v' { VimMode::Visual } else { VimMode::VisualLine };
                self.mode = if self.mode == other { VimMode::Normal } else { other };
            }
            _ => {}
        }
    }

    pub(super) fn operate_on_selection(&mut self, editor: &mut Editor, pending: Pending, operator: Operator) {
        let sheet = Sheet::new(layer::text(editor));
        let range = self.selected(&sheet, sheet.at(editor.cursor()));
        let is_lines = self.mode == VimMode::VisualLine;
        self.mode = VimMode::Normal;
        if is_lines {
            let lines = sheet.line_of(range.start)..sheet.line_of(range.end.saturating_sub(1)) + 1;
            layer::move_to(editor, sheet.place(range.start));
            self.operate_on_lines(editor, pending.register, operator, &sheet, lines);
        } else {
            self.operate(editor, pending.register, operator, &sheet, range);
        }
    }

    /// An object becomes the selection.
    pub(super) fn select_object(&mut self, editor: &mut Editor, sheet: &Sheet, object: &Object) {
        if object.range.is_empty() {
            return;
        }
        self.mode = if object.is_lines { VimMode::VisualLine } else { VimMode::Visual };
        self.anchor = sheet.place(object.range.start);
        layer::move_to(editor, sheet.place(object.range.end - 1));
    }
}
