//! An editor of an extension in the place of the program's. The text is in both: whoever changes it tells the other, so that
//! drafts, queues and commands need not know who edits.

use std::sync::Arc;

use pi_coding_agent::extension::{View, WindowSize};
use pi_tui::input::Input;

use super::super::app::App;
use super::super::panel::PanelRows;
use super::tell;
use super::typed::type_in;

/// Another view stands there, or none.
pub(super) fn changed(app: &mut App) {
    app.prompt.close_completion();
    app.extensions.editor.revision = None;
}

/// What the view draws, once it has.
pub(in crate::modes::interactive) fn rows(app: &App, columns: u16, height: u16) -> Option<PanelRows> {
    let slot = app.extensions.editor.place.slot()?;
    let rows = slot.rows(columns, WindowSize { columns, rows: height });
    slot.has_rows().then_some(rows)
}

/// Gives an input to the view, if there is one.
pub(super) fn takes(app: &mut App, input: &Input) -> bool {
    let Some(slot) = app.extensions.editor.place.slot().cloned() else { return false };
    type_in(app, &slot, input);
    true
}

/// The view has this text now.
pub(super) fn edited(app: &mut App, view: &Arc<dyn View>, text: &str) {
    let is_its = app.extensions.editor.place.slot().is_some_and(|slot| slot.is_of(view));
    if is_its && app.prompt.editor.expanded_text() != text {
        app.prompt.set_text(text);
    }
    if is_its {
        text.clone_into(&mut app.extensions.editor.known);
        app.extensions.editor.revision = Some(app.prompt.editor.revision());
    }
}

/// What was sent is not the view's any more: it has forgotten it already.
pub(super) fn sent(app: &mut App) {
    app.extensions.editor.known.clear();
}

/// Tells the view when the program has changed the text.
pub(super) fn follow(app: &mut App) {
    let revision = Some(app.prompt.editor.revision());
    let Some(slot) = app.extensions.editor.place.slot().cloned() else { return };
    if app.extensions.editor.revision == revision {
        return;
    }
    let text = app.prompt.editor.expanded_text();
    if text != app.extensions.editor.known && !tell(app, &slot, |view| view.set_text(&text)) {
        return;
    }
    app.extensions.editor.known = text;
    app.extensions.editor.revision = revision;
}
