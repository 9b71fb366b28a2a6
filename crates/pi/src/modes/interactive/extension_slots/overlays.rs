//! Views that are drawn over the rest of the window, from the lowest to the highest.

use pi_coding_agent::extension::OverlayOptions;
use tokio::sync::oneshot;

use super::slot::Slot;

/// An overlay.
#[derive(Debug)]
pub(in crate::modes::interactive) struct Overlay {
    /// The number of the request.
    pub(in crate::modes::interactive) id: u64,
    pub(in crate::modes::interactive) slot: Slot,
    pub(in crate::modes::interactive) options: OverlayOptions,
    pub(in crate::modes::interactive) is_hidden: bool,
    pub(in crate::modes::interactive) has_focus: bool,
    /// How many panels there were when it came to the top: what is typed belongs to those that came later.
    pub(in crate::modes::interactive) panels: usize,
    /// Dropped when the overlay goes.
    pub(in crate::modes::interactive) _closed: oneshot::Sender<()>,
}

/// Overlays, from the lowest to the highest.
#[derive(Debug, Default)]
pub(in crate::modes::interactive) struct Overlays(pub(in crate::modes::interactive) Vec<Overlay>);

impl Overlays {
    pub(in crate::modes::interactive) fn slots(&self) -> impl Iterator<Item = &Slot> {
        self.0.iter().map(|overlay| &overlay.slot)
    }

    pub(in crate::modes::interactive) fn remove(&mut self, id: u64) {
        self.0.retain(|overlay| overlay.id != id);
    }

    /// The one that gets what is typed while there are so many panels.
    pub(in crate::modes::interactive) fn focused(&self, panels: usize) -> Option<&Slot> {
        let takes = |overlay: &&Overlay| {
            overlay.has_focus && !overlay.is_hidden && overlay.slot.is_shown() && overlay.panels >= panels
        };
        self.0.iter().rev().find(takes).map(|overlay| &overlay.slot)
    }
}
