//! Something that is shown instead of everything else, on the alternate screen. The conversation goes on beneath.

use pi_tui::input::Input;

use super::app::App;
use crate::common::freed_memory;

/// What is shown.
pub(super) trait FullScreen {
    /// Draws itself into the window.
    fn draw(&mut self, app: &mut App);

    /// Something was typed; whether it stays.
    fn input(&mut self, app: &mut App, input: &Input) -> bool;

    /// Goes down by so many rows; up where they are negative.
    fn scroll(&mut self, app: &App, rows: isize);

    /// There is more in the session.
    fn grown(&mut self);
}

/// Shows it.
pub(super) fn open(app: &mut App, view: impl FullScreen + 'static) {
    app.full_screen = Some(Box::new(view));
    app.surface.enter_window();
}

/// Goes back to the conversation.
pub(super) fn close(app: &mut App) {
    if app.full_screen.take().is_some() {
        app.surface.leave_window();
        freed_memory::return_soon();
    }
}

/// Draws what is shown.
pub(super) fn draw(app: &mut App) {
    let Some(mut view) = app.full_screen.take() else { return };
    view.draw(app);
    app.full_screen = Some(view);
}

/// Gives it what was typed.
pub(super) fn input(app: &mut App, input: &Input) {
    let Some(mut view) = app.full_screen.take() else { return };
    let stays = view.input(app, input);
    app.full_screen = Some(view);
    if !stays {
        close(app);
    }
}

/// The wheel was turned.
pub(super) fn scroll(app: &mut App, rows: isize) {
    let Some(mut view) = app.full_screen.take() else { return };
    view.scroll(app, rows);
    app.full_screen = Some(view);
}

/// There is more in the session.
pub(super) fn grown(app: &mut App) {
    if let Some(view) = &mut app.full_screen {
        view.grown();
    }
}
