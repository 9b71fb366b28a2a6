//! What the bytes of one key mean.
//!
//! `bytes` knows single bytes and Alt with a byte, `sequences` knows escape sequences. Both give readings, the best first:
//! terminals use the same bytes for several keys.

use super::{KeyEvent, KeyKind, bytes, sequences};

/// How a terminal speaks, where the same bytes mean different keys.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Dialect {
    /// Kitty's keyboard protocol is on: LF and Escape with CR are Shift+Enter, which some terminals are set up to send, and
    /// Alt with a letter comes as a sequence.
    pub kitty: bool,
    /// The byte 0x08 is Ctrl+Backspace (Windows Terminal) and not Backspace.
    pub ctrl_backspace: bool,
}

impl KeyEvent {
    /// Reads the bytes of one key.
    pub fn read(raw: &[u8], dialect: Dialect) -> Self {
        let mut event = Self { raw: raw.to_vec(), keys: Vec::new(), text: None, kind: KeyKind::Press };
        match raw {
            [byte] => event.keys = bytes::readings(*byte, dialect),
            [0x1b, byte] => event.keys = bytes::alt_readings(*byte, dialect),
            [0x1b, ..] => return sequences::read(event),
            _ => {}
        }
        event.text = typed(raw);
        event
    }
}

/// Characters type themselves.
fn typed(raw: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(raw).ok()?;
    (!text.is_empty() && !text.chars().any(char::is_control)).then(|| text.to_owned())
}
