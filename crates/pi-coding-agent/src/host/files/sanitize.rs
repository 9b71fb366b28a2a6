//! Text of whatever origin, made harmless for terminals.

use std::borrow::Cow;
use std::path::Path;

/// Text in which every control character has become a visible one; line ends and tabs stay.
pub fn plain(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_control) {
        return text.into();
    }
    text.chars().map(|character| if is_control(character) { visible(character) } else { character }).collect()
}

/// A path for people, on one line: a name may hold anything but a slash.
pub fn plain_path(path: &Path) -> String {
    let breaks = |character: char| character.is_control() || is_control(character);
    let text = path.to_string_lossy();
    text.chars().map(|character| if breaks(character) { visible(character) } else { character }).collect()
}

fn visible(character: char) -> char {
    match character {
        // The control pictures stand in the order of the control characters.
        '\0'..='\x1f' => char::from_u32(0x2400 + u32::from(character)).unwrap_or('\u{fffd}'),
        '\x7f' => '\u{2421}',
        _ => '\u{fffd}',
    }
}

/// Control characters, and those that turn the direction of writing around.
pub fn is_control(character: char) -> bool {
    (character.is_control() && !matches!(character, '\n' | '\t'))
        || matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_become_visible() {
        for (text, expected) in [
            ("a\tb\nc", "a\tb\nc"),
            ("\x1b[31mred\x07\r\x7f", "\u{241b}[31mred\u{2407}\u{240d}\u{2421}"),
            ("\u{9b}31m \u{202e}abc", "\u{fffd}31m \u{fffd}abc"),
            ("ünï \u{1f600}", "ünï \u{1f600}"),
        ] {
            assert_eq!(plain(text), expected);
        }
        assert_eq!(plain_path(Path::new("/a\n\tb\x1b[2J")), "/a\u{240a}\u{2409}b\u{241b}[2J");
    }
}
