//! The keys that terminals number or letter.

use super::KeyCode;

/// The key of a letter that ends `CSI` or `SS3`.
pub(super) fn of_letter(letter: u8) -> Option<KeyCode> {
    Some(match letter {
        b'A' => KeyCode::Up,
        b'B' => KeyCode::Down,
        b'C' => KeyCode::Right,
        b'D' => KeyCode::Left,
        b'E' => KeyCode::Clear,
        b'F' => KeyCode::End,
        b'H' => KeyCode::Home,
        b'P'..=b'S' => KeyCode::Function(letter - b'P' + 1),
        _ => return None,
    })
}

/// The key of a small letter, by which rxvt says that Shift or Ctrl is held.
pub(super) fn of_rxvt_letter(letter: u8) -> Option<KeyCode> {
    matches!(letter, b'a'..=b'e').then(|| of_letter(letter.to_ascii_uppercase())).flatten()
}

/// The key of a number before `~`.
pub(super) fn of_number(number: u32) -> Option<KeyCode> {
    Some(match number {
        1 | 7 => KeyCode::Home,
        2 => KeyCode::Insert,
        3 => KeyCode::Delete,
        4 | 8 => KeyCode::End,
        5 => KeyCode::PageUp,
        6 => KeyCode::PageDown,
        11..=15 => KeyCode::Function(u8::try_from(number - 10).ok()?),
        17..=21 => KeyCode::Function(u8::try_from(number - 11).ok()?),
        23 | 24 => KeyCode::Function(u8::try_from(number - 12).ok()?),
        _ => return None,
    })
}

/// The key of a code of Kitty's protocol that types nothing.
pub(super) fn of_kitty(code: u32) -> Option<KeyCode> {
    Some(match code {
        9 => KeyCode::Tab,
        13 | 57414 => KeyCode::Enter,
        27 => KeyCode::Escape,
        127 => KeyCode::Backspace,
        32 => KeyCode::Char(' '),
        57417 => KeyCode::Left,
        57418 => KeyCode::Right,
        57419 => KeyCode::Up,
        57420 => KeyCode::Down,
        57421 => KeyCode::PageUp,
        57422 => KeyCode::PageDown,
        57423 => KeyCode::Home,
        57424 => KeyCode::End,
        57425 => KeyCode::Insert,
        57426 => KeyCode::Delete,
        _ => return None,
    })
}

/// What a key of the keypad types, by its code of Kitty's protocol.
pub(super) fn on_keypad(code: u32) -> Option<char> {
    const FIRST: u32 = 57399;
    let at = usize::try_from(code.checked_sub(FIRST)?).ok()?;
    b"0123456789./*-+\0=,".get(at).copied().filter(|byte| *byte != 0).map(char::from)
}
