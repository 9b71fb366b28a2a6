//! Views that are drawn over the rest of the window, and which of them gets what is typed.

use std::sync::Arc;

use pi_coding_agent::extension::{OverlayChange, OverlayOptions, View};
use tokio::sync::oneshot;

use super::super::app::App;
use super::super::extension_slots::{Overlay, Slot};
use super::super::surface::Overlaid;
use super::layout;

/// Shows a view over the rest.
pub(super) fn open(app: &mut App, id: u64, slot: Slot, options: OverlayOptions, closed: oneshot::Sender<()>) {
    let has_focus = !options.non_capturing;
    let panels = app.panels.len();
    app.extensions.overlays.0.push(Overlay { id, slot, options, is_hidden: false, has_focus, panels, _closed: closed });
}

/// Something becomes of an overlay.
pub(super) fn change(app: &mut App, view: &Arc<dyn View>, change: OverlayChange) {
    let panels = app.panels.len();
    let overlays = &mut app.extensions.overlays.0;
    let Some(at) = overlays.iter().position(|overlay| overlay.slot.is_of(view)) else { return };
    match change {
        OverlayChange::Hide => overlays[at].is_hidden = true,
        OverlayChange::Show => overlays[at].is_hidden = false,
        OverlayChange::Unfocus => overlays[at].has_focus = false,
        OverlayChange::Focus => {
            let mut overlay = overlays.remove(at);
            (overlay.has_focus, overlay.panels) = (true, panels);
            overlays.push(overlay);
        }
    }
}

/// The overlays of a frame, and the caret of the one that gets what is typed.
pub(in crate::modes::interactive) fn shown(app: &App) -> Vec<Overlaid> {
    let window = app.shared.window();
    let overlays = &app.extensions.overlays;
    let focused = overlays.focused(app.panels.len());
    let visible = overlays.0.iter().filter(|overlay| !overlay.is_hidden);
    let drawn = visible.filter_map(|overlay| {
        let Overlay { slot, options, .. } = overlay;
        let wide = layout::width(options, window);
        let mut drawn = slot.rows(wide, window);
        if drawn.rows.is_empty() {
            return None;
        }
        let high = layout::height(options, drawn.rows.len(), window);
        drawn.rows.truncate(usize::from(high));
        let (row, column) = layout::place(options, wide, high, window);
        let has_focus = focused.is_some_and(|focused| focused.is_same(slot));
        Some(Overlaid { row, column, wide, rows: drawn.rows, caret: drawn.caret.filter(|_| has_focus) })
    });
    drawn.collect()
}
