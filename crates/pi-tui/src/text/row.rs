//! A row, ready to be written.

use std::fmt;

use super::line::{Line, fitting};
use super::seams::mended;
use super::style::{Color, Style};
use super::width::{TAB_WIDTH, width};

/// Marks of a terminal's prompts (OSC 133), by which it jumps from one to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mark {
    /// A prompt, or an answer, begins with this row.
    Begin,
    /// It ends with this row.
    End,
    /// It is this row alone.
    Whole,
}

/// One row of a screen: text with SGR and OSC 8 only, closed at its end, never wider than it was made for.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Row {
    text: String,
    width: u16,
    fill: Color,
    mark: Option<Mark>,
}

impl Row {
    /// A line, cut to so many columns. Control characters are left out; a tab is three blanks.
    pub fn new(line: &Line, columns: u16) -> Self {
        let mut row = Self::default();
        let mut left = usize::from(columns);
        for span in &mended(line).spans {
            let shown = shown(&span.text);
            let (kept, used) = fitting(&shown, left);
            row.push(kept, span.style, span.link.as_deref());
            left -= used;
            if kept.len() < shown.len() {
                break;
            }
        }
        row.width = columns - u16::try_from(left).unwrap_or_default();
        row
    }

    /// Text in one style.
    pub fn styled(text: &str, style: Style, columns: u16) -> Self {
        Self::new(&Line::styled(text, style), columns)
    }

    /// An empty row.
    pub fn blank() -> Self {
        Self::default()
    }

    /// The row with a colour behind it up to the edge of the window.
    #[must_use]
    pub fn filled(mut self, color: Color) -> Self {
        self.fill = color;
        self
    }

    /// The row with a mark.
    #[must_use]
    pub fn marked(mut self, mark: Mark) -> Self {
        self.mark = Some(mark);
        self
    }

    /// What is written: text with its sequences, closed at the end. Neither the fill nor the mark is in it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Its columns, without the fill.
    pub fn width(&self) -> u16 {
        self.width
    }

    /// The colour behind the rest of the row.
    pub fn fill(&self) -> Color {
        self.fill
    }

    /// Its mark.
    pub fn mark(&self) -> Option<Mark> {
        self.mark
    }

    fn push(&mut self, text: &str, style: Style, link: Option<&str>) {
        if text.is_empty() {
            return;
        }
        let link = link.filter(|link| !link.chars().any(char::is_control));
        if let Some(link) = link {
            self.text.push_str("\x1b]8;;");
            self.text.push_str(link);
            self.text.push_str("\x1b\\");
        }
        style.open(&mut self.text);
        self.text.push_str(text);
        if style != Style::PLAIN {
            self.text.push_str("\x1b[0m");
        }
        if link.is_some() {
            self.text.push_str("\x1b]8;;\x1b\\");
        }
    }
}

impl fmt::Debug for Row {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Row({:?}", self.text)?;
        if self.fill != Color::Default {
            write!(formatter, ", fill {:?}", self.fill)?;
        }
        if let Some(mark) = self.mark {
            write!(formatter, ", {mark:?}")?;
        }
        formatter.write_str(")")
    }
}

/// Text without control characters, tabs as blanks. What turns text around (bidirectional controls) is left out as well:
/// a row says what it seems to say.
pub(super) fn shown(text: &str) -> std::borrow::Cow<'_, str> {
    if !text.contains(is_hidden) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '\t' => out.push_str(&" ".repeat(TAB_WIDTH)),
            char if is_hidden(char) => {}
            char => out.push(char),
        }
    }
    debug_assert!(width(&out) <= width(text) + text.len());
    out.into()
}

/// Whether a character is not shown.
pub(super) fn is_hidden(char: char) -> bool {
    char.is_control() || matches!(char, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_closed_and_cut() {
        let line = Line::from("a\tb\x1b[2J").and("wide 日本", Style::PLAIN.bold());
        assert_eq!(Row::new(&line, 40).text(), "a   b[2J\x1b[1mwide 日本\x1b[0m");
        let row = Row::new(&line, 14);
        assert_eq!((row.text(), row.width()), ("a   b[2J\x1b[1mwide \x1b[0m", 13));
    }
}
