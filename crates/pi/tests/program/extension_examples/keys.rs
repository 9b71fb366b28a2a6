//! The bytes of keys, as terminals of all kinds send them.

/// What a key of this name sends. A name of one character is that character.
pub(crate) fn sequence(name: &str) -> String {
    let named = match name {
        "enter" => "\r",
        "escape" => "\x1b",
        "space" => " ",
        "tab" => "\t",
        "shift+tab" => "\x1b[Z",
        "backspace" => "\x7f",
        "up" => "\x1b[A",
        "down" => "\x1b[B",
        "right" => "\x1b[C",
        "left" => "\x1b[D",
        _ => "",
    };
    if !named.is_empty() {
        return named.to_owned();
    }
    let mut characters = name.chars();
    match (characters.next_back(), name.rsplit_once('+').map_or("", |(modifiers, _)| modifiers)) {
        (Some(key), "") if name.chars().count() == 1 => key.to_string(),
        (Some(key), "ctrl") => char::from(u8::try_from(key).unwrap() & 0x1f).to_string(),
        // Terminals without the keyboard protocol have no such keys.
        (Some(key), "ctrl+shift") => format!("\x1b[{};6u", u32::from(key)),
        (Some(key), "ctrl+alt") => format!("\x1b[{};7u", u32::from(key)),
        _ => panic!("no key is named {name}"),
    }
}
