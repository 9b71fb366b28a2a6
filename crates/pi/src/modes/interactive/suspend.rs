//! To the background and back.

use super::app::App;

/// Gives the terminal back to the shell and stops; goes on when the shell says so.
pub(super) fn suspend(app: &mut App) {
    if app.surface.suspend(app.transcript.document_mut()).is_err() {
        app.leaving = Some(129);
    }
}
