//! Reports of the mouse, in the form without limits (SGR, mode 1006).

use super::Modifiers;
use super::control::Control;

/// Something that the mouse did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MouseEvent {
    /// The bytes, as components of extensions get them.
    pub raw: Vec<u8>,
    /// What it did.
    pub kind: MouseKind,
    /// The window's row, from zero.
    pub row: u16,
    /// The window's column, from zero.
    pub column: u16,
    /// Keys that were held.
    pub modifiers: Modifiers,
}

/// What a mouse does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MouseKind {
    /// A button goes down.
    Press(MouseButton),
    /// It moves while a button is down.
    Drag(MouseButton),
    /// A button goes up.
    Release(MouseButton),
    /// The wheel turns away from the user.
    WheelUp,
    /// The wheel turns towards the user.
    WheelDown,
    /// Something else: it moves by itself, a wheel turns sideways, another button.
    Other,
}

/// A button of the mouse.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MouseButton {
    /// The left one.
    Left,
    /// The middle one.
    Middle,
    /// The right one.
    Right,
}

/// Whether these bytes begin a report, in this form or the old one: no key does, so that the rest of it is no typed text.
pub(super) fn begins(bytes: &[u8]) -> bool {
    matches!(bytes, [0x1b, b'[', b'<' | b'M', ..])
}

/// Whether a whole sequence is in the form of a report, whatever it says.
pub(super) fn is_report(control: &Control<'_>) -> bool {
    matches!((control.prefix, control.last), (Some(b'<'), b'M' | b'm'))
}

/// What a report says: `CSI < buttons ; column ; row M`, with `m` for a button that goes up.
pub(super) fn read(control: &Control<'_>, raw: &[u8]) -> Option<MouseEvent> {
    const MOVES: u32 = 32;
    const WHEEL: u32 = 64;
    const MORE: u32 = 128;
    if !is_report(control) || !control.between.is_empty() || control.count() != 3 {
        return None;
    }
    let code = control.number(0)?;
    let place = |at| u16::try_from(control.number(at)?.checked_sub(1)?).ok();
    let button = match code & 3 {
        0 => Some(MouseButton::Left),
        1 => Some(MouseButton::Middle),
        2 => Some(MouseButton::Right),
        _ => None,
    };
    let kind = match (code & (WHEEL | MORE), button) {
        (0, Some(button)) if control.last == b'm' => MouseKind::Release(button),
        (0, Some(button)) if code & MOVES != 0 => MouseKind::Drag(button),
        (0, Some(button)) => MouseKind::Press(button),
        (WHEEL, Some(MouseButton::Left)) => MouseKind::WheelUp,
        (WHEEL, Some(MouseButton::Middle)) => MouseKind::WheelDown,
        _ => MouseKind::Other,
    };
    Some(MouseEvent { raw: raw.to_vec(), kind, column: place(1)?, row: place(2)?, modifiers: modifiers(code) })
}

fn modifiers(code: u32) -> Modifiers {
    let held = [(4, Modifiers::SHIFT), (8, Modifiers::ALT), (16, Modifiers::CTRL)];
    held.into_iter().filter(|(bit, _)| code & bit != 0).fold(Modifiers::NONE, |all, (_, one)| all.with(one))
}
