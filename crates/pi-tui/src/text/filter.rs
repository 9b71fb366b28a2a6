//! Text that others wrote, with escape sequences of their own, as lines and rows.
//!
//! Colours, attributes and links pass, written anew; all else is left out. Nothing here fails: a component of an extension that
//! draws nonsense shows nonsense, in its own row.

use std::sync::Arc;

use super::ansi::{Part, parts};
use super::line::Line;
use super::row::{Row, is_hidden};
use super::sgr;
use super::style::Style;

/// What a component writes where the cursor is.
const CURSOR: &str = "pi:c";

impl Line {
    /// Coloured output of a program.
    pub fn from_ansi(text: &str) -> Self {
        filter(text).0
    }
}

impl Row {
    /// A row that a component of an extension drew, cut to so many columns, and the column of the cursor if it is in this row.
    pub fn foreign(text: &str, columns: u16) -> (Self, Option<u16>) {
        let (line, cursor) = filter(text);
        let edge = columns.saturating_sub(1);
        let cursor = cursor.map(|column| u16::try_from(column).unwrap_or(u16::MAX).min(edge));
        (Self::new(&line, columns), cursor)
    }
}

/// The line, and the column of the last mark of the cursor.
fn filter(text: &str) -> (Line, Option<usize>) {
    let mut line = Line::new();
    let (mut style, mut link, mut cursor) = (Style::PLAIN, None, None);
    for part in parts(text) {
        match part {
            Part::Text(text) => add(&mut line, text, style, link.as_ref()),
            Part::Control(parameters, b'm') => sgr::apply(&mut style, parameters),
            Part::Command(command) => link = linked(command).unwrap_or(link),
            Part::Application(CURSOR) => cursor = Some(line.width()),
            _ => {}
        }
    }
    (line, cursor)
}

/// Adds text without what would not be shown, so that the width of the line is what will be seen.
fn add(line: &mut Line, text: &str, style: Style, link: Option<&Arc<str>>) {
    for text in text.split(|char| char != '\t' && is_hidden(char)) {
        line.push_linked(text, style, link);
    }
}

/// The link that a command begins, or the end of one: `8;parameters;address`.
fn linked(command: &str) -> Option<Option<Arc<str>>> {
    let (_, address) = command.strip_prefix("8;")?.split_once(';')?;
    let leads_somewhere = !address.is_empty() && !address.contains(char::is_control);
    Some(leads_somewhere.then(|| address.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_others() {
        for (text, columns, expected, cursor) in [
            ("plain", 10, "plain", None),
            ("\x1b[31mred\x1b[0m not", 20, "\x1b[31mred\x1b[0m not", None),
            ("\x1b[31mnever closed", 5, "\x1b[31mnever\x1b[0m", None),
            ("\x1b[1m\x1b[4;31mx\x1b[22my", 9, "\x1b[1;4;31mx\x1b[0m\x1b[4;31my\x1b[0m", None),
            ("a\x1b[2Jb\x1b[10;10Hc\x1b]0;title\x07d\r\ne\x08", 9, "abcde", None),
            ("\x1b]8;id=1;http://x\x07link\x1b]8;;\x07 z", 9, "\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\ z", None),
            ("> ab\x1b_pi:c\x07\x1b[7mc\x1b[27m", 9, "> ab\x1b[7mc\x1b[0m", Some(4)),
            ("日本\x1b_pi:c\x1b\\\t", 9, "日本   ", Some(4)),
            ("too far\x1b_pi:c\x07", 4, "too ", Some(3)),
            ("\x1b_Ga=T,f=100;AAAA\x1b\\x", 9, "x", None),
            ("\x1b[7m☃\x1b[0m\u{fe0f}", 1, "", None),
            ("\x1b[7m☃\x1b[0m\u{fe0f}!", 3, "\x1b[7m☃\u{fe0f}\x1b[0m!", None),
            ("ab\u{202e}c", 0, "", None),
        ] {
            let (row, found) = Row::foreign(text, columns);
            assert_eq!((row.text(), found), (expected, cursor), "{text:?}");
        }
    }

    #[test]
    fn coloured_lines() {
        let line = Line::from_ansi("a\x1b[1mb\x1b[mc");
        assert_eq!(line, Line::from("a").and("b", Style::PLAIN.bold()).and("c", Style::PLAIN));
    }
}
