//! Texts in one line, for lists and rows.

use std::borrow::Cow;

/// A text without line ends and repeated blanks.
pub(crate) fn one_line(text: &str) -> String {
    cut_line(text, usize::MAX)
}

/// The same, cut with an ellipsis behind so many characters. Looks no further into the text than it has to.
pub(crate) fn cut_line(text: &str, limit: usize) -> String {
    let mut line = String::new();
    let mut count = 0;
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
            count += 1;
        }
        line.push_str(word);
        count += word.chars().count();
        if count > limit {
            let end = line.char_indices().nth(limit).map_or(line.len(), |(end, _)| end);
            line.truncate(end);
            line.push('…');
            break;
        }
    }
    line
}

/// A text in one line that shows where its lines end: what is about to be done is judged by it.
pub(crate) fn signed_line(text: &str) -> Cow<'_, str> {
    const SIGN: &str = "⏎";
    if !text.contains(['\n', '\r']) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.replace("\r\n", SIGN).replace(['\n', '\r'], SIGN))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut() {
        assert_eq!(one_line("  a\n\tb  "), "a b");
        assert_eq!(cut_line("a b", 10), "a b");
        assert_eq!(cut_line("abc def", 5), "abc d…");
        assert_eq!(cut_line("abc def", 7), "abc def");
        assert_eq!(cut_line("äöü", 2), "äö…");
    }

    #[test]
    fn ends_of_lines_are_shown() {
        assert_eq!(signed_line("a\nb\r\n\rc"), "a⏎b⏎⏎c");
        assert_eq!(signed_line("a  b"), "a  b");
    }
}
