//! A view in the editor's place for a while: it gets everything that is typed, until its extension closes it.

use std::sync::Arc;

use pi_coding_agent::extension::{OverlayOptions, View, WindowSize};
use pi_tui::input::Input;
use pi_tui::keymap::Keymap;
use tokio::sync::oneshot;

use super::super::app::App;
use super::super::extension_slots::Slot;
use super::super::panel::{Panel, PanelReply, PanelRows, Question};
use super::super::theme_styles::ThemeStyles;
use super::overlays;
use super::typed::type_in;

struct ViewPanel {
    slot: Slot,
    /// Dropped when the panel goes.
    _closed: oneshot::Sender<()>,
}

/// Shows a view in the editor's place or over everything.
pub(in crate::modes::interactive) fn show(
    app: &mut App,
    id: u64,
    owner: &str,
    view: Arc<dyn View>,
    overlay: Option<OverlayOptions>,
    closed: oneshot::Sender<()>,
) {
    let slot = Slot::new(owner, view);
    match overlay {
        Some(options) => overlays::open(app, id, slot, options, closed),
        None => {
            app.open(ViewPanel { slot, _closed: closed });
            app.asked(Question::Extension(id));
        }
    }
}

impl Panel for ViewPanel {
    fn rows(&mut self, _look: &ThemeStyles, _keys: &Keymap, columns: u16, height: u16) -> PanelRows {
        self.slot.rows(columns, WindowSize { columns, rows: height })
    }

    fn input(&mut self, input: &Input, _keys: &Keymap) -> PanelReply {
        let (slot, input) = (self.slot.clone(), input.clone());
        PanelReply::act(move |app| type_in(app, &slot, &input))
    }

    fn slot(&self) -> Option<Slot> {
        Some(self.slot.clone())
    }
}
