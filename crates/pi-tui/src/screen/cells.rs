//! Rows read back as cells.
//!
//! A row is written as a whole when it appears. Characters whose columns terminals do not agree on are followed by a jump to
//! the next column, so that what is behind them stands where it belongs.
//! When it changes, the cells tell which part has to be written again; when the
//! terminal has reflowed it, they tell how many rows it takes.

use std::fmt::Write;

use crate::text::{Color, Piece, Row, Style, clusters, columns_apart, pieces};

use super::Reflow;

/// A character with what it looks like.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cell<'a> {
    pub(super) text: &'a str,
    pub(super) width: u16,
    /// Its column.
    pub(super) column: u16,
    look: usize,
}

/// The sequences that are in force at a character.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
struct CellStyle {
    sgr: String,
    link: String,
}

/// The characters of a row.
#[derive(Debug)]
pub(super) struct Cells<'a> {
    cells: Vec<Cell<'a>>,
    looks: Vec<CellStyle>,
}

impl<'a> Cells<'a> {
    pub(super) fn of(row: &'a Row) -> Self {
        let mut cells = Self { cells: Vec::new(), looks: vec![CellStyle::default()] };
        let mut column = 0;
        for piece in pieces(row.text()) {
            match piece {
                Piece::Sequence(sequence) => cells.change_look(sequence),
                Piece::Text(text) => column = cells.add(text, column),
            }
        }
        cells
    }

    /// Adds the characters of a text; returns the column behind it.
    fn add(&mut self, text: &'a str, mut column: u16) -> u16 {
        let look = self.looks.len() - 1;
        let mut add = |text, width| {
            self.cells.push(Cell { text, width, column, look });
            column = column.saturating_add(width);
        };
        if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
            // Finding where characters end is what costs most.
            (0..text.len()).for_each(|at| add(&text[at..=at], 1));
        } else {
            clusters(text).for_each(|(text, width)| add(text, u16::try_from(width).unwrap_or(u16::MAX)));
        }
        column
    }

    fn change_look(&mut self, sequence: &str) {
        let mut look = self.looks.last().cloned().unwrap_or_default();
        if let Some(link) = sequence.strip_prefix("\x1b]8;") {
            let is_closing = matches!(link, ";\x1b\\" | ";\x07");
            look.link = if is_closing { String::new() } else { sequence.to_owned() };
        } else if matches!(sequence, "\x1b[0m" | "\x1b[m") {
            look.sgr.clear();
        } else {
            look.sgr.push_str(sequence);
        }
        self.looks.push(look);
    }

    fn look(&self, index: usize) -> &CellStyle {
        &self.looks[self.cells[index].look]
    }

    fn equals(&self, index: usize, other: &Self, at: usize) -> bool {
        self.cells[index].column == other.cells[at].column
            && self.cells[index].text == other.cells[at].text
            && self.look(index) == other.look(at)
    }

    /// Cells that differ from the other row's: from the first, up to the last where both rows have the same columns behind
    /// it and what is behind the row stays (`rest_stays`). `None` where a cell counts whose width terminals do not agree on, so that the row must be written as a whole.
    pub(super) fn changed_since(&self, old: &Self, rest_stays: bool) -> Option<Changed> {
        let (mine, others) = (self.cells.len(), old.cells.len());
        let head = (0..mine.min(others)).take_while(|index| self.equals(*index, old, *index)).count();
        if !self.cells[..head].iter().all(is_safe) {
            return None;
        }
        let most = mine.min(others) - head;
        let tail = (1..=most).take_while(|back| self.equals(mine - back, old, others - back)).count();
        let tail_is_placed = self.cells[head..mine - tail].iter().chain(&old.cells[head..others - tail]).all(is_safe);
        let end = if tail_is_placed && rest_stays { mine - tail } else { mine };
        // What is written would have to be placed.
        let is_sure = !self.cells[head..end].iter().any(Cell::is_disputed);
        is_sure.then_some(Changed { first: head, end })
    }

    /// The column of a cell, or behind the last one.
    pub(super) fn column(&self, index: usize) -> u16 {
        self.cells.get(index).map_or_else(|| self.width(), |cell| cell.column)
    }

    fn width(&self) -> u16 {
        self.cells.last().map_or(0, |cell| cell.column.saturating_add(cell.width))
    }

    /// Writes all of them into a blank row of so many columns with this fill. Whatever columns the terminal gives to some of
    /// them, those behind stand where they belong, and none goes over the edge.
    pub(super) fn write_placed(&self, columns: u16, fill: Color, out: &mut String) {
        let plain = CellStyle::default();
        let mut now = &plain;
        for (index, cell) in self.cells.iter().enumerate() {
            let next = self.look(index);
            turn(now, next, out);
            now = next;
            if !cell.is_disputed() {
                out.push_str(cell.text);
                continue;
            }
            out.push_str(cell.fitting(columns));
            let behind = cell.column.saturating_add(cell.width);
            if behind < columns {
                // Writing to a string does not fail.
                let _ = write!(out, "\x1b[{}G", behind + 1);
                if columns_apart(cell.text) > usize::from(cell.width) {
                    turn(now, &plain, out);
                    now = &plain;
                    erase_rest(fill, out);
                }
            }
        }
        turn(now, &plain, out);
    }

    /// Writes some of the cells; before and after it no style and no link are in force.
    pub(super) fn write(&self, changed: Changed, out: &mut String) {
        let plain = CellStyle::default();
        let mut now = &plain;
        for index in changed.first..changed.end {
            let next = self.look(index);
            turn(now, next, out);
            now = next;
            out.push_str(self.cells[index].text);
        }
        turn(now, &plain, out);
    }
}

