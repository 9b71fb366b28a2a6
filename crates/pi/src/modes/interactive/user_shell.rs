//! Commands of the user, with `!` or `!!`: an extension may run them, or the session does. One runs at a time.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};

use pi_coding_agent::agent_session::{AgentSession, BashOptions, BashResult};
use pi_coding_agent::extension::events::{UserBashEvent, UserBashOutcome};
use pi_guard::Unpoisoned;
use pi_tui::document::BlockId;
use tokio_util::sync::CancellationToken;

use super::app::App;
use super::chat::{Body, ChatBlock, NoteKind, ShellBlock};
use super::jobs::flat;
use super::keys;

/// Runs a command, unless one runs already.
pub(super) fn run(app: &mut App, text: &str, command: &str, is_excluded: bool) {
    if app.shells > 0 {
        let key = app.key(keys::INTERRUPT);
        app.note(NoteKind::Warning, format!("A command is running. Press {key} to cancel it first."));
        app.prompt.give_back(text);
        return;
    }
    app.shells += 1;
    let key = app.key(keys::INTERRUPT);
    let block = app.transcript.push(Body::Shell(Box::new(ShellBlock::new(command, is_excluded, key))));
    let output = Arc::new(Mutex::new(None::<String>));
    let arrived = Arc::new(tokio::sync::Notify::new());
    follow_output(app, block, &output, &arrived);
    let cancel = CancellationToken::new();
    app.shell_question = Some(cancel.clone());
    let (session, command) = (app.session.clone(), command.to_owned());
    let work = tokio::spawn(async move {
        let on_output = Arc::new(move |text: &str| {
            *output.lock().unpoisoned() = Some(text.to_owned());
            arrived.notify_one();
        });
        let options =
            BashOptions { exclude_from_context: is_excluded, on_output: Some(on_output), ..BashOptions::default() };
        match cancel.run_until_cancelled(ask(&session, &command, is_excluded)).await {
            None => Ok(cancelled()),
            Some(UserBashOutcome::Usual) => session.shell().run(&command, options).await,
            Some(UserBashOutcome::Operations(operations)) => {
                let options = BashOptions { operations: Some(operations), ..options };
                session.shell().run(&command, options).await
            }
            Some(UserBashOutcome::Result(result)) => {
                session.shell().record(&command, &result, is_excluded);
                Ok(result)
            }
        }
    });
    app.spawn(work, move |app, result| {
        app.shells -= 1;
        app.shell_question = None;
        with_shell(app, block, |shell| match flat(result) {
            Ok(result) => shell.end(&result),
            Err(error) => shell.fail(error),
        });
    });
}

/// Asks the extensions who runs the command; the first that has something to say counts.
async fn ask(session: &AgentSession, command: &str, is_excluded: bool) -> UserBashOutcome {
    let runner = session.extensions().runner();
    if !runner.listens::<UserBashEvent>() {
        return UserBashOutcome::Usual;
    }
    let cwd = session.store().read(|manager| manager.cwd().to_owned());
    let event = UserBashEvent { command: command.to_owned(), exclude_from_context: is_excluded, cwd };
    let mut said = UserBashOutcome::Usual;
    let first = |_: &mut UserBashEvent, outcome| match outcome {
        UserBashOutcome::Usual => ControlFlow::Continue(()),
        outcome => {
            said = outcome;
            ControlFlow::Break(())
        }
    };
    runner.fold(event, None, first).await;
    said
}

/// Of a command that was cancelled before anybody ran it.
fn cancelled() -> BashResult {
    BashResult { output: String::new(), exit_code: None, cancelled: true, truncated: false, full_output_path: None }
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
