//! Lists to choose from, in the editor's place.

mod fork;
mod models;
mod settings;
mod trying;

pub(super) use fork::fork;
pub(super) use models::{model, rank_models, scoped_models};
pub(super) use settings::settings;

use super::app::App;
use super::chat::NoteKind;

fn missing(app: &mut App, what: &str) {
    app.note(NoteKind::Warning, format!("{what} is not there yet"));
}

pub(super) fn trust(app: &mut App) {
    missing(app, "/trust");
}
pub(super) fn login(app: &mut App, _provider: &str) {
    missing(app, "/login");
}
pub(super) fn logout(app: &mut App, _provider: &str) {
    missing(app, "/logout");
}
pub(super) fn sessions(app: &mut App) {
    missing(app, "/resume");
}
