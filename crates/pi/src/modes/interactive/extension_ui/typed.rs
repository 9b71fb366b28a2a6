//! What is typed, before it reaches the program: hooks of extensions, overlays, releases of keys for those that want them,
//! shortcuts, and an editor of an extension.

use pi_tui::input::{Input, KeyKind};

use super::super::app::App;
use super::super::extension_slots::Slot;
use super::super::shortcuts;
use super::{editor, hooks, tell};

/// Takes an input if it is for an extension.
pub(in crate::modes::interactive) fn handle(app: &mut App, input: &Input) -> bool {
    if matches!(input, Input::Reply(_) | Input::Focus(_)) {
        return false;
    }
    hooks::take(app, input) || for_views(app, input)
}

/// The same after the hooks.
pub(super) fn for_views(app: &mut App, input: &Input) -> bool {
    let is_release = matches!(input, Input::Key(event) if event.kind == KeyKind::Release);
    if let Some(slot) = app.extensions.overlays.focused(app.panels.len()).cloned() {
        type_in(app, &slot, input);
        return true;
    }
    if let Some(open) = app.panels.last() {
        // The program's own panels know no releases; those of extensions get them here.
        let Some(slot) = open.panel.slot().filter(|_| is_release) else { return false };
        type_in(app, &slot, input);
        return true;
    }
    (!is_release && shortcuts::press(app, input)) || editor::takes(app, input)
}

/// Tells a view what was typed.
pub(super) fn type_in(app: &mut App, slot: &Slot, input: &Input) {
    if let Some(raw) = raw(input) {
        tell(app, slot, |view| view.input(&raw));
    }
}

/// What the terminal sent.
pub(super) fn raw(input: &Input) -> Option<String> {
    match input {
        Input::Key(event) => Some(String::from_utf8_lossy(&event.raw).into_owned()),
        Input::Paste(text) => Some(format!("\x1b[200~{text}\x1b[201~")),
        Input::Mouse(event) => Some(String::from_utf8_lossy(&event.raw).into_owned()),
        Input::Focus(_) | Input::Reply(_) => None,
    }
}
