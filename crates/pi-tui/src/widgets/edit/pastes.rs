//! Pasted text: normalization, and markers that stand for long pastes and for images.

use std::borrow::Cow;
use std::ops::Range;

/// Pastes with more lines or more characters become markers.
const MOST_LINES: usize = 10;
const MOST_CHARACTERS: usize = 1000;
/// How markers begin: that of a text, that of an image.
const MARKER_BEGIN: &str = "[paste #";
const IMAGE_BEGIN: &str = "[image #";

/// A pasted text and the marker that stands for it.
#[derive(Debug, Clone)]
struct Paste {
    marker: String,
    text: String,
}

/// Pasted texts with markers, numbered from one.
#[derive(Debug, Clone, Default)]
pub(super) struct Pastes {
    pastes: Vec<Paste>,
}

impl Pastes {
    /// The text to insert for a paste: itself, or a new marker if it is long.
    pub(super) fn keep(&mut self, text: String) -> String {
        let lines = memchr::memchr_iter(b'\n', text.as_bytes()).count() + 1;
        let characters = text.chars().count();
        let number = self.pastes.len() + 1;
        let marker = match (lines > MOST_LINES, characters > MOST_CHARACTERS) {
            (true, _) => format!("{MARKER_BEGIN}{number} +{lines} lines]"),
            (false, true) => format!("{MARKER_BEGIN}{number} {characters} chars]"),
            (false, false) => return text,
        };
        self.pastes.push(Paste { marker: marker.clone(), text });
        marker
    }

    /// The marker of an image, for which this text stands; the label says what is known of it.
    pub(super) fn keep_image(&mut self, label: &str, text: String) -> String {
        let number = self.pastes.len() + 1;
        let blank = if label.is_empty() { "" } else { " " };
        let marker = format!("{IMAGE_BEGIN}{number}{blank}{label}]");
        self.pastes.push(Paste { marker: marker.clone(), text });
        marker
    }

    /// The ranges of markers in a line, in order. A marker without a pasted text is common text.
    pub(super) fn markers(&self, line: &str) -> Vec<Range<usize>> {
        self.found(line).map(|(range, _)| range).collect()
    }

    /// Expands markers, once: markers within pasted texts stay as they are.
    pub(super) fn expanded(&self, text: String) -> String {
        if self.pastes.is_empty() {
            return text;
        }
        let mut out = String::with_capacity(text.len());
        let mut done = 0;
        for (range, paste) in self.found(&text) {
            out.push_str(&text[done..range.start]);
            out.push_str(&paste.text);
            done = range.end;
        }
        out.push_str(&text[done..]);
        out
    }

    pub(super) fn clear(&mut self) {
        self.pastes.clear();
    }

    fn found<'a>(&'a self, text: &'a str) -> impl Iterator<Item = (Range<usize>, &'a Paste)> {
        // No search without pastes: typing calls this for every key.
        let text = if self.pastes.is_empty() { "" } else { text };
        memchr::memchr_iter(b'[', text.as_bytes()).filter_map(|at| {
            let rest = text[at..].strip_prefix(MARKER_BEGIN).or_else(|| text[at..].strip_prefix(IMAGE_BEGIN))?;
            let digits = rest.len() - rest.trim_start_matches(|char: char| char.is_ascii_digit()).len();
            let number: usize = rest[..digits].parse().ok()?;
            let paste = self.pastes.get(number.checked_sub(1)?)?;
            text[at..].starts_with(&paste.marker).then(|| (at..at + paste.marker.len(), paste))
        })
    }
}

/// Normalizes text for a buffer: LF line ends, four blanks for a tab, no control characters.
pub(super) fn cleaned(text: &str) -> Cow<'_, str> {
    let is_foreign = |char: char| char.is_control() && char != '\n';
    // All ASCII control characters but LF, and DEL; the others begin with 0xc2, which is looked at more closely.
    if !text.bytes().any(|byte| (byte < b' ' && byte != b'\n') || byte == 0x7f || byte == 0xc2) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(is_foreign) {
        out.push_str(&rest[..at]);
        let mut chars = rest[at..].chars();
        match chars.next() {
            Some('\t') => out.push_str("    "),
            Some('\r') if !chars.as_str().starts_with('\n') => out.push('\n'),
            _ => {}
        }
        rest = chars.as_str();
    }
    out.push_str(rest);
    out.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cleans_what_is_pasted() {
        for (text, expected) in [
            ("a\r\nb\rc\nd", "a\nb\nc\nd"),
            ("a\tb", "a    b"),
            ("\x1b[31mred\x07\x7f", "[31mred"),
            ("é\u{85}ü", "éü"),
            ("\r\r\n", "\n\n"),
        ] {
            assert_eq!(cleaned(text), expected);
        }
    }

    #[test]
    fn long_pastes_hide_behind_markers() {
        let mut pastes = Pastes::default();
        for (text, expected) in [
            ("x\n".repeat(9), "x\n".repeat(9)),
            ("x\n".repeat(10), "[paste #1 +11 lines]".to_owned()),
            ("é".repeat(1000), "é".repeat(1000)),
            ("é".repeat(1001), "[paste #2 1001 chars]".to_owned()),
        ] {
            assert_eq!(pastes.keep(text), expected);
        }
        let text = "a [paste #2 1001 chars] [paste #2 7 chars] [paste #3 +11 lines]";
        assert_eq!(pastes.markers(text), vec![2..23; 1]);
        assert_eq!(pastes.expanded("[paste #1 +11 lines]!".to_owned()), format!("{}!", "x\n".repeat(10)));
        assert_eq!(pastes.keep_image("png 8×8", "/tmp/a.png".to_owned()), "[image #3 png 8×8]");
        assert_eq!(pastes.keep_image("", "/tmp/b.png".to_owned()), "[image #4]");
        let text = "[[image #3 png 8×8] and [image #4] or [image #1]".to_owned();
        assert_eq!(pastes.expanded(text), "[/tmp/a.png and /tmp/b.png or [image #1]");
    }
}
