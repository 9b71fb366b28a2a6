//! Commands of the user, with `!` or `!!`: an extension may run them, or the session does. One runs at a time.

use std::sync::{Arc, Mutex};

use pi_coding_agent::agent_session::BashOptions;
use pi_guard::Unpoisoned;
use pi_tui::document::BlockId;
use tokio_util::sync::CancellationToken;

use super::app::App;
use super::chat::{Body, ChatBlock, NoteKind, ShellBlock};
use super::jobs::flat;
use super::keys;
use crate::modes::user_bash;

/// Runs a command, unless one runs already.
pub(super) fn run(app: &mut App, text: &str, command: &str, is_excluded: bool) {
    if app.user_shell.is_some() {
        let key = app.key(keys::INTERRUPT);
        app.note(NoteKind::Warning, format!("A command is running. Press {key} to cancel it first."));
        app.prompt.give_back(text);
        return;
    }
    let key = app.key(keys::INTERRUPT);
    let block = app.transcript.push(Body::Shell(Box::new(ShellBlock::new(command, is_excluded, key))));
    let output = Arc::new(Mutex::new(None::<String>));
    let arrived = Arc::new(tokio::sync::Notify::new());
    follow_output(app, block, &output, &arrived);
    let cancel = CancellationToken::new();
    app.user_shell = Some(cancel.clone());
    let (session, command) = (app.session.clone(), command.to_owned());
    let work = tokio::spawn(async move {
        let on_output = Arc::new(move |text: &str| {
            *output.lock().unpoisoned() = Some(text.to_owned());
            arrived.notify_one();
        });
        let options =
            BashOptions { exclude_from_context: is_excluded, on_output: Some(on_output), ..BashOptions::default() };
        user_bash::run(&session, &command, options, &cancel).await
    });
    app.spawn(work, move |app, result| {
        app.user_shell = None;
        with_shell(app, block, |shell| match flat(result) {
            Ok(result) => shell.end(&result),
            Err(error) => shell.fail(error),
        });
    });
}

/// Shows the output so far whenever there is more, as long as the command runs.
fn follow_output(
    app: &mut App,
    block: BlockId,
    output: &Arc<Mutex<Option<String>>>,
    arrived: &Arc<tokio::sync::Notify>,
) {
    let (output, arrived) = (Arc::clone(output), Arc::clone(arrived));
    let waiting = Arc::clone(&arrived);
    app.spawn(async move { waiting.notified().await }, move |app, ()| {
        let text = output.lock().unpoisoned().take();
        let mut goes_on = false;
        with_shell(app, block, |shell| {
            goes_on = !shell.is_finished();
            if let Some(text) = text.filter(|_| goes_on) {
                shell.set_output(&text);
            }
        });
        if goes_on {
            follow_output(app, block, &output, &arrived);
        }
    });
}

fn with_shell(app: &mut App, block: BlockId, act: impl FnOnce(&mut ShellBlock)) {
    let found = app.transcript.document_mut().get_mut(block);
    if let Some(Body::Shell(shell)) = found.map(ChatBlock::body_mut) {
        act(shell);
    }
}
