//! What a terminal can do: by its environment first, by its answers second.

use crate::screen::{Insert, Reflow, ScreenOptions};

use super::Notification;

/// How pictures are sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Images {
    /// Not at all.
    #[default]
    None,
    /// Kitty's protocol.
    Kitty,
    /// iTerm2's (OSC 1337).
    Iterm2,
}

/// What the keyboard reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Keyboard {
    /// Not known yet: the terminal was asked.
    #[default]
    Unknown,
    /// What terminals have always reported.
    Legacy,
    /// Modified keys by xterm's `modifyOtherKeys`.
    ModifyOtherKeys,
    /// Everything, by Kitty's protocol.
    Kitty,
}

/// What a terminal can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Capabilities {
    /// What it does with rows at a resize.
    pub reflow: Reflow,
    /// Whether links (OSC 8) can be followed.
    pub links: bool,
    /// How pictures are sent.
    pub images: Images,
    /// How the user is notified.
    pub notification: Notification,
    /// What the keyboard reports.
    pub keyboard: Keyboard,
    /// Whether tmux is between us and the terminal.
    pub is_tmux: bool,
    /// Whether it said that it is all: its primary attributes have come, so that no answer is still under way.
    pub is_answered: bool,
}

/// A terminal as its environment names it.
struct Known {
    name: &'static str,
    reflow: Reflow,
    links: bool,
    images: Images,
    notification: Notification,
}

const fn known(name: &'static str, reflow: Reflow, links: bool, images: Images, notification: Notification) -> Known {
    Known { name, reflow, links, images, notification }
}

/// Programs by name, as `TERM_PROGRAM`, `TERM` or the answer to XTVERSION begins.
const KNOWN: &[Known] = {
    use Images::{Iterm2, Kitty};
    use Notification::{Bell, Osc9, Osc99, Osc777};
    use Reflow::{Erased, Filled, None, Text};
    &[
        known("xterm-kitty", Text, true, Kitty, Osc99),
        known("kitty", Text, true, Kitty, Osc99),
        known("xterm-ghostty", Text, true, Kitty, Osc9),
        known("ghostty", Text, true, Kitty, Osc9),
        known("wezterm", Text, true, Kitty, Osc9),
        known("warpterminal", Text, true, Kitty, Osc9),
        known("iterm", Text, true, Iterm2, Osc9),
        known("windows terminal", Text, true, Images::None, Osc9),
        known("vscode", Text, true, Images::None, Bell),
        known("alacritty", Filled, true, Images::None, Bell),
        known("apple_terminal", Text, false, Images::None, Bell),
        known("vte", Text, true, Images::None, Osc777),
        known("foot", Text, true, Images::None, Osc777),
        known("jetbrains", Text, false, Images::None, Bell),
        known("tmux", Erased, false, Images::None, Bell),
        known("screen", None, false, Images::None, Bell),
        known("linux", None, false, Images::None, Bell),
        known("rxvt", None, false, Images::None, Osc777),
        known("st-", None, false, Images::None, Bell),
        // Many call themselves that which are something else; those are recognised before, or answer with their name.
        known("xterm(", None, false, Images::None, Bell),
    ]
};

impl Capabilities {
    /// What the environment tells.
    pub fn from_env(variable: impl Fn(&str) -> Option<String>) -> Self {
        let is_set = |name: &str| variable(name).is_some_and(|value| !value.is_empty());
        let named = |name: &str| variable(name).and_then(|value| find(&value));
        let term = variable("TERM").unwrap_or_default();
        let is_tmux = is_set("TMUX") || term.starts_with("tmux");
        let found = match () {
            () if is_tmux => find("tmux"),
            () if is_set("STY") || term.starts_with("screen") => find("screen"),
            () if is_set("KITTY_WINDOW_ID") => find("kitty"),
            () if is_set("GHOSTTY_RESOURCES_DIR") => find("ghostty"),
            () if is_set("WEZTERM_PANE") => find("wezterm"),
            () if is_set("ITERM_SESSION_ID") => find("iterm"),
            () if is_set("WT_SESSION") => find("windows terminal"),
            () if variable("TERMINAL_EMULATOR").is_some_and(|name| name.starts_with("JetBrains")) => find("jetbrains"),
            () => named("TERM_PROGRAM").or_else(|| is_set("VTE_VERSION").then(|| find("vte")).flatten()),
        };
        let mut capabilities = Self { is_tmux, ..Self::default() };
        if let Some(known) = found.or_else(|| find(&term)) {
            capabilities.learn(known);
        }
        capabilities
    }

    /// What an answer of the terminal tells: to Kitty's query, to XTVERSION, to the query of its attributes, which ends all
    /// others. Returns whether it was one of these.
    pub fn answer(&mut self, reply: &[u8]) -> bool {
        let reply = String::from_utf8_lossy(reply);
        if let Some(flags) = between(&reply, "\x1b[?", "u") {
            if flags != "0" {
                self.keyboard = Keyboard::Kitty;
            }
        } else if between(&reply, "\x1b[?", "c").is_some() {
            self.is_answered = true;
            if self.keyboard == Keyboard::Unknown {
                self.keyboard = Keyboard::ModifyOtherKeys;
            }
        } else if let Some(version) = between(&reply, "\x1bP>|", "\x1b\\") {
            // tmux answers by itself, and the environment knows it already.
            if let Some(known) = find(version).filter(|_| !self.is_tmux) {
                self.learn(known);
            }
        } else {
            return false;
        }
        true
    }

