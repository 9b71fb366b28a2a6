//! What extensions draw: widgets, header, footer, the editor, components in its place and over everything. And the input
//! that goes to them first.
//!
//! A frame never waits for an extension. What an extension draws stands in a slot (`extension_slots/`), which keeps the rows
//! that came last; after a frame, `asking` asks the views whose rows are stale, beside the loop, and the next frame shows
//! what came.
//!
//! | Module | What is in it |
//! |---|---|
//! | `asking` | asking views for new rows |
//! | `overlays`, `layout` | views over the rest; where they lie |
//! | `panel` | a view in the editor's place for a while |
//! | `editor` | a view as the editor |
//! | `header` | a view as the first thing of the conversation |
//! | `typed`, `hooks` | what is typed: who gets it first |
//! | `working` | the row that tells that something goes on |
//! | `loan` | the terminal, for programs that extensions run |
//! | `screen` | what extensions tell the screen |
//!
//! Nothing here knows that extensions are scripts, and no escape sequence is written here.

mod asking;
mod editor;
mod hooks;
mod layout;
mod loan;
mod overlays;
mod panel;
mod screen;
mod typed;
mod working;

use std::sync::Arc;

use pi_coding_agent::extension::{View, ViewPlace};

use super::app::App;
use super::chat::NoteKind;
use super::extension_slots::{Content, ExtensionScreen, Place, Slot, short_name};
use super::header;

pub(super) use asking::ask;
pub(super) use editor::rows as editor_rows;
pub(super) use overlays::shown as overlays;
pub(super) use panel::show;
pub(super) use typed::handle as takes;
pub(super) use working::rows as activity_rows;

/// All views on the screen.
fn slots(app: &App) -> Vec<Slot> {
    let screen = &app.extensions;
    let mut slots: Vec<Slot> = screen.places().flat_map(Place::slots).cloned().collect();
    slots.extend(screen.overlays.slots().cloned());
    slots.extend(app.panels.iter().filter_map(|open| open.panel.slot()));
    slots
}

/// A view looks otherwise.
fn mark(app: &App, view: &Arc<dyn View>) {
    slots(app).iter().filter(|slot| slot.is_of(view)).for_each(Slot::mark);
}

/// Tells a view something. One that panics is taken off the screen, and a line says so: nobody knows what is left of it, and
/// it may have had the keyboard. Says whether it is still there.
fn tell(app: &mut App, slot: &Slot, call: impl FnOnce(&dyn View)) -> bool {
    let Err(panic) = slot.tell(call) else { return true };
    let why = panic.text().map_or_else(String::new, |text| format!(": {text}"));
    app.note(NoteKind::Error, format!("{} was taken off the screen: it panicked{why}", slot.owner()));
    app.panels.retain(|open| !open.panel.slot().is_some_and(|shown| shown.is_same(slot)));
    let (was_header, was_editor) = (app.extensions.header.place.shows(slot), app.extensions.editor.place.shows(slot));
    app.extensions.remove(slot);
    if was_header {
        header::changed(app);
    }
    if was_editor {
        editor::changed(app);
    }
    false
}

/// Puts something in a place.
fn put(app: &mut App, owner: &str, place: &ViewPlace, content: Option<Content>) {
    let is_new = content.is_some();
    app.extensions.put(owner, place, content);
    match place {
        ViewPlace::Header => header::changed(app),
        ViewPlace::Editor => editor::changed(app),
        ViewPlace::Widget(..) | ViewPlace::Footer => {}
    }
    let hidden = app.extensions.place(place).hidden().next();
    let hidden = hidden.map(|(hidden, shown)| (short_name(hidden).to_owned(), short_name(shown).to_owned()));
    if let Some((hidden, shown)) = hidden.filter(|_| is_new) {
        let what = match place {
            ViewPlace::Widget(key, _) => format!("widget \"{key}\""),
            ViewPlace::Header => "header".to_owned(),
            ViewPlace::Footer => "footer".to_owned(),
            ViewPlace::Editor => "editor".to_owned(),
        };
        app.note(NoteKind::Warning, format!("The {what} of {hidden} is hidden by that of {shown}"));
    }
}

/// The extensions are gone that put things there.
pub(super) fn reset(app: &mut App) {
    let mirror = app.extensions.mirror.clone();
    let (look, header) = (app.extensions.look, std::mem::take(&mut app.extensions.header));
    app.extensions = ExtensionScreen { look, ..ExtensionScreen::new(mirror) };
    header::restore(app, &header);
    app.footer.statuses.clear();
    app.shared.set_thinking_label(None);
    app.prompt.set_marks(Vec::new());
    app.panels.retain(|open| !matches!(open.question, Some(super::panel::Question::Extension(_))));
}