impl<'a> Cell<'a> {
    /// Whether terminals that put its characters beside each other give it other columns.
    fn is_disputed(&self) -> bool {
        self.text.len() > 1 && columns_apart(self.text) != usize::from(self.width)
    }

    /// The text, or its first character where the others might not fit beside it.
    fn fitting(&self, columns: u16) -> &'a str {
        let end = usize::from(self.column) + columns_apart(self.text);
        let first = self.text.chars().next().map_or(0, char::len_utf8);
        if end > usize::from(columns) { &self.text[..first] } else { self.text }
    }
}

/// Whether a row has characters whose columns terminals do not agree on. What joins pictures tells them, or that the columns
/// of the characters are not those of the row.
pub(super) fn is_disputed(row: &Row) -> bool {
    if row.text().is_ascii() {
        return false;
    }
    let mut apart = 0;
    for piece in pieces(row.text()) {
        let Piece::Text(text) = piece else { continue };
        if text.contains(['\u{fe0f}', '\u{200d}']) {
            return true;
        }
        apart += columns_apart(text);
    }
    apart != usize::from(row.width())
}

/// Erases from the cursor to the edge, with a colour.
pub(super) fn erase_rest(fill: Color, out: &mut String) {
    let style = Style::PLAIN.background(fill);
    style.open(out);
    out.push_str("\x1b[K");
    if style != Style::PLAIN {
        out.push_str("\x1b[0m");
    }
}

/// A range of cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Changed {
    pub(super) first: usize,
    pub(super) end: usize,
}

fn turn(from: &CellStyle, to: &CellStyle, out: &mut String) {
    if from.sgr != to.sgr {
        if !from.sgr.is_empty() {
            out.push_str("\x1b[0m");
        }
        out.push_str(&to.sgr);
    }
    if from.link != to.link {
        out.push_str(if to.link.is_empty() { "\x1b]8;;\x1b\\" } else { &to.link });
    }
}

/// Whether every terminal gives this character the same width. Sequences of emoji, flags and the like are drawn as one
/// picture by some and as several by others.
fn is_safe(cell: &Cell<'_>) -> bool {
    let mut chars = cell.text.chars();
    match (chars.next(), chars.next()) {
        (Some(char), None) => cell.width > 0 && !matches!(char, '\u{2600}'..='\u{27bf}' | '\u{1f000}'..),
        _ => false,
    }
}

