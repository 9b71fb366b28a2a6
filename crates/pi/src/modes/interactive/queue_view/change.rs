//! Changes to messages that wait.

use pi_coding_agent::agent_session::{QueueChange, StreamingBehavior};

use super::super::app::App;
use super::super::chat::NoteKind;
use super::super::panel::Question;
use super::super::queued::{HeldMessage, Waiting};
use super::super::{dialogs, submit};
use super::refresh;

/// Opens an editor for a message.
pub(super) fn edit(app: &mut App, waiting: Waiting) {
    let text = waiting.text().to_owned();
    dialogs::text(app, "Edit the queued message", &text, move |app, answer| {
        if let Some(text) = answer {
            change(app, waiting, QueueChange::Text(text));
        }
    });
}

/// Changes a message, wherever it waits.
pub(super) fn change(app: &mut App, waiting: Waiting, change: QueueChange) {
    change_then(app, waiting, change, |_| {});
}

/// Delivers a message before all others, and closes the view. Where no run is there to take it, it is sent.
pub(super) fn send_now(app: &mut App, waiting: Waiting) {
    // The view stays until the change is made: closing it lets the others go.
    let close = |app: &mut App| {
        app.take_back(Question::Queue);
        closed(app);
    };
    let prompt = match &waiting {
        Waiting::Queued(prompt) if !app.session.is_streaming() => prompt,
        _ => return change_then(app, waiting, QueueChange::First, close),
    };
    let (text, images) = (prompt.text.clone(), prompt.images.to_vec());
    change_then(app, waiting, QueueChange::Remove, move |app| {
        close(app);
        submit::send(app, text, images, StreamingBehavior::Steer);
    });
}

/// Changes a message, and does something if it was there.
fn change_then(app: &mut App, waiting: Waiting, change: QueueChange, then: impl FnOnce(&mut App) + 'static) {
    let prompt = match waiting {
        Waiting::Queued(prompt) => prompt,
        Waiting::Held(at, held) => {
            // It may have been sent while an editor was open for it.
            let is_there = app.pending.held.get(at) == Some(&held);
            if is_there {
                change_held(&mut app.pending.held, at, change);
            }
            return changed(app, is_there, then);
        }
    };
    let session = app.session.clone();
    let work = tokio::spawn(async move { session.queue().change(&prompt, change).await });
    app.spawn(work, |app, is_there| changed(app, is_there.unwrap_or_default(), then));
}

fn changed(app: &mut App, was_there: bool, then: impl FnOnce(&mut App)) {
    if was_there {
        then(app);
    } else {
        app.note(NoteKind::Warning, "The message was delivered before it could be changed");
    }
    refresh(app);
}

/// The view is closed: what it kept back goes on.
pub(super) fn closed(app: &mut App) {
    submit::send_due(app);
}

/// Those that the session has not got are sent in their order.
fn change_held(held: &mut Vec<HeldMessage>, at: usize, change: QueueChange) {
    let message = held.remove(at);
    let (place, message) = match change {
        QueueChange::Remove => return,
        QueueChange::Text(text) => (at, HeldMessage { text, ..message }),
        QueueChange::Earlier => (at.saturating_sub(1), message),
        QueueChange::Later => (held.len().min(at + 1), message),
        QueueChange::First => (0, HeldMessage { behavior: StreamingBehavior::Steer, ..message }),
        QueueChange::Behavior(behavior) => (at, HeldMessage { behavior, ..message }),
    };
    held.insert(place, message);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_of_what_is_held() {
        use StreamingBehavior::{FollowUp, Steer};
        for (at, change, expected) in [
            (1, QueueChange::Remove, "a+ c+"),
            (1, QueueChange::Text("d".to_owned()), "a+ d- c+"),
            (1, QueueChange::Earlier, "b- a+ c+"),
            (0, QueueChange::Earlier, "a+ b- c+"),
            (1, QueueChange::Later, "a+ c+ b-"),
            (2, QueueChange::Later, "a+ b- c+"),
            (1, QueueChange::First, "b+ a+ c+"),
            (0, QueueChange::Behavior(FollowUp), "a- b- c+"),
        ] {
            let message = |text: &str, behavior| HeldMessage { text: text.to_owned(), behavior };
            let mut held = vec![message("a", Steer), message("b", FollowUp), message("c", Steer)];
            change_held(&mut held, at, change.clone());
            let sign = |behavior| if behavior == Steer { "+" } else { "-" };
            let shown: Vec<String> = held.iter().map(|held| format!("{}{}", held.text, sign(held.behavior))).collect();
            assert_eq!(shown.join(" "), expected, "{at} {change:?}");
        }
    }
}
