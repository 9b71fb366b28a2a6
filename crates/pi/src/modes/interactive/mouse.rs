//! What the mouse does in full screen, where the settings give it to the program: the wheel scrolls, dragging selects and
//! copies, a click in the prompt goes there.

use pi_tui::document::{Place, Selection};
use pi_tui::input::{MouseButton, MouseEvent, MouseKind};

use super::app::App;
use super::{clipboard, full_screen, viewport};

/// Takes what the mouse did; whether the mouse is ours.
pub(super) fn take(app: &mut App, event: &MouseEvent) -> bool {
    let wanted = app.settings().interface().terminal();
    if !app.surface.is_fullscreen() || !wanted.mouse {
        return false;
    }
    app.attention.set_focus(true);
    let step = isize::try_from(wanted.wheel_step).unwrap_or(1);
    match event.kind {
        MouseKind::WheelUp => wheel(app, -step),
        MouseKind::WheelDown => wheel(app, step),
        _ if app.full_screen.is_some() => {}
        MouseKind::Press(MouseButton::Left) => press(app, event),
        MouseKind::Drag(MouseButton::Left) => drag(app, event),
        MouseKind::Release(MouseButton::Left) => release(app),
        _ => {}
    }
    true
}

fn wheel(app: &mut App, rows: isize) {
    if app.full_screen.is_some() {
        full_screen::scroll(app, rows);
    } else {
        viewport::scroll(app, rows);
    }
}

/// The cell of the conversation at a cell of the window.
fn place(app: &App, row: usize, column: u16) -> Option<Place> {
    let (block, row) = *app.viewport.places.get(row)?;
    Some(Place { block, row, column })
}

fn press(app: &mut App, event: &MouseEvent) {
    let row = usize::from(event.row);
    let begun = place(app, row, event.column).map(|anchor| Selection { anchor, head: anchor });
    // A cell that is only clicked is not selected.
    app.viewport.selection = None;
    app.viewport.pressed = begun;
    if let (Some((caret, _)), true) = (app.viewport.caret, row >= app.viewport.area) {
        let rows = isize::try_from(row).unwrap_or_default() - isize::try_from(caret).unwrap_or_default();
        app.prompt.click(rows, event.column);
    }
}

/// At an edge of the conversation the window goes on.
fn drag(app: &mut App, event: &MouseEvent) {
    let Some(begun) = app.viewport.selection.or(app.viewport.pressed).filter(|_| app.viewport.pressed.is_some()) else {
        return;
    };
    let (row, count) = (usize::from(event.row), app.viewport.places.len());
    if row == 0 {
        viewport::scroll(app, -1);
    } else if row >= app.viewport.window() {
        viewport::scroll(app, 1);
    }
    // Below the text is its end.
    let (row, column) = if row < count { (row, event.column) } else { (count.saturating_sub(1), u16::MAX) };
    if let Some(head) = place(app, row, column) {
        app.viewport.selection = Some(Selection { head, ..begun });
    }
}

fn release(app: &mut App) {
    let is_dragging = app.viewport.pressed.take().is_some();
    let Some(selection) = app.viewport.selection.filter(|_| is_dragging) else { return };
    let columns = app.surface.columns();
    let text = selection.text(app.transcript.document_mut(), columns);
    if !text.is_empty() {
        clipboard::copy_selection(app, text);
    }
}
