//! Rows that lie over a part of others.

use super::line::Line;
use super::row::Row;
use super::style::{Color, Style};
use super::width::{clusters, width};

impl Row {
    /// The row of a window of so many columns, with another one over `wide` of its columns, from this one on. What both show
    /// stays; half of a wide character is blank. A picture does not stay.
    #[must_use]
    pub fn overlaid(&self, over: &Self, column: u16, wide: u16, columns: u16) -> Self {
        let (from, to) = (usize::from(column), usize::from(column) + usize::from(wide));
        let below = Line::from_ansi(self.text());
        let mut line = below.cut(from, "");
        pad(&mut line, from, self.fill());
        line.append(&Line::from_ansi(over.text()).cut(usize::from(wide), ""));
        pad(&mut line, to, over.fill());
        line.append(&after(&below, to));
        let row = Self::new(&line, columns).filled(self.fill());
        match self.mark() {
            Some(mark) => row.marked(mark),
            None => row,
        }
    }
}

/// Fills the line with blanks up to a column.
fn pad(line: &mut Line, to: usize, fill: Color) {
    let blanks = to.saturating_sub(line.width());
    line.push(&" ".repeat(blanks), Style::PLAIN.background(fill));
}

/// What of the line is at a column and behind it.
fn after(line: &Line, column: usize) -> Line {
    let (mut rest, mut at) = (Line::new(), 0);
    for span in &line.spans {
        let wide = width(&span.text);
        if at >= column {
            rest.push_linked(&span.text, span.style, span.link.as_ref());
        } else if at + wide > column {
            let mut place = at;
            let mut text = String::new();
            for (cluster, wide) in clusters(&span.text) {
                match place {
                    place if place >= column => text.push_str(cluster),
                    place => text.push_str(&" ".repeat((place + wide).saturating_sub(column))),
                }
                place += wide;
            }
            rest.push_linked(&text, span.style, span.link.as_ref());
        }
        at += wide;
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_show_what_is_beside_the_other_one() {
        let red = Style::PLAIN.foreground(Color::Indexed(1));
        for (below, column, wide, expected) in [
            ("0123456789", 3, 4, "012ab  789"),
            ("01", 3, 4, "01 ab  "),
            ("", 0, 2, "ab"),
            ("日本語日本", 3, 2, "日 ab 日本"),
            ("0123456789", 8, 2, "01234567ab"),
        ] {
            let row = Row::new(&Line::from(below), 10).overlaid(&Row::new(&Line::from("ab"), 10), column, wide, 10);
            assert_eq!(row.text(), expected, "{below}");
        }
        let below = Row::styled("red text", red, 10);
        let row = below.overlaid(&Row::new(&Line::from("xy"), 10), 2, 2, 10);
        assert_eq!(row.text(), "\x1b[31mre\x1b[0mxy\x1b[31mtext\x1b[0m");
        let filled = Row::blank().filled(Color::Indexed(4)).overlaid(&Row::blank(), 1, 1, 10);
        assert_eq!((filled.text(), filled.fill()), ("\x1b[44m \x1b[0m ", Color::Indexed(4)));
    }
}
