//! `/fork`: a message of the user to begin a new session in front of.

use pi_coding_agent::agent_session::{ForkMessage, ForkPosition};

use super::super::app::App;
use super::super::chat::NoteKind;
use super::super::jobs::flat;
use super::super::questions;
use super::super::replacing::replaced;

/// Lets the user choose one of the messages, the newest first chosen.
pub(in crate::modes::interactive) fn fork(app: &mut App, messages: Vec<ForkMessage>) {
    let one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let items: Vec<_> = messages.iter().map(|message| questions::item(one_line(&message.text))).collect();
    let last = items.len().saturating_sub(1);
    let text = "A new session begins in front of the chosen message; this one stays as it is.";
    questions::choose_from(app, "Fork from a message", text, items, last, move |app, index| {
        let Some(message) = index.and_then(|index| messages.into_iter().nth(index)) else { return };
        let session = app.session.clone();
        let work = tokio::spawn(async move { session.tree().fork(&message.entry_id, ForkPosition::Before).await });
        app.spawn(work, |app, result| {
            if replaced(app, flat(result)).is_some() {
                app.note(NoteKind::Done, "This is a new session; the message is in the editor");
            }
        });
    });
}