    /// The size of a cell in pixels, width and height, if that is what a reply tells.
    pub fn cell_of(reply: &[u8]) -> Option<(u32, u32)> {
        let text = std::str::from_utf8(reply).ok()?;
        let (height, width) = between(text, "\x1b[6;", "t")?.split_once(';')?;
        let size = (width.parse().ok()?, height.parse().ok()?);
        (size.0 > 0 && size.1 > 0).then_some(size)
    }

    /// What the frame engine needs to know.
    pub fn screen(&self, insert: Insert) -> ScreenOptions {
        // Terminals without synchronized output ignore its brackets.
        ScreenOptions { insert, reflow: self.reflow, synchronized: true }
    }

    fn learn(&mut self, known: &Known) {
        let Known { reflow, links, images, notification, .. } = *known;
        *self = Self { reflow, links, images, notification, ..*self };
    }
}

impl Notification {
    /// How a terminal with this name notifies its user: as `TERM` or its answer to XTVERSION names it.
    pub fn of_terminal(name: &str) -> Option<Self> {
        find(name).map(|known| known.notification)
    }
}

fn find(name: &str) -> Option<&'static Known> {
    let name = name.to_ascii_lowercase();
    KNOWN.iter().find(|known| name.starts_with(known.name))
}

fn between<'a>(text: &'a str, start: &str, end: &str) -> Option<&'a str> {
    text.strip_prefix(start)?.strip_suffix(end)
}

/// A question to the terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Query {
    /// Kitty's flags of the keyboard.
    Keyboard,
    /// Its name (XTVERSION).
    Version,
    /// The colour behind text (OSC 11).
    Background,
    /// The size of a cell in pixels.
    CellSize,
    /// Whether the system is dark or light.
    Colors,
}

/// Asks the questions. The last one is always for the primary attributes, which every terminal answers: with that answer all
/// others have come.
pub fn queries(questions: &[Query]) -> String {
    let sequence = |question: &Query| match question {
        Query::Keyboard => "\x1b[?u",
        Query::Version => "\x1b[>0q",
        Query::Background => "\x1b]11;?\x1b\\",
        Query::CellSize => "\x1b[16t",
        Query::Colors => "\x1b[?996n",
    };
    questions.iter().map(sequence).chain(["\x1b[c"]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(variables: &[(&str, &str)]) -> Capabilities {
        Capabilities::from_env(|name| {
            variables.iter().find(|(variable, _)| *variable == name).map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn by_environment() {
        for (variables, reflow, links, images) in [
            (&[][..], Reflow::Text, false, Images::None),
            (&[("TERM", "xterm-256color")], Reflow::Text, false, Images::None),
            (&[("TERM", "xterm-kitty")], Reflow::Text, true, Images::Kitty),
            (&[("TERM", "xterm-256color"), ("TERM_PROGRAM", "iTerm.app")], Reflow::Text, true, Images::Iterm2),
            (&[("TERM", "xterm-256color"), ("TERM_PROGRAM", "vscode")], Reflow::Text, true, Images::None),
            (&[("TERM", "alacritty")], Reflow::Filled, true, Images::None),
            (&[("TERM", "tmux-256color"), ("TERM_PROGRAM", "ghostty")], Reflow::Erased, false, Images::None),
            (&[("TMUX", "/tmp/tmux"), ("KITTY_WINDOW_ID", "1")], Reflow::Erased, false, Images::None),
            (&[("TERM", "screen-256color")], Reflow::None, false, Images::None),
            (&[("TERM", "linux")], Reflow::None, false, Images::None),
            (&[("TERM", "rxvt-unicode-256color")], Reflow::None, false, Images::None),
            (&[("TERM", "xterm-256color"), ("VTE_VERSION", "7600")], Reflow::Text, true, Images::None),
        ] {
            let found = of(variables);
            assert_eq!((found.reflow, found.links, found.images), (reflow, links, images), "{variables:?}");
        }
    }

    #[test]
    fn by_answers() {
        let mut found = of(&[("TERM", "xterm-256color")]);
        assert!(found.answer(b"\x1bP>|XTerm(390)\x1b\\"));
        assert_eq!(found.reflow, Reflow::None);
        assert!(found.answer(b"\x1b[?64;1;9c"));
        assert_eq!((found.keyboard, found.is_answered), (Keyboard::ModifyOtherKeys, true));
        assert!(found.answer(b"\x1bP>|VTE(7600)\x1b\\"));
        assert_eq!(found.reflow, Reflow::Text);
        let mut found = of(&[]);
        assert!(found.answer(b"\x1b[?7u") && found.answer(b"\x1b[?62c"));
        assert_eq!(found.keyboard, Keyboard::Kitty);
        assert!(!found.answer(b"\x1b[6;18;9t"));
        assert_eq!(Capabilities::cell_of(b"\x1b[6;18;9t"), Some((9, 18)));
        assert_eq!(Capabilities::cell_of(b"\x1b[6;0;9t"), None);
        assert_eq!(queries(&[Query::Keyboard, Query::Version]), "\x1b[?u\x1b[>0q\x1b[c");
    }
}
