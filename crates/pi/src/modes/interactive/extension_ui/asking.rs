//! Asks views for rows, beside the loop. One question of a view is under way at a time.

use pi_coding_agent::extension::HandlerError;

use super::super::app::App;
use super::super::extension_slots::Slot;
use super::super::header;
use super::{editor, slots, tell};

/// Asks the views that were drawn in the newest frame and have other rows by now.
pub(in crate::modes::interactive) fn ask(app: &mut App) {
    let version = app.shared.look().version();
    let has_new_look = std::mem::replace(&mut app.extensions.look, version) != version;
    header::want(app);
    let now = app.surface.now();
    for slot in slots(app) {
        if has_new_look {
            if !tell(app, &slot, |view| view.invalidate()) {
                continue;
            }
            slot.mark();
        }
        if let Some(delay) = slot.begin_asking(now) {
            begin(app, slot, now, delay);
        }
    }
    editor::follow(app);
}

fn begin(app: &mut App, slot: Slot, now: std::time::Duration, delay: std::time::Duration) {
    let asked = {
        let slot = slot.clone();
        async move {
            if !delay.is_zero() {
                tokio::time::sleep(delay).await;
            }
            let (view, space) = slot.asking(now + delay);
            let rows = tokio::spawn(async move { view.rows(space.0, space.1).await }).await;
            let rows = rows.unwrap_or_else(|error| Err(HandlerError::new(error.to_string())));
            (space, rows)
        }
    };
    app.spawn(asked, move |app, (space, rows)| {
        slot.answer(space, rows, app.shared.look().error());
        header::drawn(app, &slot);
    });
}
