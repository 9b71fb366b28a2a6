//! The cells of a terminal with what they look like, for tests that draw pictures of a screen.

use alacritty_terminal::grid::Dimensions;
use alacritty_terminal::term::cell::{Cell, Flags};
use alacritty_terminal::vte::ansi;

use super::Terminal;
use super::terminal::{line, push_cell};
use crate::text::{Attributes, Color, Style};

/// A character on the screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Glyph {
    /// The character with what combines with it.
    pub text: String,
    /// How many columns it takes: 1 or 2.
    pub columns: usize,
    /// What it looks like.
    pub style: Style,
}

impl Terminal {
    /// The glyphs of each row of the window, from the left edge to the right one.
    pub fn glyphs(&self) -> Vec<Vec<Glyph>> {
        (0..self.term.screen_lines()).map(|row| self.glyphs_of(row)).collect()
    }

    fn glyphs_of(&self, row: usize) -> Vec<Glyph> {
        let mut glyphs: Vec<Glyph> = Vec::new();
        for cell in self.cells(line(row)) {
            match glyphs.last_mut() {
                Some(wide) if cell.flags.contains(Flags::WIDE_CHAR_SPACER) => wide.columns = 2,
                _ => glyphs.push(glyph(cell)),
            }
        }
        glyphs
    }
}

fn glyph(cell: &Cell) -> Glyph {
    let mut text = String::new();
    push_cell(cell, &mut text);
    // What stands before a wide character that did not fit.
    if text.is_empty() {
        text.push(' ');
    }
    Glyph { text, columns: 1, style: style(cell) }
}

fn style(cell: &Cell) -> Style {
    const ATTRIBUTES: [(Flags, Attributes); 6] = [
        (Flags::BOLD, Attributes::BOLD),
        (Flags::DIM, Attributes::DIM),
        (Flags::ITALIC, Attributes::ITALIC),
        (Flags::UNDERLINE, Attributes::UNDERLINE),
        (Flags::INVERSE, Attributes::INVERSE),
        (Flags::STRIKEOUT, Attributes::STRIKE),
    ];
    let set = ATTRIBUTES.into_iter().filter(|(flag, _)| cell.flags.contains(*flag));
    let style = set.fold(Style::PLAIN, |style, (_, attribute)| style.with(attribute));
    style.foreground(color(cell.fg)).background(color(cell.bg))
}

fn color(color: ansi::Color) -> Color {
    match color {
        // Those above the palette are the terminal's own.
        ansi::Color::Named(name) => u8::try_from(name as usize).map_or(Color::Default, Color::Indexed),
        ansi::Color::Indexed(index) => Color::Indexed(index),
        ansi::Color::Spec(rgb) => Color::Rgb(rgb.r, rgb.g, rgb.b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_have_their_columns_and_looks() {
        let mut terminal = Terminal::new(6, 2);
        terminal.feed("\x1b[1;38;2;1;2;3ma\x1b[0;7;44m日e\u{301}\x1b[0m");
        let glyphs = terminal.glyphs();
        let texts: Vec<(&str, usize)> = glyphs[0].iter().map(|glyph| (&*glyph.text, glyph.columns)).collect();
        assert_eq!(texts, [("a", 1), ("日", 2), ("e\u{301}", 1), (" ", 1), (" ", 1)]);
        assert_eq!(glyphs[0][0].style, Style::PLAIN.bold().foreground(Color::Rgb(1, 2, 3)));
        let inverse = Style::PLAIN.with(Attributes::INVERSE).background(Color::Indexed(4));
        assert_eq!((glyphs[0][1].style, glyphs[0][2].style), (inverse, inverse));
        assert_eq!((glyphs.len(), glyphs[1].len(), glyphs[1][0].style), (2, 6, Style::PLAIN));
    }
}
