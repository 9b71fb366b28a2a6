//! What the rows of a terminal look like, as text.

use std::fmt::Write;

use alacritty_terminal::grid::Dimensions;
use alacritty_terminal::term::cell::{Cell, Flags};
use alacritty_terminal::vte::ansi::{Color, NamedColor};

use super::Terminal;
use super::terminal::{line, push_cell};

impl Terminal {
    /// The window as text, below each row what is not plain in it: `    4..9 bold, #ff0000 on 4`, in columns. Empty rows at
    /// the end are left out.
    pub fn styled_screen(&self) -> String {
        let mut out = String::new();
        let rows = (0..self.term.screen_lines()).map(|row| self.styled_row(row)).collect::<Vec<_>>();
        let used = rows.iter().rposition(|row| row != "|\n").map_or(0, |last| last + 1);
        rows[..used].iter().for_each(|row| out.push_str(row));
        out
    }

    fn styled_row(&self, row: usize) -> String {
        let (mut text, mut looks) = (String::new(), Vec::<(usize, usize, String)>::new());
        for (column, cell) in self.cells(line(row)).enumerate() {
            push_cell(cell, &mut text);
            let look = look_of(cell);
            match looks.last_mut() {
                Some((_, end, last)) if *last == look => *end = column + 1,
                _ => looks.push((column, column + 1, look)),
            }
        }
        let mut out = format!("|{}\n", text.trim_end());
        for (first, end, look) in looks.iter().filter(|(.., look)| !look.is_empty()) {
            // Writing to a string does not fail.
            let _ = writeln!(out, "    {first}..{end} {look}");
        }
        out
    }
}

fn look_of(cell: &Cell) -> String {
    const NAMES: [(Flags, &str); 6] = [
        (Flags::BOLD, "bold"),
        (Flags::DIM, "dim"),
        (Flags::ITALIC, "italic"),
        (Flags::UNDERLINE, "underline"),
        (Flags::INVERSE, "inverse"),
        (Flags::STRIKEOUT, "strike"),
    ];
    let names = NAMES.into_iter().filter(|(flag, _)| cell.flags.contains(*flag)).map(|(_, name)| name.to_owned());
    let foreground = color(cell.fg);
    let background = color(cell.bg).map(|color| format!("on {color}"));
    let link = cell.hyperlink().map(|link| format!("to {}", link.uri()));
    names.chain(foreground).chain(background).chain(link).collect::<Vec<_>>().join(", ")
}

fn color(color: Color) -> Option<String> {
    match color {
        Color::Named(NamedColor::Foreground | NamedColor::Background) => None,
        Color::Named(name) => Some(format!("{}", name as usize)),
        Color::Indexed(index) => Some(format!("{index}")),
        Color::Spec(rgb) => Some(format!("#{:02x}{:02x}{:02x}", rgb.r, rgb.g, rgb.b)),
    }
}
