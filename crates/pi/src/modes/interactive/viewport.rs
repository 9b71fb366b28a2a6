//! Full screen: what of the conversation is in the window, above what stays below it.

use pi_tui::document::{BlockId, ShownRow};
use pi_tui::input::KeyEvent;
use pi_tui::keymap::Action;
use pi_tui::text::{Line, Row};

use super::app::App;
use super::surface::Overlaid;
use super::theme_styles::ThemeStyles;
use super::{keys, numbers, restore};

/// So many earlier messages are added at once.
const FETCHED: usize = 200;

/// Has the conversation drawn on the screen that the settings want.
pub(super) fn settle(app: &mut App) {
    let wanted = app.settings().interface().terminal();
    let has_changed = wanted.fullscreen != app.surface.is_fullscreen();
    app.surface.set_fullscreen(wanted.fullscreen, wanted.mouse, app.transcript.document_mut());
    if has_changed && app.has_begun {
        // In full screen all rows are ours; on the main screen those that have left the window are not.
        restore::redraw(app);
    }
}

/// Draws the window: the conversation, what stays below it, and what lies over both.
pub(super) fn draw(app: &mut App, chrome: &[Row], caret: Option<(usize, u16)>, over: &[Overlaid]) {
    let size = app.surface.size();
    let area = usize::from(size.rows).saturating_sub(chrome.len());
    app.viewport.area = area;
    let window = app.viewport.window();
    let (look, key) = (app.shared.look(), app.key(keys::VIEW_BOTTOM));
    let ends = app.viewport.selection.and_then(|selection| selection.ends(app.transcript.document_mut()));
    let shown = app.viewport.view.shown(app.transcript.document_mut(), size.columns, window);
    let (below, blank) = (shown.below, Row::blank());
    app.viewport.places = shown.rows.iter().take(area).map(|shown| (shown.block, shown.number)).collect();
    let selected =
        |shown: &ShownRow<'_>| Some(shown.row.inverted(ends?.columns(shown.at, shown.number)?, size.columns));
    let selected: Vec<Option<Row>> = shown.rows.iter().map(selected).collect();
    let seen = shown.rows.iter().zip(&selected).map(|(shown, selected)| selected.as_ref().unwrap_or(shown.row));
    let mut rows: Vec<&Row> = seen.take(area).collect();
    let parts_of_pictures = parts_of_pictures(&rows);
    parts_of_pictures.into_iter().for_each(|at| rows[at] = &blank);
    rows.resize(area, &blank);
    let told = below_row(below, &key, &look, size.columns);
    if area > window {
        rows[window] = &told;
    }
    rows.extend(chrome);
    let caret = caret.map(|(row, column)| (area + row, column));
    let has_prompt = app.panels.is_empty() && app.extensions.editor.place.slot().is_none();
    app.viewport.caret = caret.filter(|_| has_prompt);
    app.surface.paint(rows, caret, app.surface.shows_cursor, over);
}

/// Says what is below the window, and how to get there.
fn below_row(below: usize, key: &str, look: &ThemeStyles, columns: u16) -> Row {
    let count = match below {
        1 => "1 row".to_owned(),
        0..1000 => format!("{below} rows"),
        _ => format!("more than {} rows", numbers::grouped(1000)),
    };
    let line = Line::styled(format!(" ↓ {count} below"), look.accent());
    Row::new(&line.and(format!(" · {key} goes there"), look.dim()), columns)
}

/// Rows of pictures that are not whole in the window. A picture is drawn as a whole, so these stay blank.
fn parts_of_pictures(rows: &[&Row]) -> Vec<usize> {
    let is_whole = |at: usize| {
        rows[at].image().is_some_and(|image| {
            let (index, count) = (usize::from(image.index()), usize::from(image.rows()));
            let first = at.checked_sub(index).and_then(|first| rows.get(first)?.image());
            let last = rows.get(at + count - 1 - index).and_then(|row| row.image());
            first.is_some_and(|first| first.id() == image.id() && first.index() == 0)
                && last.is_some_and(|last| last.id() == image.id() && last.index() + 1 == last.rows())
        })
    };
    (0..rows.len()).filter(|at| rows[*at].image().is_some() && !is_whole(*at)).collect()
}

/// Goes to the end, where the conversation goes on.
pub(super) fn follow(app: &mut App) {
    app.viewport.view.follow();
}

/// Shows where a block begins.
pub(super) fn show(app: &mut App, block: BlockId) {
    if app.surface.is_fullscreen() {
        let (columns, window) = (app.surface.columns(), app.viewport.window());
        app.viewport.view.show(block, app.transcript.document_mut(), columns, window);
    }
}

/// Goes down by so many rows; up where they are negative.
pub(super) fn scroll(app: &mut App, rows: isize) {
    let (columns, window) = (app.surface.columns(), app.viewport.window());
    app.viewport.view.scroll(rows, app.transcript.document_mut(), columns, window);
    fetch(app);
}

/// Adds messages that were left out before anybody sees that they are missing.
fn fetch(app: &mut App) {
    let (columns, window) = (app.surface.columns(), app.viewport.window());
    let wanted = 3 * window;
    while let Some(earlier) = &app.viewport.earlier {
        let (view, document) = (&app.viewport.view, app.transcript.document_mut());
        // They may be below what is read: somebody went to the top.
        let below = view.rows_until(earlier.note, window + wanted, document, columns, window);
        let is_far = match below {
            Some(rows) => rows >= window + wanted,
            None => view.rows_since(earlier.first, wanted, document, columns, window) >= wanted,
        };
        match below {
            _ if is_far => return,
            Some(_) => restore::earliest(app, FETCHED),
            None => restore::earlier(app, FETCHED),
        }
    }
}

/// Of a long session the beginning is added; what lies between stays left out until somebody comes there.
fn top(app: &mut App) {
    if app.viewport.earlier.as_ref().is_some_and(|earlier| earlier.left_out.start == 0) {
        restore::earliest(app, FETCHED);
    }
    let (columns, window) = (app.surface.columns(), app.viewport.window());
    app.viewport.view.go_to_top(app.transcript.document_mut(), columns, window);
    fetch(app);
}

/// A page leaves one row that was there before.
fn page(app: &App) -> isize {
    isize::try_from(app.viewport.window().saturating_sub(1).max(1)).unwrap_or(1)
}

/// What an action does.
type Act = fn(&mut App);

const ACTS: [(Action, Act); 5] = [
    (keys::VIEW_PAGE_UP, |app| scroll(app, -page(app))),
    (keys::VIEW_PAGE_DOWN, |app| scroll(app, page(app))),
    (keys::VIEW_UP, |app| scroll(app, -1)),
    (keys::VIEW_DOWN, |app| scroll(app, 1)),
    (keys::VIEW_TOP, top),
];

/// Takes a key that scrolls; whether it was one.
pub(super) fn press(app: &mut App, event: &KeyEvent) -> bool {
    if !app.surface.is_fullscreen() {
        return false;
    }
    if let Some((_, act)) = ACTS.into_iter().find(|(action, _)| app.keys.is(event, *action)) {
        act(app);
        return true;
    }
    // At the end the same keys are the editor's.
    let goes_back = !app.viewport.view.is_following() && app.keys.is(event, keys::VIEW_BOTTOM);
    if goes_back {
        follow(app);
    }
    goes_back
}
