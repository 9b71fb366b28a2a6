//! What becomes of what was typed: a command of ours, a command for the shell, a message.

use pi_coding_agent::agent_session::{AgentSession, Error, OnAccepted, PromptOptions, StreamingBehavior};
use tokio::sync::oneshot;

use super::app::{App, Refused};
use super::jobs::flat;
use super::queued::HeldMessage;
use super::status::Activity;
use super::{commands, paste_image, selectors, user_shell, viewport};
use crate::modes::user_bash;

/// Takes a text that was entered.
pub(super) fn submit(app: &mut App, text: &str, behavior: StreamingBehavior) {
    let text = text.trim();
    if text.is_empty() {
        return;
    }
    app.prompt.editor.remember(text);
    viewport::follow(app);
    if commands::run(app, text) {
        return;
    }
    match user_bash::command(text) {
        Some((command, is_excluded)) => user_shell::run(app, text, command, is_excluded),
        None => {
            let images = paste_image::of_message(app, text);
            send(app, text.to_owned(), images, behavior);
        }
    }
}

/// Sends a message, or queues it while the session is busy. One that is refused goes back into the editor.
pub(super) fn send(app: &mut App, text: String, images: Vec<pi_ai::ContentBlock>, behavior: StreamingBehavior) {
    if images.is_empty() && is_summarising(app) {
        app.pending.held.push(HeldMessage { text, behavior });
        return;
    }
    if let Some(sender) = &app.seat.sender {
        sender.sends(&text);
    }
    let sent = tokio::spawn(prompt(app.session.clone(), text.clone(), images, behavior, None));
    app.spawn(sent, move |app, result| answered(app, text, result));
}

/// Sends what was held when nothing is summarised any more, however that ended.
pub(super) fn send_due(app: &mut App) {
    if !app.pending.held.is_empty() && !is_summarising(app) {
        send_held(app);
    }
}

/// Sends what was held, in order: each goes once the one before it was taken. Not while somebody looks it through.
pub(super) fn send_held(app: &mut App) {
    if app.queue_view.is_open() {
        return;
    }
    let mut before: Option<oneshot::Receiver<()>> = None;
    for HeldMessage { text, behavior } in app.pending.take_held() {
        let (taken, is_taken) = oneshot::channel();
        let turn = before.replace(is_taken);
        let prompt = prompt(app.session.clone(), text.clone(), Vec::new(), behavior, Some(taken));
        let sent = tokio::spawn(async move {
            if let Some(turn) = turn {
                // Whatever became of the one before: it is not under way any more.
                let _ = turn.await;
            }
            prompt.await
        });
        app.spawn(sent, move |app, result| answered(app, text, result));
    }
}

/// Whether messages have to wait because the history is being summarised.
pub(super) fn is_summarising(app: &App) -> bool {
    matches!(app.activity, Activity::Compacting(_)) || app.session.compaction().is_running()
}

/// Sends a prompt; `taken` is told when the session has it, and dropped where it is refused.
async fn prompt(
    session: AgentSession,
    text: String,
    images: Vec<pi_ai::ContentBlock>,
    behavior: StreamingBehavior,
    taken: Option<oneshot::Sender<()>>,
) -> Result<(), Error> {
    let on_accepted: Option<Box<OnAccepted>> = taken.map(|taken| {
        let told: Box<OnAccepted> = Box::new(move |_| {
            let _ = taken.send(());
            Box::pin(std::future::ready(()))
        });
        told
    });
    let options = PromptOptions { streaming_behavior: Some(behavior), images, on_accepted, ..PromptOptions::default() };
    session.prompt(&text, options).await
}

/// What was refused is told, and goes back into the editor.
fn answered(app: &mut App, text: String, result: Result<Result<(), Error>, tokio::task::JoinError>) {
    let send = |app: &mut App, text: String| {
        let images = paste_image::of_message(app, &text);
        send(app, text, images, StreamingBehavior::Steer);
    };
    match &result {
        Ok(Err(Error::NoModelSelected)) => return selectors::refused(app, Refused { text, send }, None),
        Ok(Err(Error::NoApiKey { provider, .. })) => {
            return selectors::refused(app, Refused { text, send }, Some(provider));
        }
        _ => {}
    }
    if let Err(error) = flat(result)
        && !app.session.is_closed()
    {
        app.error(error);
        app.prompt.give_back(&text);
    }
}
