//! Commands that tell about the program.

use pi_tui::keymap::ActionSpec;

use super::super::app::App;
use super::super::chat::{KeyTable, NoteKind};
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
    let table = |specs: Vec<&ActionSpec>| {
        let all = specs.into_iter().map(|spec| (app.key(spec.action), spec.description.to_owned()));
        all.filter(|(key, _)| !key.is_empty()).collect::<Vec<_>>()
    };
    let mut groups: Vec<_> = groups.into_iter().map(|(title, specs)| (title.to_owned(), table(specs))).collect();
    let shortcuts = app.extensions.shortcuts.listed();
    if !shortcuts.is_empty() {
        groups.push(("Extensions".to_owned(), shortcuts));
    }
    let typed = [("/", "Commands"), ("!", "Run a command; !! keeps it from the model")];
    groups.push(("Typed first".to_owned(), typed.map(|(key, text)| (key.to_owned(), text.to_owned())).into()));
    app.transcript.push_picture(KeyTable { title: "Keys".to_owned(), groups });
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
        Some(text) => app.transcript.push_markdown(&whats_new::joined(&whats_new::newest_last(&text))),
        None => app.note(NoteKind::Warning, "This program was built without the history of its versions"),
    }
}
