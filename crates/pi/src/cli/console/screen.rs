//! Standard output of a command: lines for people or JSON for programs. What a session holds cannot control the terminal.

use std::borrow::Cow;
use std::io::{self, BufWriter, IsTerminal, Stdout, Write};

use serde::Serialize;

use crate::modes::colours;
use pi_coding_agent::host::is_control;
pub(in crate::cli) use pi_coding_agent::host::plain;

/// What is written at once, in bytes.
const BUFFER: usize = 1 << 16;

/// Where a command prints.
#[derive(Debug)]
pub(in crate::cli) struct Screen {
    out: BufWriter<Stdout>,
    /// Whether programs read it.
    pub(in crate::cli) json: bool,
    terminal: bool,
    colours: bool,
}

/// How text looks on a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::cli) enum Style {
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
    /// Standard output, with colours where they are wanted.
    pub(in crate::cli) fn stdout(json: bool) -> Self {
        let terminal = io::stdout().is_terminal();
        Self { out: BufWriter::with_capacity(BUFFER, io::stdout()), json, terminal, colours: colours::wanted(terminal) }
    }

    /// Prints a line. Its parts must have gone through [`plain`] or [`Self::paint`].
    pub(in crate::cli) fn line(&mut self, text: &str) -> io::Result<()> {
        self.out.write_all(text.as_bytes())?;
        self.out.write_all(b"\n")
    }

    /// Text of whatever origin, made harmless, in a style.
    pub(in crate::cli) fn paint(&self, style: Style, text: &str) -> String {
        let text = plain(text);
        if self.colours { format!("\x1b[{}m{text}\x1b[0m", style.code()) } else { text.into_owned() }
    }

    /// Prints a value as a line of JSON.
    pub(in crate::cli) fn json(&mut self, value: &impl Serialize) -> io::Result<()> {
        let text = serde_json::to_string(value)?;
        self.raw_json(&text)
    }

    /// Prints a line that is JSON: byte for byte, save that a terminal gets control characters as escapes.
    pub(in crate::cli) fn raw_json(&mut self, text: &str) -> io::Result<()> {
        let text = if self.terminal { escaped(text) } else { text.into() };
        self.line(&text)
    }

    /// Lets the reader have what was printed so far.
    pub(in crate::cli) fn finish(&mut self) -> io::Result<()> {
        self.out.flush()
    }
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
    fn json_is_escaped() {
        assert_eq!(escaped("{\"a\":\"\u{9b}\u{7f}é\"}"), r#"{"a":"\u009b\u007fé"}"#);
    }
}
