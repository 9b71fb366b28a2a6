//! Names of keys, as a file of bindings has them: `ctrl+shift+a`, `pageUp`, `f1`.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::input::{Key, KeyCode, Modifiers, is_named};

/// Keys with names; the first name of a key is the one that is shown.
const NAMES: &[(&str, KeyCode)] = &[
    ("escape", KeyCode::Escape),
    ("esc", KeyCode::Escape),
    ("enter", KeyCode::Enter),
    ("return", KeyCode::Enter),
    ("tab", KeyCode::Tab),
    ("space", KeyCode::Char(' ')),
    ("backspace", KeyCode::Backspace),
    ("delete", KeyCode::Delete),
    ("insert", KeyCode::Insert),
    ("clear", KeyCode::Clear),
    ("home", KeyCode::Home),
    ("end", KeyCode::End),
    ("pageUp", KeyCode::PageUp),
    ("pageDown", KeyCode::PageDown),
    ("up", KeyCode::Up),
    ("down", KeyCode::Down),
    ("left", KeyCode::Left),
    ("right", KeyCode::Right),
];

/// Modifiers in the order in which they are shown.
const MODIFIERS: [(&str, Modifiers); 4] =
    [("shift", Modifiers::SHIFT), ("ctrl", Modifiers::CTRL), ("alt", Modifiers::ALT), ("super", Modifiers::SUPER)];

/// A text that names no key.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("\"{0}\" names no key; keys are written like \"ctrl+shift+a\", \"alt+enter\", \"pageUp\" or \"f1\"")]
pub struct BadKey(pub String);

impl FromStr for Key {
    type Err = BadKey;

    /// Reads a name; capitals do not matter.
    fn from_str(name: &str) -> Result<Self, BadKey> {
        let mut rest = name;
        let mut modifiers = Modifiers::NONE;
        while let Some((modifier, key)) = modifier(rest) {
            modifiers = modifiers.with(modifier);
            rest = key;
        }
        code(rest).map(|code| Self::new(code, modifiers)).ok_or_else(|| BadKey(name.to_owned()))
    }
}

/// A modifier and what follows it, if something does: `ctrl++` is Ctrl with the plus.
fn modifier(name: &str) -> Option<(Modifiers, &str)> {
    let (modifier, rest) = name.split_once('+')?;
    let (_, modifier) = MODIFIERS.iter().find(|(known, _)| modifier.eq_ignore_ascii_case(known))?;
    (!rest.is_empty()).then_some((*modifier, rest))
}

fn code(name: &str) -> Option<KeyCode> {
    let mut chars = name.chars();
    if let (Some(char), None) = (chars.next(), chars.next()) {
        let char = char.to_ascii_lowercase();
        return is_named(char).then_some(KeyCode::Char(char));
    }
    let named = NAMES.iter().find(|(known, _)| name.eq_ignore_ascii_case(known));
    named.map(|(_, code)| *code).or_else(|| function(name))
}

fn function(name: &str) -> Option<KeyCode> {
    let number = name.strip_prefix(['f', 'F']).filter(|number| !number.starts_with(['0', '+']))?.parse().ok()?;
    (1..=12).contains(&number).then_some(KeyCode::Function(number))
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(*self, f, "alt")
    }
}

/// A key as it is shown to people: Macs have Option where others have Alt.
pub(super) fn shown(key: Key, is_mac: bool) -> impl fmt::Display {
    struct Shown(Key, &'static str);
    impl fmt::Display for Shown {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write(self.0, f, self.1)
        }
    }
    Shown(key, if is_mac { "option" } else { "alt" })
}

fn write(key: Key, f: &mut fmt::Formatter<'_>, alt: &str) -> fmt::Result {
    for (name, modifier) in MODIFIERS {
        if key.modifiers.contains(modifier) {
            write!(f, "{}+", if modifier == Modifiers::ALT { alt } else { name })?;
        }
    }
    match key.code {
        KeyCode::Function(number) => write!(f, "f{number}"),
        code => match NAMES.iter().find(|(_, known)| *known == code) {
            Some((name, _)) => f.write_str(name),
            None => write_char(code, f),
        },
    }
}

fn write_char(code: KeyCode, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if let KeyCode::Char(char) = code { write!(f, "{char}") } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for (name, shown) in [
            ("ctrl+shift+a", Some("shift+ctrl+a")),
            ("CTRL+PageUp", Some("ctrl+pageUp")),
            ("ctrl++", Some("ctrl++")),
            ("+", Some("+")),
            ("A", Some("a")),
            ("esc", Some("escape")),
            ("alt+return", Some("alt+enter")),
            ("super+f12", Some("super+f12")),
            ("space", Some("space")),
            ("shift+alt+ctrl+]", Some("shift+ctrl+alt+]")),
            ("", None),
            ("ctrl+", None),
            ("f13", None),
            ("f0", None),
            ("f+1", None),
            ("f01", None),
            ("é", None),
            ("\"", None),
            (" ", None),
            ("hyper+a", None),
            ("ctrl+ctrl", None),
            ("pageup down", None),
        ] {
            assert_eq!(name.parse::<Key>().ok().map(|key| key.to_string()).as_deref(), shown, "{name:?}");
        }
    }

    #[test]
    fn macs_have_option() {
        let key = "ctrl+alt+]".parse().unwrap();
        assert_eq!(shown(key, true).to_string(), "ctrl+option+]");
        assert_eq!(shown(key, false).to_string(), "ctrl+alt+]");
    }
}
