//! Standard output of a command: lines for people or JSON for programs. What a session holds cannot control the terminal.

use std::borrow::Cow;
use std::io::{self, BufWriter, IsTerminal, Stdout, Write};

use serde::Serialize;

/// What is written at once, in bytes.
const BUFFER: usize = 1 << 16;

/// Where a command prints.
#[derive(Debug)]
pub(super) struct Screen {
    out: BufWriter<Stdout>,
    /// Whether programs read it.
    pub(super) json: bool,
    terminal: bool,
    colours: bool,
}

/// How text looks on a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    Bold,
    Dim,
    Red,
    Yellow,
    Green,
    Cyan,
}

impl Style {
    fn code(self) -> u8 {
        match self {
            Self::Bold => 1,
            Self::Dim => 2,
            Self::Red => 31,
            Self::Green => 32,
            Self::Yellow => 33,
            Self::Cyan => 36,
        }
    }
}

impl Screen {
    /// Standard output. Colours are for terminals, and not where `NO_COLOR` is set or the terminal is dumb.
    pub(super) fn stdout(json: bool) -> Self {
        let terminal = io::stdout().is_terminal();
        let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
            || std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        Self { out: BufWriter::with_capacity(BUFFER, io::stdout()), json, terminal, colours: terminal && !unwanted }
    }

    /// Prints a line. Its parts must have gone through [`plain`] or [`Self::paint`].
    pub(super) fn line(&mut self, text: &str) -> io::Result<()> {
        self.out.write_all(text.as_bytes())?;
        self.out.write_all(b"\n")
    }

    /// Text of whatever origin, made harmless, in a style.
    pub(super) fn paint(&self, style: Style, text: &str) -> String {
        let text = plain(text);
        if self.colours { format!("\x1b[{}m{text}\x1b[0m", style.code()) } else { text.into_owned() }
    }

    /// Prints a value as a line of JSON.
    pub(super) fn json(&mut self, value: &impl Serialize) -> io::Result<()> {
        let text = serde_json::to_string(value)?;
        self.raw_json(&text)
    }

    /// Prints a line that is JSON: byte for byte, save that a terminal gets control characters as escapes.
    pub(super) fn raw_json(&mut self, text: &str) -> io::Result<()> {
        let text = if self.terminal { escaped(text) } else { text.into() };
        self.line(&text)
    }

    /// Lets the reader have what was printed so far.
    pub(super) fn finish(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Text in which every control character has become a visible one; line ends and tabs stay.
pub(super) fn plain(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_control) {
        return text.into();
    }
    text.chars().map(visible).collect()
}

fn visible(character: char) -> char {
    match character {
        '\n' | '\t' => character,
        // The control pictures stand in the order of the control characters.
        '\0'..='\x1f' => char::from_u32(0x2400 + u32::from(character)).unwrap_or('\u{fffd}'),
        '\x7f' => '\u{2421}',
        character if is_control(character) => '\u{fffd}',
        character => character,
    }
}

/// Control characters, and those that turn the direction of writing around.
fn is_control(character: char) -> bool {
    (character.is_control() && !matches!(character, '\n' | '\t'))
        || matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}')
}

/// JSON has no such characters outside of strings, so an escape means the same.
fn escaped(json: &str) -> Cow<'_, str> {
    if !json.chars().any(is_control) {
        return json.into();
    }
    let escape = |character: char| match character {
        character if is_control(character) => format!("\\u{:04x}", u32::from(character)),
        character => character.to_string(),
    };
    json.chars().map(escape).collect::<String>().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_become_visible() {
        for (text, expected) in [
            ("a\tb\nc", "a\tb\nc"),
            ("\x1b[31mred\x07\r\x7f", "\u{241b}[31mred\u{2407}\u{240d}\u{2421}"),
            ("\u{9b}31m \u{202e}abc", "\u{fffd}31m \u{fffd}abc"),
            ("ünï \u{1f600}", "ünï \u{1f600}"),
        ] {
            assert_eq!(plain(text), expected);
        }
        assert_eq!(escaped("{\"a\":\"\u{9b}\u{7f}é\"}"), r#"{"a":"\u009b\u007fé"}"#);
    }
}
