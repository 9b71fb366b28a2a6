//! The view of the messages that wait: each is a row that can be edited, moved, deleted, sent before all others.
//!
//! As long as it is open nothing is delivered: the session holds its queues, and what is held until a compaction is over
//! stays held. The session decides about every change in one step: a message that a run has taken is not changed any more.
//! `change` makes the changes, `panel` draws and reads keys.

mod change;
mod panel;

use super::app::App;
use super::panel::Question;
use super::queued::Waiting;

/// Opens the view.
pub(super) fn open(app: &mut App) {
    if app.pending.is_empty() {
        return app.status("No queued messages");
    }
    let panel = panel::QueuePanel::new(app.queue_view.clone(), app.session.queue().hold());
    app.open(panel);
    app.asked(Question::Queue);
    refresh(app);
}

/// What waits has changed.
pub(super) fn refresh(app: &mut App) {
    if app.queue_view.is_open() {
        let queued = app.session.queue().prompts().into_iter().map(Waiting::Queued);
        let held = app.pending.held.iter().cloned().enumerate().map(|(at, held)| Waiting::Held(at, held));
        app.queue_view.show(queued.chain(held).collect());
    }
}
