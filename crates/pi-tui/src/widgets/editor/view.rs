//! The rows of an editor: a rule above and below, between them the part of the text around the cursor.

use super::Editor;
use super::layout::{Layout, VisualRow};
use crate::text::{Attributes, Line, Row, Style, width};
use crate::widgets::Caret;
use crate::widgets::edit::units;

/// What an editor looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EditorStyle {
    /// The rules above and below.
    pub rule: Style,
    /// The text.
    pub text: Style,
    /// Markers of pastes.
    pub marker: Style,
    /// The cell of the cursor.
    pub caret: Style,
}

impl Default for EditorStyle {
    fn default() -> Self {
        let caret = Style::PLAIN.with(Attributes::INVERSE);
        Self { rule: Style::PLAIN, text: Style::PLAIN, marker: Style::PLAIN, caret }
    }
}

/// The fewest rows of text that an editor shows, and the share of the window that it takes.
const MIN_ROWS: usize = 5;
const PERCENT: usize = 30;

impl Editor {
    /// How many rows of text an editor shows at most in a window of so many rows.
    pub fn rows_for(window_rows: u16) -> usize {
        MIN_ROWS.max(usize::from(window_rows) * PERCENT / 100)
    }

    /// Draws it with at most so many rows of text, and two rules.
    pub fn rows(&mut self, columns: u16, max_rows: usize) -> (Vec<Row>, Caret) {
        let padding = self.padding.min(columns.saturating_sub(1) / 2);
        self.set_size(columns, padding, max_rows.max(1));
        let layout = Layout { text: &self.text, columns: self.columns };
        let (total, at) = (layout.row_count(), layout.row_of(self.text.cursor()));
        let scroll =
            self.scroll.min(at).min(total.saturating_sub(self.visible)).max((at + 1).saturating_sub(self.visible));
        let in_view: Vec<VisualRow> = layout.rows_from(scroll).take(self.visible).collect();
        let below = total - scroll - in_view.len();
        let mut rows = vec![self.rule("↑", scroll, columns)];
        for (index, row) in (scroll..).zip(&in_view) {
            rows.push(Row::new(&self.shown(row, index == at, padding), columns));
        }
        rows.push(self.rule("↓", below, columns));
        let column = usize::from(padding) + layout.column_of(self.text.cursor());
        let column = u16::try_from(column).unwrap_or(u16::MAX).min(columns.saturating_sub(1));
        self.scroll = scroll;
        (rows, Caret { row: at - scroll + 1, column })
    }

    /// A cell is kept for a cursor behind the last character: in the padding, or beside the text.
    fn set_size(&mut self, columns: u16, padding: u16, visible: usize) {
        let spare = u16::from(padding == 0);
        let columns = usize::from(columns.saturating_sub(2 * padding + spare)).max(1);
        self.visible = visible;
        if columns != self.columns {
            self.columns = columns;
            self.text.forget_breaks();
        }
    }

    fn rule(&self, arrow: &str, hidden: usize, columns: u16) -> Row {
        let mut text = if hidden > 0 { format!("─── {arrow} {hidden} more ") } else { String::new() };
        let rest = usize::from(columns).saturating_sub(width(&text));
        text.push_str(&"─".repeat(rest));
        Row::styled(&text, self.style.rule, columns)
    }

    fn shown(&self, row: &VisualRow, has_cursor: bool, padding: u16) -> Line {
        let mut line = Line::from(" ".repeat(usize::from(padding)).as_str());
        let text = self.text.line(row.line);
        let markers = self.text.markers(row.line);
        let cursor = has_cursor.then(|| self.text.cursor().byte);
        let is_caret = |from: usize| cursor == Some(from);
        for unit in units(text, row.part.clone(), &markers, self.columns) {
            let is_marker = markers.iter().any(|marker| marker.contains(&unit.from));
            let style = self.style.text.patch(if is_marker { self.style.marker } else { Style::PLAIN });
            match is_caret(unit.from) {
                // A character without columns has no cell to show the cursor in.
                true if unit.width == 0 => line.push(" ", style.patch(self.style.caret)),
                true => line.push(unit.text, style.patch(self.style.caret)),
                false => line.push(unit.text, style),
            }
        }
        if is_caret(text.len()) {
            line.push(" ", self.style.text.patch(self.style.caret));
        }
        line
    }
}
