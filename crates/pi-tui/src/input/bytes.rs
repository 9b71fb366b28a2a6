//! Keys that come as one byte, and Alt with one byte.

use super::decode::Dialect;
use super::{Key, KeyCode, Modifiers};

const ESC: u8 = 0x1b;

fn char(byte: u8, modifiers: Modifiers) -> Key {
    Key::new(KeyCode::Char(char::from(byte)), modifiers)
}

/// Whether a key is named by this character: small letters, digits, and the symbols that the modules for scripts know.
pub(crate) fn is_named(char: char) -> bool {
    matches!(char, 'a'..='z' | '0'..='9') || (char.is_ascii_punctuation() && char != '"')
}

/// What a byte means.
pub(super) fn readings(byte: u8, dialect: Dialect) -> Vec<Key> {
    let plain = |code| vec![Key::plain(code)];
    match byte {
        b'\r' => plain(KeyCode::Enter),
        b'\n' if dialect.kitty => vec![Key::new(KeyCode::Enter, Modifiers::SHIFT)],
        // Where it is not told apart, the same byte is both.
        b'\n' => vec![Key::plain(KeyCode::Enter), char(b'j', Modifiers::CTRL)],
        b'\t' => plain(KeyCode::Tab),
        ESC => vec![Key::plain(KeyCode::Escape), char(b'[', Modifiers::CTRL)],
        0x08 if dialect.ctrl_backspace => vec![Key::new(KeyCode::Backspace, Modifiers::CTRL)],
        0x08 | 0x7f => plain(KeyCode::Backspace),
        b'A'..=b'Z' => vec![char(byte.to_ascii_lowercase(), Modifiers::SHIFT)],
        b' ' => vec![char(b' ', Modifiers::NONE)],
        _ if byte.is_ascii_control() => control_readings(byte, Modifiers::CTRL),
        _ if is_named(char::from(byte)) => vec![char(byte, Modifiers::NONE)],
        _ => Vec::new(),
    }
}

/// What a control character without a key of its own means.
fn control_readings(byte: u8, modifiers: Modifiers) -> Vec<Key> {
    match byte {
        0 => vec![char(b' ', modifiers)],
        1..=26 => vec![char(byte + b'a' - 1, modifiers)],
        0x1c => vec![char(b'\\', modifiers)],
        0x1d => vec![char(b']', modifiers)],
        0x1f => vec![char(b'-', modifiers), char(b'_', modifiers)],
        _ => Vec::new(),
    }
}

/// What Escape with a byte means: Alt, unless the terminal says such things in Kitty's way.
pub(super) fn alt_readings(byte: u8, dialect: Dialect) -> Vec<Key> {
    let alt = |code| vec![Key::new(code, Modifiers::ALT)];
    match byte {
        b'\r' if dialect.kitty => vec![Key::new(KeyCode::Enter, Modifiers::SHIFT)],
        b'\r' => alt(KeyCode::Enter),
        0x08 | 0x7f => alt(KeyCode::Backspace),
        ESC => vec![char(b'[', Modifiers::CTRL.with(Modifiers::ALT))],
        _ => {
            let mut keys: Vec<Key> = moved(byte).map(|code| Key::new(code, Modifiers::ALT)).into_iter().collect();
            if !dialect.kitty {
                keys.extend(alt_of_byte(byte));
            }
            keys
        }
    }
}

/// What terminals send for words, after Emacs.
fn moved(byte: u8) -> Option<KeyCode> {
    match byte {
        b'b' => Some(KeyCode::Left),
        b'f' => Some(KeyCode::Right),
        b'p' => Some(KeyCode::Up),
        b'n' => Some(KeyCode::Down),
        _ => None,
    }
}

fn alt_of_byte(byte: u8) -> Vec<Key> {
    match byte {
        0 => Vec::new(),
        _ if byte.is_ascii_control() => control_readings(byte, Modifiers::CTRL.with(Modifiers::ALT)),
        _ if byte == b' ' || is_named(char::from(byte)) => vec![char(byte, Modifiers::ALT)],
        _ => Vec::new(),
    }
}
