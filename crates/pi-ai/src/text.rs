//! Small questions about text, answered as JavaScript answers them.

/// Whether nothing is left after trimming.
pub(crate) fn is_blank(text: &str) -> bool {
    text.chars().all(is_space)
}

/// The text without white space at its ends.
pub(crate) fn trim(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// What JavaScript's `trim` removes: Unicode white space and the byte order mark, but not U+0085.
fn is_space(character: char) -> bool {
    match character {
        '\u{feff}' => true,
        '\u{85}' => false,
        other => other.is_whitespace(),
    }
}
