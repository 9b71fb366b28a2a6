//! Texts as a shell takes them.

/// A text as one word of a shell command.
pub(crate) fn quoted(text: &str) -> String {
    let harmless = |character: char| character.is_alphanumeric() || "/._-+=:,@%".contains(character);
    if !text.is_empty() && text.chars().all(harmless) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}
