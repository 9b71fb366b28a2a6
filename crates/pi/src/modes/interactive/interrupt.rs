//! Escape and Ctrl+C: what they end depends on what goes on.

use pi_coding_agent::settings::DoubleEscapeAction;

use super::app::App;
use super::{commands, submit};

/// Two presses within this time count as pressing twice.
const TWICE_MS: u64 = 500;

/// Escape: ends what goes on, the first of these.
pub(super) fn interrupt(app: &mut App) {
    if let Some(sharing) = app.sharing.as_ref().filter(|sharing| !sharing.is_cancelled()) {
        sharing.cancel();
    } else if let Some(question) = &app.user_shell {
        question.cancel();
        app.session.shell().abort();
    } else if app.prompt.is_shell_command() {
        app.prompt.set_text("");
    } else if app.session.retry().is_waiting() {
        app.session.retry().abort();
    } else if submit::is_summarising(app) {
        // Of the two, the one that goes on.
        app.session.compaction().abort();
        app.session.tree().abort_summary();
    } else if app.session.is_streaming() || !app.pending.is_empty() {
        abort(app);
    } else if app.prompt.editor.is_empty() {
        escape_again(app);
    }
}

/// Ends the run. What was queued goes back into the editor first: nothing that was typed is lost.
fn abort(app: &mut App) {
    let session = app.session.clone();
    let work = tokio::spawn(async move {
        let texts = session.queue().clear().await;
        session.request_abort();
        texts
    });
    app.spawn(work, |app, texts| {
        if let Ok(texts) = texts {
            app.prompt.take_back(texts.steering.into_iter().chain(texts.follow_up).collect());
        }
    });
}

/// Takes all queued messages back into the editor.
pub(super) fn dequeue(app: &mut App) {
    let session = app.session.clone();
    let work = tokio::spawn(async move { session.queue().clear().await });
    let held: Vec<String> = app.pending.take_held().into_iter().map(|held| held.text).collect();
    app.spawn(work, move |app, texts| {
        let queued = texts.unwrap_or_default();
        let texts: Vec<String> = queued.steering.into_iter().chain(queued.follow_up).chain(held).collect();
        match texts.len() {
            0 => app.status("No queued messages"),
            1 => app.status("The queued message is back in the editor"),
            count => app.status(format!("{count} queued messages are back in the editor")),
        }
        app.prompt.take_back(texts);
    });
}

fn escape_again(app: &mut App) {
    let now = app.now_ms();
    let is_second = app.pressed.escape.take().is_some_and(|before| now.saturating_sub(before) <= TWICE_MS);
    if !is_second {
        app.pressed.escape = Some(now);
        return;
    }
    match app.settings().interface().double_escape_action() {
        DoubleEscapeAction::Fork => commands::fork(app),
        DoubleEscapeAction::Tree => commands::tree(app),
        DoubleEscapeAction::None => {}
    }
}

/// Ctrl+C: clears the editor; pressed twice it ends the program.
pub(super) fn clear(app: &mut App) {
    let now = app.now_ms();
    if app.pressed.clear.is_some_and(|before| now.saturating_sub(before) <= TWICE_MS) {
        app.leaving = Some(0);
        return;
    }
    app.pressed.clear = Some(now);
    app.prompt.set_text("");
}
