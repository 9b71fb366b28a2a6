//! Text with escape sequences, taken apart.
//!
//! The strings that terminals know (OSC, DCS, APC, PM, SOS) end with BEL as well as with ST, as components of scripts write them;
//! this is why no library does it. What the sequences mean is not known here.

/// A part of a text with escape sequences.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part<'a> {
    /// Text without Escape. Other control characters may be in it.
    Text(&'a str),
    /// A control sequence without a prefix: its parameters and its letter.
    Control(&'a str, u8),
    /// What stands in an operating system command.
    Command(&'a str),
    /// What stands in an application's own command.
    Application(&'a str),
    /// Anything else, and what is broken.
    Other,
}

/// The parts of a text, in order; all of the text is in one of them.
pub(super) fn parts(text: &str) -> impl Iterator<Item = Part<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (part, length) = match rest.strip_prefix('\x1b') {
            _ if rest.is_empty() => return None,
            Some(sequence) => escape(sequence),
            None => {
                let text = &rest[..rest.find('\x1b').unwrap_or(rest.len())];
                (Part::Text(text), text.len())
            }
        };
        rest = &rest[length..];
        Some(part)
    })
}

/// What follows an Escape, and the bytes of all.
fn escape(rest: &str) -> (Part<'_>, usize) {
    match rest.as_bytes() {
        [b'[', ..] => control(&rest[1..]),
        [kind @ (b']' | b'P' | b'_' | b'^' | b'X'), ..] => string(*kind, &rest[1..]),
        bytes => {
            let between = bytes.iter().take_while(|byte| matches!(byte, 0x20..=0x2f)).count();
            let last = usize::from(matches!(bytes.get(between), Some(0x30..=0x7e)));
            (Part::Other, 1 + between + last)
        }
    }
}

/// After `ESC [`. What cannot stand there ends the sequence before itself.
fn control(rest: &str) -> (Part<'_>, usize) {
    let bytes = rest.as_bytes();
    let parameters = bytes.iter().take_while(|byte| matches!(byte, 0x30..=0x3f)).count();
    let between = bytes[parameters..].iter().take_while(|byte| matches!(byte, 0x20..=0x2f)).count();
    let length = 2 + parameters + between;
    match bytes.get(parameters + between) {
        Some(last @ 0x40..=0x7e) if between == 0 && !rest.starts_with(['<', '=', '>', '?']) => {
            (Part::Control(&rest[..parameters], *last), length + 1)
        }
        Some(0x40..=0x7e) => (Part::Other, length + 1),
        _ => (Part::Other, length),
    }
}

/// A string up to BEL or ST. Another Escape ends it; without an end it takes all that there is, as in a terminal.
fn string(kind: u8, rest: &str) -> (Part<'_>, usize) {
    let Some(end) = rest.find(['\x07', '\x1b']) else { return (Part::Other, 2 + rest.len()) };
    let body = &rest[..end];
    let closing = match &rest.as_bytes()[end..] {
        [0x07, ..] => 1,
        [_, b'\\', ..] => 2,
        _ => return (Part::Other, 2 + end),
    };
    let part = match kind {
        b']' => Part::Command(body),
        b'_' => Part::Application(body),
        _ => Part::Other,
    };
    (part, 2 + end + closing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_apart() {
        for (text, expected) in [
            ("a\x1b[1;31mb", vec![Part::Text("a"), Part::Control("1;31", b'm'), Part::Text("b")]),
            ("\x1b[>4;2m\x1b[?25h\x1b[2 q", vec![Part::Other, Part::Other, Part::Other]),
            ("\x1b]8;;u\x07x", vec![Part::Command("8;;u"), Part::Text("x")]),
            ("\x1b]8;;u\x1b\\x", vec![Part::Command("8;;u"), Part::Text("x")]),
            ("\x1b_pi:c\x07x", vec![Part::Application("pi:c"), Part::Text("x")]),
            ("\x1b(Bx\x1bcx\x1b", vec![Part::Other, Part::Text("x"), Part::Other, Part::Text("x"), Part::Other]),
            ("\x1b[1é", vec![Part::Other, Part::Text("é")]),
            ("\x1b\x1b[m", vec![Part::Other, Part::Control("", b'm')]),
            ("\x1b]0;t\x1b[mx", vec![Part::Other, Part::Control("", b'm'), Part::Text("x")]),
            ("\x1bPq never ends", vec![Part::Other]),
            ("\x1bé", vec![Part::Other, Part::Text("é")]),
        ] {
            assert_eq!(parts(text).collect::<Vec<_>>(), expected, "{text:?}");
        }
    }
}
