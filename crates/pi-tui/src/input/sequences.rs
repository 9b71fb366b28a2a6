//! Keys that come as escape sequences: the old ones of xterm, rxvt and the Linux console, modifyOtherKeys, and Kitty's.

use super::bytes::is_named;
use super::control::Control;
use super::names_table::{of_kitty, of_letter, of_number, of_rxvt_letter, on_keypad};
use super::{Key, KeyCode, KeyEvent, KeyKind, Modifiers};

/// Codes that Kitty gives to keys that type nothing.
const FUNCTIONAL: std::ops::RangeInclusive<u32> = 57344..=63743;

/// Reads a sequence of more than two bytes.
pub(super) fn read(mut event: KeyEvent) -> KeyEvent {
    let raw = std::mem::take(&mut event.raw);
    match &raw[..] {
        [0x1b, 0x1b, ..] => {
            let inner = read(KeyEvent { raw: raw[1..].to_vec(), ..event });
            let alt = |key: Key| Key::new(key.code, key.modifiers.with(Modifiers::ALT));
            event = KeyEvent { keys: inner.keys.into_iter().map(alt).collect(), kind: inner.kind, ..inner };
            event.text = None;
        }
        [0x1b, b'O', rest @ ..] => event.keys.extend(single_shift(rest)),
        _ => {
            if let Some(control) = Control::new(&raw) {
                control_keys(&control, &mut event);
            }
        }
    }
    event.raw = raw;
    event
}

/// After `ESC O`.
fn single_shift(rest: &[u8]) -> Option<Key> {
    let (&last, digits) = rest.split_last()?;
    if let Some(code) = of_rxvt_letter(last) {
        return digits.is_empty().then_some(Key::new(code, Modifiers::CTRL));
    }
    let parameter = std::str::from_utf8(digits).ok()?.parse().ok();
    let code = if last == b'M' { KeyCode::Enter } else { of_letter(last)? };
    Some(Key::new(code, modifiers(parameter)?))
}

fn control_keys(control: &Control<'_>, event: &mut KeyEvent) {
    if control.prefix.is_some() {
        return;
    }
    match (control.between, control.last) {
        (b"", b'u') => kitty(control, event),
        (b"", b'~') if control.number(0) == Some(27) && control.count() == 3 => other_keys(control, event),
        (b"", b'~' | b'^' | b'$') => numbered(control, event),
        ([b'[', ..], last) => event.keys.extend(console(control, last)),
        (b"", last) => lettered(control, last, event),
        _ => {}
    }
}

/// `CSI code:shifted:place ; modifiers:event ; text u`.
fn kitty(control: &Control<'_>, event: &mut KeyEvent) {
    let mut codes = control.numbers(0);
    let Some(code) = codes.next().flatten() else { return };
    let (shifted, place) = (codes.next().flatten(), codes.next().flatten());
    event.kind = kind(control);
    let Some(modifiers) = modifiers(control.number(1)) else { return };
    event.keys.extend(code_of(code).or_else(|| code_of(place?)).map(|code| Key::new(code, modifiers)));
    if event.kind != KeyKind::Release && Modifiers::SHIFT.contains(modifiers) {
        let code = if modifiers == Modifiers::SHIFT { shifted.unwrap_or_else(|| capital(code)) } else { code };
        event.text = sent_text(control).or_else(|| typed(code).map(String::from));
    }
}

/// The key of a code: one that has a name, or the character; capitals are named by their small letters.
fn code_of(code: u32) -> Option<KeyCode> {
    let char = || char::from_u32(code).map(|char| char.to_ascii_lowercase()).filter(|char| is_named(*char));
    of_kitty(code).or_else(|| on_keypad(code).or_else(char).map(KeyCode::Char))
}

/// Terminals that do not say what Shift makes of a letter mean the capital.
fn capital(code: u32) -> u32 {
    let mut capitals = char::from_u32(code).into_iter().flat_map(char::to_uppercase);
    match (capitals.next(), capitals.next()) {
        (Some(capital), None) => u32::from(capital),
        _ => code,
    }
}

/// The text that the terminal says a key types.
fn sent_text(control: &Control<'_>) -> Option<String> {
    let text: Option<String> = control.numbers(2).map(|code| code.and_then(char::from_u32)).collect();
    text.filter(|text| !text.is_empty() && !text.chars().any(char::is_control))
}

fn typed(code: u32) -> Option<char> {
    on_keypad(code)
        .or_else(|| char::from_u32(code).filter(|char| !char.is_control() && !FUNCTIONAL.contains(&u32::from(*char))))
}

/// `CSI 27 ; modifiers ; code ~`, from modifyOtherKeys.
fn other_keys(control: &Control<'_>, event: &mut KeyEvent) {
    let (Some(modifiers), Some(code)) = (modifiers(control.number(1)), control.number(2)) else { return };
    event.keys.extend(code_of(code).map(|code| Key::new(code, modifiers)));
    if Modifiers::SHIFT.contains(modifiers) {
        event.text = char::from_u32(code).filter(|char| !char.is_control()).map(String::from);
    }
}

/// `CSI number ; modifiers ~`; in rxvt, `^` for Ctrl and `$` for Shift.
fn numbered(control: &Control<'_>, event: &mut KeyEvent) {
    event.kind = kind(control);
    let modifiers = match control.last {
        b'^' => Some(Modifiers::CTRL),
        b'$' => Some(Modifiers::SHIFT),
        _ => modifiers(control.number(1)),
    };
    let code = control.number(0).and_then(of_number).filter(|_| control.count() <= 2);
    event.keys.extend(code.zip(modifiers).map(|(code, modifiers)| Key::new(code, modifiers)));
}

/// `CSI 1 ; modifiers letter`.
fn lettered(control: &Control<'_>, last: u8, event: &mut KeyEvent) {
    let is_plain = control.count() == 1 && control.number(0).is_none();
    event.kind = kind(control);
    let key = match (last, is_plain) {
        (b'Z', true) => Some(Key::new(KeyCode::Tab, Modifiers::SHIFT)),
        (b'a'..=b'e', true) => of_rxvt_letter(last).map(|code| Key::new(code, Modifiers::SHIFT)),
        _ if is_plain || (control.number(0) == Some(1) && control.count() == 2) => {
            of_letter(last).zip(modifiers(control.number(1))).map(|(code, modifiers)| Key::new(code, modifiers))
        }
        _ => None,
    };
    event.keys.extend(key);
}

/// Keys of the Linux console.
fn console(control: &Control<'_>, last: u8) -> Option<Key> {
    let code = match (control.between, last) {
        (b"[", b'A'..=b'E') => KeyCode::Function(last - b'A' + 1),
        (b"[5" | b"[6", b'~') => of_number(u32::from(control.between[1] - b'0'))?,
        _ => return None,
    };
    Some(Key::plain(code))
}

/// The modifiers of a parameter; nothing for those that have no name here.
fn modifiers(parameter: Option<u32>) -> Option<Modifiers> {
    let bits = parameter.unwrap_or(1).checked_sub(1)?;
    Modifiers::from_bits(u8::try_from(bits).ok()?)
}

fn kind(control: &Control<'_>) -> KeyKind {
    match control.numbers(1).nth(1).flatten() {
        Some(2) => KeyKind::Repeat,
        Some(3) => KeyKind::Release,
        _ => KeyKind::Press,
    }
}
