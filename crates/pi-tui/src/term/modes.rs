//! What is switched on in a terminal, and the constant that switches all of it off.

use super::Keyboard;

/// Switches everything off that a program of ours may have switched on, in whatever state it was left: the string ends a
/// sequence that was cut in the middle, and nothing in it moves the cursor.
///
/// The alternate screen has a stack of keyboard modes of its own: leave it after writing this, and write this again.
pub const RESTORE: &str = concat!(
    "\x1b\\",                                       // ends a sequence that was cut
    "\x1b[?2026l",                                  // shows what was held back
    "\x1b[0m\x1b]8;;\x1b\\",                        // no style, no link
    "\x1b[<u\x1b[>4;0m",                            // keys as they were
    "\x1b[?2004l\x1b[?1004l",                       // no paste brackets, no focus
    "\x1b[?1006l\x1b[?1003l\x1b[?1002l\x1b[?1000l", // no mouse
    "\x1b[?2031l",                                  // no notices of colours
    "\x1b[?25h",                                    // a cursor
);

/// What is wanted of a terminal while the program runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Modes {
    /// Notices when the window gets and loses the focus.
    pub focus: bool,
    /// Notices when the system turns dark or light.
    pub colors: bool,
    /// What the keyboard reports. Unknown until the terminal has answered; Kitty's protocol is asked for in any case.
    pub keyboard: Keyboard,
}

impl Modes {
    /// What switches the modes on. Kitty's flags are pushed whether they are known or not: terminals without them ignore it.
    pub fn enter(self) -> String {
        let mut out = String::from("\x1b[?2004h");
        out.push_str(Self::PUSH_KEYBOARD);
        if self.focus {
            out.push_str("\x1b[?1004h");
        }
        if self.colors {
            out.push_str("\x1b[?2031h");
        }
        if self.keyboard == Keyboard::ModifyOtherKeys {
            out.push_str(Self::MODIFY_OTHER_KEYS);
        }
        out
    }

    /// Pushes Kitty's flags: keys that are told apart, their repeats and releases, and what they are on other layouts.
    const PUSH_KEYBOARD: &'static str = "\x1b[>7u";

    /// Asks a terminal without Kitty's protocol to report modified keys.
    pub(super) const MODIFY_OTHER_KEYS: &'static str = "\x1b[>4;2m";

    /// Has buttons, the wheel and dragging reported, in the form without limits (SGR). For the alternate screen.
    pub const MOUSE_ON: &'static str = "\x1b[?1002h\x1b[?1006h";

    /// Leaves the mouse to the terminal.
    pub const MOUSE_OFF: &'static str = "\x1b[?1006l\x1b[?1002l";

    /// The keyboard's part alone, for entering the alternate screen, which has a stack of its own. As with
    /// [`enter`](Self::enter), Kitty's flags are pushed in any case: what the terminal answers may come later.
    pub fn enter_keyboard(self) -> String {
        let more = if self.keyboard == Keyboard::ModifyOtherKeys { Self::MODIFY_OTHER_KEYS } else { "" };
        format!("{}{more}", Self::PUSH_KEYBOARD)
    }

    /// What undoes [`enter_keyboard`](Self::enter_keyboard), before the alternate screen is left. What is reported of
    /// modified keys is not kept per screen, and stays.
    pub const LEAVE_KEYBOARD: &'static str = "\x1b[<u";
}
