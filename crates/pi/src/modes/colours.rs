//! Whether what is written may be coloured, and in which way. One rule for commands and modes.

use std::env::var_os;

/// Whether a stream gets colours: `FORCE_COLOR` (anything but empty and `0`) says yes, `NO_COLOR` no, a dumb terminal gets
/// none, and everything else what it is.
#[expect(clippy::disallowed_methods, reason = "a terminal is of the process and nothing that is replayed")]
pub(crate) fn wanted(is_terminal: bool) -> bool {
    let is_set = |name: &str| var_os(name).is_some_and(|value| !value.is_empty());
    decide(
        is_set("FORCE_COLOR") && var_os("FORCE_COLOR").is_some_and(|value| value != "0"),
        is_set("NO_COLOR"),
        var_os("TERM").is_some_and(|term| term == "dumb"),
        is_terminal,
    )
}

fn decide(forced: bool, unwanted: bool, is_dumb: bool, is_terminal: bool) -> bool {
    forced || (!unwanted && !is_dumb && is_terminal)
}

/// How a piece of text looks: the number of an SGR sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    Grey,
    Red,
    Cyan,
}

impl Style {
    fn code(self) -> &'static str {
        match self {
            Self::Grey => "90",
            Self::Red => "31",
            Self::Cyan => "36",
        }
    }

    /// Text in this style, if there are colours.
    pub(super) fn paint(self, text: &str, colours: bool) -> String {
        if colours { format!("\x1b[{}m{text}\x1b[0m", self.code()) } else { text.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_user_decides_before_the_terminal() {
        for (forced, unwanted, is_dumb, is_terminal, expected) in [
            (false, false, false, true, true),
            (false, false, false, false, false),
            (false, true, false, true, false),
            (false, false, true, true, false),
            (true, true, true, false, true),
        ] {
            assert_eq!(decide(forced, unwanted, is_dumb, is_terminal), expected);
        }
    }
}
