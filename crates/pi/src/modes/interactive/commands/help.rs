//! Commands that tell about the program.

use pi_tui::keymap::ActionSpec;

use super::super::app::App;
use super::super::chat::NoteKind;
use super::super::{keys, whats_new};

/// `/hotkeys`
pub(super) fn hotkeys(app: &mut App) {
    let groups: [(&str, Vec<&ActionSpec>); 3] = [
        (
            "Navigation",
            of(pi_tui::keymap::action::TABLE, |id| id.contains("cursor") || id.contains("page") || id.contains("jump")),
        ),
        (
            "Editing",
            of(pi_tui::keymap::action::TABLE, |id| {
                !(id.contains("cursor") || id.contains("page") || id.contains("jump"))
            }),
        ),
        ("Other", of_app()),
    ];
    let mut lines = Vec::new();
    for (title, actions) in groups {
        lines.push(format!("{title}:"));
        for spec in actions {
            let key = app.key(spec.action);
            if !key.is_empty() {
                lines.push(format!("  {key:<28} {}", spec.description));
            }
        }
        lines.push(String::new());
    }
    let shortcuts = app.extensions.shortcuts.listed();
    if !shortcuts.is_empty() {
        lines.push("Extensions:".to_owned());
        lines.extend(shortcuts.into_iter().map(|(key, text)| format!("  {key:<28} {text}")));
        lines.push(String::new());
    }
    lines.extend([
        "  /                            Commands".to_owned(),
        "  !                            Run a command; !! keeps it from the model".to_owned(),
    ]);
    app.show("Keys", lines);
}

/// Those that act anywhere; panels show their own.
fn of_app() -> Vec<&'static ActionSpec> {
    keys::ACTIONS.iter().filter(|spec| spec.scope == keys::APP).collect()
}

fn of(specs: &'static [ActionSpec], is_meant: impl Fn(&str) -> bool) -> Vec<&'static ActionSpec> {
    specs.iter().filter(|spec| is_meant(spec.action.0)).collect()
}

/// `/changelog`
pub(super) fn changelog(app: &mut App) {
    match (app.changelog)() {
        Some(text) => app.transcript.push_markdown(&whats_new::newest_last(&text)),
        None => app.note(NoteKind::Warning, "This program was built without the history of its versions"),
    }
}
