//! Draws the editor: two rules, and between them the part of the text around the cursor.

use std::ops::Range;

use super::Editor;
use super::layout::{Layout, VisualRow};
use crate::text::{Attributes, Line, Row, Style};
use crate::widgets::edit::{EditText, shown_in_cell, units};
use crate::widgets::{Caret, rule};

/// Styles of an editor.
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

/// An editor may fill this share of the window, and never fewer rows than this.
const MIN_ROWS: usize = 5;
const PERCENT: usize = 30;

impl Editor {
    /// The maximum number of text rows in a window of this height.
    pub fn rows_for(window_rows: u16) -> usize {
        MIN_ROWS.max(usize::from(window_rows) * PERCENT / 100)
    }

    /// Draws two rules and at most `max_rows` rows of text between them.
    pub fn rows(&mut self, columns: u16, max_rows: usize) -> (Vec<Row>, Caret) {
        let padding = self.padding.min(columns.saturating_sub(1) / 2);
        self.set_size(columns, padding, max_rows.max(1));
        let layout = Layout::new(&self.text);
        let (total, at) = (layout.row_count(), layout.current_row());
        let scroll =
            self.scroll.min(at).min(total.saturating_sub(self.visible)).max((at + 1).saturating_sub(self.visible));
        let in_view: Vec<VisualRow> = layout.rows_from(scroll).take(self.visible).collect();
        let below = total - scroll - in_view.len();
        let mut rows = vec![edge("", "↑", scroll, self.style.rule, columns)];
        for (index, row) in (scroll..).zip(&in_view) {
            rows.push(Row::new(&self.shown(row, index == at, padding), columns));
        }
        rows.push(edge(&self.label, "↓", below, self.style.rule, columns));
        let column = usize::from(padding) + layout.current_column();
        let column = u16::try_from(column).unwrap_or(u16::MAX).min(columns.saturating_sub(1));
        self.scroll = scroll;
        (rows, Caret { row: at - scroll + 1, column })
    }

    /// Reserves a cell for the cursor after the last character of a full row: in the padding if there is any, else beside
    /// the text.
    fn set_size(&mut self, columns: u16, padding: u16, visible: usize) {
        let spare = u16::from(padding == 0);
        let columns = usize::from(columns.saturating_sub(2 * padding + spare)).max(1);
        self.visible = visible;
        self.columns = columns;
        self.text.lay_out(columns);
    }

    fn shown(&self, row: &VisualRow, has_cursor: bool, padding: u16) -> Line {
        let mut line = Line::from(" ".repeat(usize::from(padding)).as_str());
        let text = self.text.line(row.line);
        let markers = self.text.markers(row.line);
        let caret = has_cursor.then(|| caret(&self.text, row, &markers));
        // The styles change where the caret and the markers begin and end.
        let mut edges: Vec<usize> = markers.iter().chain(&caret).flat_map(|part| [part.start, part.end]).collect();
        let selected = selected_part(self, row.line);
        edges.extend([row.part.start, row.part.end, selected.start, selected.end]);
        edges.retain(|edge| row.part.start <= *edge && *edge <= row.part.end);
        edges.sort_unstable();
        edges.dedup();
        for (from, to) in edges.iter().zip(edges.iter().skip(1)) {
            let is_marker = markers.iter().any(|marker| marker.contains(from));
            let style = self.style.text.patch(if is_marker { self.style.marker } else { Style::PLAIN });
            let is_selected = selected.contains(from);
            match caret.as_ref().is_some_and(|caret| caret.contains(from)) || is_selected {
                true if is_selected => line.push(&text[*from..*to], style.patch(self.style.caret)),
                true => line.push(&shown_in_cell(&text[*from..*to]), style.patch(self.style.caret)),
                false => line.push(&text[*from..*to], style),
            }
        }
        if caret.is_some_and(|caret| caret.is_empty()) {
            line.push(" ", self.style.text.patch(self.style.caret));
        }
        line
    }
}

/// The part of a line that is selected.
fn selected_part(editor: &Editor, line: usize) -> Range<usize> {
    let Some((from, to)) = editor.selection.filter(|(from, to)| (from.line..=to.line).contains(&line)) else {
        return 0..0;
    };
    let start = if from.line == line { from.byte } else { 0 };
    let end = if to.line == line { to.byte } else { editor.text.line(line).len() };
    start..end.max(start)
}

/// A rule of the editor, with what it says and the number of rows that are hidden behind it.
fn edge(label: &str, arrow: &str, hidden: usize, style: Style, columns: u16) -> Row {
    let text = match (label, hidden) {
        ("", 0) => return rule::plain(style, columns),
        (label, 0) => label.to_owned(),
        ("", _) => format!("{arrow} {hidden} more"),
        _ => format!("{label} · {arrow} {hidden} more"),
    };
    rule::labelled(&Line::styled(text, style), style, columns)
}

/// The range of the unit at the cursor, which is in this row; empty at the end of a line.
fn caret(text: &EditText, row: &VisualRow, markers: &[Range<usize>]) -> Range<usize> {
    let at = text.cursor().byte;
    let mut units = units(text.line(row.line), at..row.part.end, markers, text.columns());
    at..units.next().map_or(at, |unit| unit.to())
}
