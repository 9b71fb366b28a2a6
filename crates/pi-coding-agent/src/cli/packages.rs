//! The commands about packages, which this version does not have: they are refused by name, for they must not be sent to
//! a model as messages.

use super::diagnostics::complain;

/// Commands of the reference.
pub(super) const NAMES: &[&str] = &["install", "remove", "uninstall", "update", "list", "config"];

/// Says that there is no such command yet. Returns the exit code.
pub(super) fn refuse(name: &str) -> u8 {
    let instead = match name {
        "update" => "To update pi itself, install the new version in the place of this one",
        "config" => "To switch resources on and off, edit settings.json (docs/settings.md)",
        _ => "Skills, prompt templates and themes can be listed by path in settings.json (docs/settings.md)",
    };
    complain(&format!(
        "Error: pi {name} is not available in this version, which has no packages. {instead}. To send a message that begins with this word: pi -p \"{name} …\""
    ));
    1
}
