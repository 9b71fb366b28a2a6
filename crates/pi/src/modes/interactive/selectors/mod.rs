//! Lists to choose from, in the editor's place.

mod fork;
mod login;
mod search_list;
mod sessions;
mod trust;

pub(super) use fork::fork;
pub(super) use login::{login, logout, refused};
pub(super) use sessions::{LOOK_MS, Outcome, Picker, Source, sessions};
pub(super) use trust::trust;

use super::app::App;
use super::chat::NoteKind;

fn missing(app: &mut App, what: &str) {
    app.note(NoteKind::Warning, format!("{what} is not there yet"));
}

pub(super) fn settings(app: &mut App) {
    missing(app, "/settings");
}
pub(super) fn model(app: &mut App, _search: &str) {
    missing(app, "/model");
}
pub(super) fn scoped_models(app: &mut App) {
    missing(app, "/scoped-models");
}
