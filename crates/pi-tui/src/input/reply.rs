//! Which sequences are answers of the terminal, and not keys.

use super::control::Control;

/// Whether a control sequence answers a question: attributes of the terminal (`c`), the keyboard's flags (`? u`), modes
/// (`$ y`), status and colour scheme (`n`), sizes (`t`), and places of the cursor (`R`) that cannot be F3.
pub(super) fn is_reply(control: &Control<'_>) -> bool {
    match (control.prefix, control.between, control.last) {
        (_, b"", b'n' | b't') | (_, b"$", b'y') | (Some(b'?'), b"", b'u' | b'R') => true,
        // Without a mark it is an arrow of rxvt.
        (prefix, b"", b'c') => prefix.is_some(),
        (None, b"", b'R') => control.number(0).is_some_and(|row| row > 1),
        _ => false,
    }
}
