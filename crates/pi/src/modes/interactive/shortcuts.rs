//! Keys of extensions. They go before the program's own, but for those that it cannot do without.

use pi_coding_agent::extension::{ExtensionContext, Shortcut};
use pi_tui::input::{Input, Key};
use pi_tui::keymap::{Action, Keymap, action};

use super::app::App;
use super::chat::NoteKind;
use super::extension_slots::{Bound, Shortcuts};
use super::keys;

/// Actions whose keys no extension gets.
const RESERVED: [Action; 17] = [
    keys::INTERRUPT,
    keys::CLEAR,
    keys::EXIT,
    keys::SUSPEND,
    keys::THINKING_CYCLE,
    keys::MODEL_CYCLE_FORWARD,
    keys::MODEL_CYCLE_BACKWARD,
    keys::MODEL_SELECT,
    keys::TOOLS_EXPAND,
    keys::THINKING_TOGGLE,
    keys::EDITOR_EXTERNAL,
    keys::MESSAGE_FOLLOW_UP,
    action::INPUT_SUBMIT,
    action::SELECT_CONFIRM,
    action::SELECT_CANCEL,
    action::INPUT_COPY,
    action::EDITOR_DELETE_TO_LINE_END,
];

/// Finds the keys of the extensions as they are now, and says which of them collide.
pub(super) fn find(app: &mut App) {
    let runner = app.session.extensions().runner();
    let all = runner.extensions().iter().flat_map(|extension| {
        let owner = extension.name().to_owned();
        extension.shortcuts().into_iter().map(move |shortcut| (owner.clone(), shortcut))
    });
    let (bound, problems) = bind(&app.keys, all);
    app.extensions.shortcuts = Shortcuts(bound);
    for problem in problems {
        app.note(NoteKind::Warning, problem);
    }
}

/// Which keys run what, and what to say about it.
fn bind(keymap: &Keymap, all: impl Iterator<Item = (String, Shortcut)>) -> (Vec<Bound>, Vec<String>) {
    let (mut bound, mut problems): (Vec<Bound>, Vec<String>) = (Vec::new(), Vec::new());
    for (owner, shortcut) in all {
        let name = shortcut.key.clone();
        let Ok(key) = name.parse::<Key>() else {
            problems.push(format!("Extension shortcut '{name}' from {owner} names no key"));
            continue;
        };
        if RESERVED.iter().any(|action| keymap.keys_of(*action).contains(&key)) {
            problems
                .push(format!("Extension shortcut '{name}' from {owner} conflicts with built-in shortcut. Skipping."));
            continue;
        }
        if let Some((spec, _)) = keymap.all().find(|(_, keys)| keys.contains(&key)) {
            let action = spec.action.0;
            problems.push(format!(
                "Extension shortcut conflict: '{name}' is built-in shortcut for {action} and {owner}. Using {owner}."
            ));
        }
        if let Some(at) = bound.iter().position(|other| other.key == key) {
            let other = bound.remove(at).owner;
            problems.push(format!(
                "Extension shortcut conflict: '{name}' registered by both {other} and {owner}. Using {owner}."
            ));
        }
        bound.push(Bound { key, owner, shortcut });
    }
    (bound, problems)
}

/// Runs what the key runs, if there is something.
pub(super) fn press(app: &mut App, input: &Input) -> bool {
    let Input::Key(event) = input else { return false };
    let Some(bound) = app.extensions.shortcuts.0.iter().find(|bound| event.matches(bound.key)) else { return false };
    let context = ExtensionContext::new(std::sync::Arc::clone(app.session.extensions().runner().runtime()));
    let handler = std::sync::Arc::clone(&bound.shortcut.handler);
    let work = tokio::spawn(async move { handler(context).await });
    app.spawn(work, |app, outcome| {
        if let Err(error) = super::jobs::flat(outcome) {
            app.error(format!("Shortcut handler error: {error}"));
        }
    });
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_gets_a_key() {
        let keymap = Keymap::new(&[action::TABLE, keys::ACTIONS]);
        let shortcut = |key: &str| Shortcut::new(key, |_| async { Ok(()) });
        let all = [
            ("one", "ctrl+c"),
            ("one", "alt+x"),
            ("two", "ALT+X"),
            ("two", "nonsense"),
            ("two", "ctrl+w"),
            ("two", "f5"),
        ];
        let all = all.map(|(owner, key)| (owner.to_owned(), shortcut(key)));
        let (bound, problems) = bind(&keymap, all.into_iter());
        let bound: Vec<_> = bound.iter().map(|bound| (bound.key.to_string(), bound.owner.as_str())).collect();
        assert_eq!(
            bound,
            [("alt+x", "two"), ("ctrl+w", "two"), ("f5", "two")].map(|(key, owner)| (key.to_owned(), owner))
        );
        assert_eq!(
            problems,
            [
                "Extension shortcut 'ctrl+c' from one conflicts with built-in shortcut. Skipping.",
                "Extension shortcut conflict: 'ALT+X' registered by both one and two. Using two.",
                "Extension shortcut 'nonsense' from two names no key",
                "Extension shortcut conflict: 'ctrl+w' is built-in shortcut for tui.editor.deleteWordBackward and two. Using two.",
            ]
        );
    }
}
