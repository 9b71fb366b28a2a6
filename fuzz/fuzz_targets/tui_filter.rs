//! Arbitrary text as a row of a component: what comes out fits, is closed, and has nothing in it but text, SGR and links.
#![no_main]

use pi_tui::text::{Line, Row, width};

/// The text between the sequences of a row; nothing where there is a sequence that must not be there, or one left open.
fn bare(mut rest: &str) -> Option<String> {
    let (mut text, mut is_styled, mut is_linked) = (String::new(), false, false);
    while let Some((before, sequence)) = rest.split_once('\x1b') {
        text.push_str(before);
        let (body, tail) = match sequence.strip_prefix("]8;;") {
            Some(link) => link.split_once("\x1b\\")?,
            None => sequence.strip_prefix('[')?.split_once('m')?,
        };
        if sequence.starts_with(']') {
            is_linked = !body.is_empty();
        } else if body.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b';')) {
            is_styled = body != "0";
        } else {
            return None;
        }
        rest = tail;
    }
    text.push_str(rest);
    (!is_styled && !is_linked && !text.contains(char::is_control)).then_some(text)
}

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let Some((&columns, bytes)) = input.split_first() else { return };
    let columns = u16::from(columns);
    let text = String::from_utf8_lossy(bytes);
    let (row, cursor) = Row::foreign(&text, columns);
    let bare = bare(row.text()).expect("a row has text, SGR and links only, and closes them");
    assert_eq!(width(&bare), usize::from(row.width()));
    assert!(row.width() <= columns && cursor.is_none_or(|column| column == 0 || column < columns));
    assert_eq!(Row::foreign(row.text(), columns).0, row);
    assert_eq!(Row::new(&Line::from_ansi(&text), columns), row);
});