/// The rows that a row takes after the terminal became narrower.
pub(super) fn height_of(row: &Row, columns: u16, filled_to: u16, reflow: Reflow) -> usize {
    match reflow {
        Reflow::None => 1,
        Reflow::Filled | Reflow::Erased if row.fill() != Color::Default => place_of(row, filled_to, columns).max(1),
        _ => place_of(row, row.width(), columns).max(1),
    }
}

/// In which of the rows that a row wraps into its last cell before a column is, counted from one; 0 before the first.
pub(super) fn place_of(row: &Row, before: u16, columns: u16) -> usize {
    let (mut rows, mut used, mut column) = (0, columns, 0);
    let cells = Cells::of(row);
    let widths = cells.cells.iter().map(|cell| cell.width);
    let fill = usize::from(before.saturating_sub(cells.width()));
    for width in widths.chain(std::iter::repeat_n(1, fill)) {
        if column >= before {
            break;
        }
        if width > 0 && used + width > columns {
            rows += 1;
            used = 0;
        }
        used += width;
        column += width;
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Line;

    fn row(text: &str) -> Row {
        Row::new(&Line::from(text), 200)
    }

    #[test]
    fn rows_wrap_into() {
        for (text, columns, expected) in [
            ("", 10, 1),
            ("1234567890", 10, 1),
            ("12345678901", 10, 2),
            ("日本語", 4, 2),
            ("日本語", 3, 3),
            ("a日b", 2, 3),
        ] {
            assert_eq!(height_of(&row(text), columns, 80, Reflow::Text), expected, "{text} in {columns}");
        }
        let filled = row("x").filled(Color::Indexed(1));
        assert_eq!(height_of(&filled, 40, 80, Reflow::Filled), 2);
        assert_eq!(height_of(&filled, 40, 80, Reflow::Text), 1);
        assert_eq!(height_of(&row("x").filled(Color::Indexed(1)), 40, 80, Reflow::None), 1);
    }

    #[test]
    fn only_what_changed() {
        let bold = Style::PLAIN.bold();
        for (old, new, expected) in [
            (row("hello"), row("hello!"), Some((5, "!"))),
            (row("| one"), row("/ one"), Some((0, "/"))),
            (row("same"), row("same"), Some((4, ""))),
            (
                Row::new(&Line::styled("one two", bold), 80),
                Row::new(&Line::styled("one twig", bold), 80),
                Some((6, "\x1b[1mig\x1b[0m")),
            ),
            (row("⚙️ 1"), row("⚙️ 2"), None),
            (row("x ⚙️ 1"), row("y ⚙️ 1"), Some((0, "y"))),
            (row("x 1"), row("x ⚙️"), None),
            // Where one that is disputed goes, one behind it is written again, too.
            (row("⚙️👍🏽"), row("😀👍🏽"), None),
        ] {
            let (before, after) = (Cells::of(&old), Cells::of(&new));
            let changed = after.changed_since(&before, true).map(|changed| {
                let mut out = String::new();
                after.write(changed, &mut out);
                (after.column(changed.first), out)
            });
            assert_eq!(changed, expected.map(|(column, text)| (column, text.to_owned())), "{old:?} to {new:?}");
        }
    }

    #[test]
    fn what_terminals_do_not_agree_on_is_placed() {
        let family = "👨\u{200d}👩\u{200d}👧\u{200d}👦";
        for (text, columns, expected) in [
            ("plain 日本 ✓ 🚀", 20, None),
            ("⚙️ 1", 20, Some("⚙️\x1b[3G 1".to_owned())),
            ("👍🏽|", 20, Some("👍🏽\x1b[3G\x1b[K|".to_owned())),
            (family, 20, Some(format!("{family}\x1b[3G\x1b[K"))),
            // Beside each other they would go over the edge.
            (family, 7, Some("👨\x1b[3G\x1b[K".to_owned())),
            (family, 2, Some("👨".to_owned())),
        ] {
            let row = row(text);
            let written = is_disputed(&row).then(|| {
                let mut out = String::new();
                Cells::of(&row).write_placed(columns, Color::Default, &mut out);
                out
            });
            assert_eq!(written, expected, "{text} in {columns}");
        }
    }
}
