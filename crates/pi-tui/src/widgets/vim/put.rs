//! Commands that bring text in: inserting, and what is in a register.

use super::keys::Pending;
use super::registers::is_lines;
use super::sheet::Sheet;
use super::{Vim, VimMode};
use crate::widgets::editor::{Editor, layer};

/// No more is put at once.
const MOST_BYTES: usize = 1 << 20;

impl Vim {
    /// Begins to insert.
    pub(super) fn insert(&mut self, editor: &mut Editor, key: char) {
        let sheet = Sheet::new(layer::text(editor));
        let at = sheet.at(editor.cursor());
        let (start, end) = (sheet.line_start(at), sheet.line_end(at));
        let place = match key {
            'a' => (at + 1).min(end),
            'A' | 'o' => end,
            'I' => sheet.first_non_blank(at),
            'O' => start,
            _ => at,
        };
        if matches!(key, 'o' | 'O') {
            self.edit(editor, &sheet, place..place, "\n");
        }
        if key != 'o' {
            layer::move_to(editor, sheet.place(place));
        }
        self.mode = VimMode::Insert;
    }

    /// Puts what is in a register behind the cursor or in front of it; lines below its line or above it.
    pub(super) fn put(&mut self, editor: &mut Editor, pending: Pending, is_behind: bool) {
        let Some(text) = self.registers.get(editor, pending.register).filter(|text| !text.is_empty()) else { return };
        let times = pending.times().unwrap_or(1).min(MOST_BYTES / text.len()).max(1);
        let many = text.repeat(times);
        let sheet = Sheet::new(layer::text(editor));
        let at = sheet.at(editor.cursor());
        if is_lines(&many) {
            return self.put_lines(editor, &sheet, at, &many, is_behind);
        }
        let place = if is_behind { (at + 1).min(sheet.line_end(at)) } else { at };
        self.edit(editor, &sheet, place..place, &many);
        let sheet = Sheet::new(layer::text(editor));
        let last = if many.contains('\n') { place } else { sheet.at(editor.cursor()).saturating_sub(1) };
        layer::move_to(editor, sheet.place(last));
    }

    fn put_lines(&mut self, editor: &mut Editor, sheet: &Sheet, at: usize, text: &str, is_behind: bool) {
        let (start, end) = (sheet.line_start(at), sheet.line_end(at));
        let line = sheet.line_of(at);
        if is_behind {
            let lines = text.strip_suffix('\n').unwrap_or(text);
            self.edit(editor, sheet, end..end, &format!("\n{lines}"));
        } else {
            self.edit(editor, sheet, start..start, text);
        }
        let sheet = Sheet::new(layer::text(editor));
        let first = sheet.first_of_line(line + usize::from(is_behind));
        layer::move_to(editor, sheet.place(sheet.first_non_blank(first)));
    }

    /// Puts what is in a register in the place of the selection, which goes into the kill ring.
    pub(super) fn put_over_selection(&mut self, editor: &mut Editor, pending: Pending) {
        let Some(text) = self.registers.get(editor, pending.register) else { return };
        let sheet = Sheet::new(layer::text(editor));
        let range = self.selected(&sheet, sheet.at(editor.cursor()));
        let range = range.start..range.end.min(sheet.end());
        let before = sheet.text_of(range.clone());
        let text = if self.mode == VimMode::VisualLine { text.strip_suffix('\n').unwrap_or(&text) } else { &text };
        // A selection of lines leaves its last line end.
        let end = if self.mode == VimMode::VisualLine && before.ends_with('\n') { range.end - 1 } else { range.end };
        self.registers.keep(editor, None, before);
        self.edit(editor, &sheet, range.start..end, text);
        self.mode = VimMode::Normal;
        layer::move_to(editor, sheet.place(range.start));
    }
}
