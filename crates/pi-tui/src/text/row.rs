//! A row, ready to be written.

use std::borrow::Cow;
use std::fmt;

use super::graphemes::mended;
use super::line::{Line, fitting};
use super::origin::Origin;
use super::picture::RowImage;
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
    image: Option<RowImage>,
    pub(super) origin: Origin,
}

impl Row {
    /// A line, cut to so many columns. Control characters are left out; a tab is three blanks.
    pub fn new(line: &Line, columns: u16) -> Self {
        let mut row = Self { origin: line.origin, ..Self::default() };
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

    /// Whether nothing of it is seen.
    pub fn is_blank(&self) -> bool {
        self.text.is_empty() && self.fill == Color::Default && self.image.is_none()
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

    /// The row with a part of a picture over it.
    #[must_use]
    pub(crate) fn imaged(mut self, image: RowImage) -> Self {
        self.image = Some(image);
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

    /// The row, cut if it is wider than so many columns.
    pub(crate) fn fitting(&self, columns: u16) -> Cow<'_, Self> {
        if self.width > columns { Cow::Owned(self.cut(columns)) } else { Cow::Borrowed(self) }
    }

    /// The row's first columns. Its sequences stay, so that it is still closed at its end.
    fn cut(&self, columns: u16) -> Self {
        let (mut text, mut left) = (String::with_capacity(self.text.len()), usize::from(columns));
        for piece in pieces(&self.text) {
            match piece {
                Piece::Sequence(sequence) => text.push_str(sequence),
                Piece::Text(shown) => {
                    let (kept, used) = fitting(shown, left);
                    text.push_str(kept);
                    left = if kept.len() < shown.len() { 0 } else { left - used };
                }
            }
        }
        let width = width(&shown_text(&text));
        Self { text, width: u16::try_from(width).unwrap_or(columns), ..self.clone() }
    }

    /// The part of a picture over it.
    pub fn image(&self) -> Option<&RowImage> {
        self.image.as_ref()
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
        if let Some(image) = &self.image {
            write!(formatter, ", {image:?}")?;
        }
        formatter.write_str(")")
    }
}

/// A part of a row's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Piece<'a> {
    /// What is seen.
    Text(&'a str),
    /// One sequence.
    Sequence(&'a str),
}

/// Cuts a row's text into what is seen and what is not.
pub(crate) fn pieces(text: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = match rest.strip_prefix('\x1b') {
            Some(after) => 1 + sequence_len(after),
            None => rest.find('\x1b').unwrap_or(rest.len()),
        };
        let (piece, after) = rest.split_at(end);
        rest = after;
        Some(if piece.starts_with('\x1b') { Piece::Sequence(piece) } else { Piece::Text(piece) })
    })
}

/// The bytes of a sequence behind its ESC: rows hold SGR and OSC 8 only.
fn sequence_len(after: &str) -> usize {
    if after.starts_with(']') {
        let terminator = after.find("\x1b\\").map(|at| at + 2);
        return after.find('\x07').map(|at| at + 1).into_iter().chain(terminator).min().unwrap_or(after.len());
    }
    after.find(|char: char| char.is_ascii_alphabetic()).map_or(after.len(), |at| at + 1)
}

/// What is seen of a row's text.
fn shown_text(text: &str) -> String {
    pieces(text).filter_map(|piece| if let Piece::Text(text) = piece { Some(text) } else { None }).collect()
}

/// Text without control characters, tabs as blanks. What turns text around (bidirectional controls) is left out as well:
/// a row says what it seems to say.
pub(super) fn shown(text: &str) -> Cow<'_, str> {
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
        let cut = Row::new(&line, 40).cut(14);
        assert_eq!((cut.text(), cut.width()), (row.text(), row.width()));
    }
}
