//! Sequences for what is not on the screen: titles, progress, notifications, the clipboard.
//!
//! Text from outside gets no control characters through: it could end the sequence and begin another.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// How a terminal shows notifications.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Notification {
    /// It only rings.
    #[default]
    Bell,
    /// OSC 9: iTerm2, WezTerm, Ghostty, Windows Terminal.
    Osc9,
    /// OSC 777: VTE, foot, rxvt.
    Osc777,
    /// OSC 99: kitty.
    Osc99,
}

/// Sets the window's title.
pub fn title(text: &str) -> String {
    format!("\x1b]0;{}\x07", printable(text))
}

/// Shows that something is under way, or not any more.
pub fn progress(is_busy: bool) -> &'static str {
    if is_busy { "\x1b]9;4;3\x07" } else { "\x1b]9;4;0\x07" }
}

/// Puts a text on the clipboard.
pub fn copy(text: &str) -> String {
    format!("\x1b]52;c;{}\x07", STANDARD.encode(text))
}

/// Notifies the user.
pub fn notify(kind: Notification, title: &str, body: &str) -> String {
    let (title, body) = (printable(title), printable(body));
    match kind {
        Notification::Bell => "\x07".to_owned(),
        Notification::Osc9 => format!("\x1b]9;{title}: {body}\x07"),
        // A semicolon would end the title.
        Notification::Osc777 => format!("\x1b]777;notify;{};{body}\x07", title.replace(';', ",")),
        Notification::Osc99 => {
            format!("\x1b]99;i=1:d=0;{title}\x1b\\\x1b]99;i=1:p=body;{body}\x1b\\")
        }
    }
}

/// Wraps sequences so that tmux passes them on to the terminal that it runs in.
pub fn through_tmux(sequences: &str) -> String {
    format!("\x1bPtmux;{}\x1b\\", sequences.replace('\x1b', "\x1b\x1b"))
}

fn printable(text: &str) -> String {
    text.chars().filter(|char| !char.is_control()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_gets_out_of_a_sequence() {
        assert_eq!(title("a\x07\x1b]52;c;eA==\x07b"), "\x1b]0;a]52;c;eA==b\x07");
        assert_eq!(notify(Notification::Osc777, "a;b", "c\n"), "\x1b]777;notify;a,b;c\x07");
        assert_eq!(notify(Notification::Bell, "a", "b"), "\x07");
        assert_eq!(through_tmux(&copy("hi")), "\x1bPtmux;\x1b\x1b]52;c;aGk=\x07\x1b\\");
    }
}
