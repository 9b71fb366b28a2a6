//! What extensions have put on the screen, and the views that draw it with their last rows.
//!
//! | Module | What is in it |
//! |---|---|
//! | `slot` | a view with its last rows |
//! | `places` | who stands in a place, and whom that hides |
//! | `overlays` | views over the rest |
//! | `typed` | who looks at what is typed: hooks, keys, completions |
//! | `state` | what is remembered of the header, the editor and the working row |
//! | `mirror` | what extensions read of the screen without waiting |
//!
//! Data alone: nothing here knows the app. What happens to it stands in `extension_ui/`, `shortcuts` and `mirror`.

mod mirror;
mod overlays;
mod places;
mod slot;
mod state;
mod typed;

use std::collections::{BTreeMap, BTreeSet};

use pi_coding_agent::extension::{ViewPlace, WidgetPlacement, WindowSize};
use pi_tui::text::Row;

pub(super) use mirror::Mirror;
pub(super) use overlays::{Overlay, Overlays};
pub(super) use places::{Content, Place};
pub(super) use slot::{Slot, short_name};
pub(super) use state::{EditorPlace, Header, Working};
pub(super) use typed::{Bound, Hook, Hooks, Shortcuts, Sources};

/// What extensions put on the screen.
#[derive(Debug, Default)]
pub(in crate::modes::interactive) struct ExtensionScreen {
    pub(in crate::modes::interactive) above: BTreeMap<String, Place>,
    pub(in crate::modes::interactive) below: BTreeMap<String, Place>,
    pub(in crate::modes::interactive) header: Header,
    pub(in crate::modes::interactive) footer: Place,
    pub(in crate::modes::interactive) editor: EditorPlace,
    pub(in crate::modes::interactive) overlays: Overlays,
    pub(in crate::modes::interactive) hooks: Hooks,
    pub(in crate::modes::interactive) shortcuts: Shortcuts,
    pub(in crate::modes::interactive) completion: Sources,
    pub(in crate::modes::interactive) working: Working,
    /// Files of extensions that could not be loaded, and why.
    pub(in crate::modes::interactive) failed_loads: Vec<(String, String)>,
    /// Extensions of which it was said that they cannot transform Markdown.
    pub(in crate::modes::interactive) failed_transformers: BTreeSet<String>,
    /// The title that an extension gave the window.
    pub(in crate::modes::interactive) title: Option<String>,
    pub(in crate::modes::interactive) mirror: Mirror,
    /// The version of the look for which views were drawn.
    pub(in crate::modes::interactive) look: u64,
}

impl ExtensionScreen {
    pub(in crate::modes::interactive) fn new(mirror: Mirror) -> Self {
        Self { mirror, ..Self::default() }
    }

    /// The rows above the editor.
    pub(in crate::modes::interactive) fn above(&self, columns: u16, window: WindowSize) -> Vec<Row> {
        rows(&self.above, columns, window)
    }

    /// Those below it.
    pub(in crate::modes::interactive) fn below(&self, columns: u16, window: WindowSize) -> Vec<Row> {
        rows(&self.below, columns, window)
    }

    /// What an extension draws in the footer's place.
    pub(in crate::modes::interactive) fn footer(&self, columns: u16, window: WindowSize) -> Option<Vec<Row>> {
        let slot = self.footer.slot()?;
        let rows = slot.rows(columns, window).rows;
        slot.has_rows().then_some(rows)
    }

    /// The place that is meant; one of a widget is made if need be.
    pub(in crate::modes::interactive) fn place(&mut self, place: &ViewPlace) -> &mut Place {
        match place {
            ViewPlace::Widget(key, WidgetPlacement::AboveEditor) => self.above.entry(key.clone()).or_default(),
            ViewPlace::Widget(key, WidgetPlacement::BelowEditor) => self.below.entry(key.clone()).or_default(),
            ViewPlace::Header => &mut self.header.place,
            ViewPlace::Footer => &mut self.footer,
            ViewPlace::Editor => &mut self.editor.place,
        }
    }

    pub(in crate::modes::interactive) fn put(&mut self, owner: &str, place: &ViewPlace, content: Option<Content>) {
        if let ViewPlace::Widget(key, _) = place {
            // It may have stood on the other side.
            for side in [&mut self.above, &mut self.below] {
                if let Some(place) = side.get_mut(key) {
                    place.put(owner, None);
                }
            }
        }
        self.place(place).put(owner, content);
        self.above.retain(|_, place| !place.is_empty());
        self.below.retain(|_, place| !place.is_empty());
    }

    /// Takes a view away, wherever it stands.
    pub(in crate::modes::interactive) fn remove(&mut self, slot: &Slot) {
        for side in [&mut self.above, &mut self.below] {
            side.retain(|_, place| !place.remove(slot) || !place.is_empty());
        }
        for place in [&mut self.header.place, &mut self.footer, &mut self.editor.place] {
            place.remove(slot);
        }
        self.overlays.0.retain(|overlay| !overlay.slot.is_same(slot));
    }

    /// Takes an overlay away that its extension has closed.
    pub(in crate::modes::interactive) fn close_overlay(&mut self, id: u64) {
        self.overlays.remove(id);
    }

    /// All places with the extensions that stand there; the last of each is shown.
    pub(in crate::modes::interactive) fn holders(&self) -> Vec<(String, Vec<&str>)> {
        let widgets = self.above.iter().chain(&self.below).map(|(key, place)| (format!("widget \"{key}\""), place));
        let others = [("header", &self.header.place), ("footer", &self.footer), ("editor", &self.editor.place)];
        let others = others.into_iter().map(|(name, place)| (name.to_owned(), place));
        widgets.chain(others).map(|(name, place)| (name, place.owners().collect())).collect()
    }

    pub(in crate::modes::interactive) fn places(&self) -> impl Iterator<Item = &Place> {
        let widgets = self.above.values().chain(self.below.values());
        widgets.chain([&self.header.place, &self.footer, &self.editor.place])
    }
}

fn rows(places: &BTreeMap<String, Place>, columns: u16, window: WindowSize) -> Vec<Row> {
    places.values().filter_map(Place::shown).flat_map(|content| content.rows(columns, window)).collect()
}
