//! A view in the place of what the program says first. It is a block of the conversation: what the terminal has got of it stays.

use std::rc::Rc;

use pi_tui::document::BlockId;
use pi_tui::text::Row;

use super::app::App;
use super::chat::{Body, ChatBlock, Picture};
use super::extension_slots::{Header, Slot};
use super::program_header;
use super::shared::Shared;

/// A view's rows as a block.
struct Drawn(Slot);

impl Picture for Drawn {
    fn rows(&self, shared: &Shared, columns: u16) -> Vec<Row> {
        self.0.rows(columns, shared.window()).rows
    }
}

/// The program's own header was pushed.
pub(super) fn pushed(app: &mut App, block: BlockId) {
    app.extensions.header.block = Some(block);
}

/// The conversation begins again: so does what stands first in it.
pub(super) fn cleared(app: &mut App) {
    app.extensions.header.block = None;
    let slot = app.extensions.header.place.slot().cloned();
    show(app, slot);
}

/// Another view stands there, or none.
pub(super) fn changed(app: &mut App) {
    match app.extensions.header.place.slot() {
        // It is shown when its first rows have come.
        Some(slot) => slot.mark(),
        None => show(app, None),
    }
}

/// The view is wanted in every frame, whether its block is still ours or not there yet.
pub(super) fn want(app: &App) {
    let window = app.shared.window();
    if let Some(slot) = app.extensions.header.place.slot() {
        slot.want(window.columns, window);
    }
}

/// A view has answered: if it is the header's, that is shown.
pub(super) fn drawn(app: &mut App, slot: &Slot) {
    if app.extensions.header.place.shows(slot) {
        let slot = slot.clone();
        show(app, Some(slot));
    }
}

fn show(app: &mut App, slot: Option<Slot>) {
    let body = match slot {
        Some(slot) => Body::Fixed(Box::new(Drawn(slot))),
        None if program_header::is_quiet(app) => return,
        None => Body::Fixed(Box::new(program_header::header(app))),
    };
    let shared = Rc::clone(&app.shared);
    let document = app.transcript.document_mut();
    let ours = app.extensions.header.block.filter(|block| document.get(*block).is_some());
    if let Some(block) = ours.and_then(|block| document.get_mut(block)) {
        *block.body_mut() = body;
    } else if app.extensions.header.block.is_none() {
        let first = document.iter_mut().next().map(|(id, _)| id);
        let block = ChatBlock::new(body, &shared);
        let id = match first {
            Some(first) => document.insert(first, block),
            None => document.push(block),
        };
        app.extensions.header.block = Some(id);
    }
}

/// After the extensions are gone: the program's own header where a view was, if that is still ours.
pub(super) fn restore(app: &mut App, header: &Header) {
    app.extensions.header.block = header.block;
    if !header.place.is_empty() {
        show(app, None);
    }
}
