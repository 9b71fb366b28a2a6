//! Output as plain text: without escape sequences and without control characters other than tab and newline.

use vte::{Parser, Perform};

/// Takes out of a stream of text what only a terminal understands. Sequences may be cut anywhere.
#[derive(Default)]
pub(super) struct PlainText(Parser);

impl PlainText {
    /// What is left of this piece.
    pub(super) fn strip(&mut self, piece: &str) -> String {
        let mut kept = Kept(String::with_capacity(piece.len()));
        self.0.advance(&mut kept, piece.as_bytes());
        kept.0
    }
}

impl std::fmt::Debug for PlainText {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("PlainText")
    }
}

struct Kept(String);

impl Perform for Kept {
    fn print(&mut self, c: char) {
        // Marks of annotated text have no meaning outside of the program that wrote them.
        if !matches!(c, '\u{fff9}'..='\u{fffb}') {
            self.0.push(c);
        }
    }

    fn execute(&mut self, byte: u8) {
        if matches!(byte, b'\n' | b'\t') {
            self.0.push(char::from(byte));
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn plain<'a>(pieces: impl IntoIterator<Item = &'a str>) -> String {
        let mut text = PlainText::default();
        pieces.into_iter().map(|piece| text.strip(piece)).collect()
    }

    #[test]
    fn what_only_a_terminal_understands_is_left_out() {
        for (raw, expected) in [
            ("plain\ttext\nä 日 😀\n", "plain\ttext\nä 日 😀\n"),
            ("\u{1b}[31mred\u{1b}[0m \u{1b}[1;38;5;9mbold\u{1b}[m", "red bold"),
            ("\u{1b}]0;title\u{7}a\u{1b}]8;;http://x\u{1b}\\link\u{1b}]8;;\u{1b}\\", "alink"),
            ("A\rB\r\nC\u{8}D\u{0}\u{7}", "AB\nCD"),
            ("a\u{fff9}b\u{fffb}c\u{fffd}", "abc\u{fffd}"),
            ("\u{1b}(B\u{1b}=x\u{1b}[?25l", "x"),
        ] {
            assert_eq!(plain([raw]), expected, "{raw:?}");
        }
    }

    proptest! {
        #[test]
        fn it_does_not_matter_where_pieces_are_cut(
            text in "([a-zä😀\n\t\r]|\u{1b}\\[[0-9;]{0,4}m|\u{1b}\\]0;t\u{7}|\u{1b}){0,30}",
            size in 1usize..5,
        ) {
            let chars: Vec<char> = text.chars().collect();
            let pieces: Vec<String> = chars.chunks(size).map(|piece| piece.iter().collect()).collect();
            prop_assert_eq!(plain(pieces.iter().map(String::as_str)), plain([text.as_str()]));
        }
    }
}
