//! Rows of components that draw anything at all.

use pi_tui::text::{Line, Row, width};
use proptest::prelude::*;

/// The text of a row, if it has only printable text, SGR and links, and all of them are closed at its end.
fn bare(row: &str) -> Option<String> {
    let (mut text, mut rest, mut is_styled, mut is_linked) = (String::new(), row, false, false);
    while let Some(char) = rest.chars().next() {
        if let Some(sequence) = rest.strip_prefix("\x1b[") {
            let (parameters, tail) = sequence.split_once('m')?;
            parameters.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b';')).then_some(())?;
            is_styled = parameters != "0";
            rest = tail;
        } else if let Some(link) = rest.strip_prefix("\x1b]8;;") {
            let (address, tail) = link.split_once("\x1b\\")?;
            (!address.chars().any(char::is_control)).then_some(())?;
            is_linked = !address.is_empty();
            rest = tail;
        } else {
            (!char.is_control() && !('\u{202a}'..='\u{202e}').contains(&char)).then_some(())?;
            text.push(char);
            rest = &rest[char.len_utf8()..];
        }
    }
    (!is_styled && !is_linked).then_some(text)
}

/// What rows are made of, and what must not come through.
const PIECES: &[&str] = &[
    "a",
    "word ",
    "日本",
    "é",
    "e",
    "\u{301}",
    "☃",
    "\u{fe0f}",
    "👍",
    "\u{1f3fd}",
    "\u{200d}",
    "👩",
    "🇩",
    "🇪",
    "ำ",
    "ﾞ",
    "\u{1100}",
    "\u{1161}",
    "\t",
    "\r",
    "\n",
    "\x08",
    "\x07",
    "\x00",
    "\u{85}",
    "\u{9b}",
    "\u{202e}",
    "\u{200b}",
    "\x1b",
    "\x1b[",
    "\x1b]",
    "\x1b_",
    "\x1bP",
    "\x1b[31m",
    "\x1b[0m",
    "\x1b[m",
    "\x1b[1;4m",
    "\x1b[48;2;1;2;3m",
    "\x1b[38:5:7m",
    "\x1b[>4m",
    "\x1b[2J",
    "\x1b[10;10H",
    "\x1b[?1049h",
    "\x1b[3J",
    "\x1bM",
    "\x1bc",
    "\x1b]8;;http://x\x07",
    "\x1b]8;;\x1b\\",
    "\x1b]8;;a\u{9c}b\x07",
    "\x1b]52;c;AAAA\x07",
    "\x1b]0;t\x1b\\",
    "\x1b_pi:c\x07",
    "\x1b_Ga=d\x1b\\",
    "\x1b\\",
    "m",
    ";",
    "3",
];

fn check(text: &str, columns: u16) -> Result<(), TestCaseError> {
    let (row, cursor) = Row::foreign(text, columns);
    let bare = bare(row.text());
    prop_assert!(bare.is_some(), "{:?} is not closed, or has what it must not have", row.text());
    let bare = bare.unwrap();
    prop_assert_eq!(width(&bare), usize::from(row.width()));
    prop_assert!(row.width() <= columns);
    prop_assert!(cursor.is_none_or(|column| column == 0 || column < columns));
    prop_assert_eq!(&Row::foreign(row.text(), columns).0, &row, "reading it again changes it");
    prop_assert_eq!(&Row::new(&Line::from_ansi(text), columns), &row);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn rows_are_safe_and_fit(picked in prop::collection::vec(0..PIECES.len(), 0..25), columns in 0_u16..30) {
        check(&picked.iter().map(|at| PIECES[*at]).collect::<String>(), columns)?;
    }

    #[test]
    fn any_bytes_make_a_row(bytes in prop::collection::vec(any::<u8>(), 0..60), columns in 0_u16..30) {
        check(&String::from_utf8_lossy(&bytes), columns)?;
    }

    #[test]
    fn any_text_makes_a_row(text in "[\\x1b\\[\\]m;0-9\\PC]{0,40}", columns in 0_u16..30) {
        check(&text, columns)?;
    }
}
