//! A command of the user (`!`): an extension may run it or have its result, else the session runs it.

use std::ops::ControlFlow;

use pi_coding_agent::agent_session::{AgentSession, BashOptions, BashResult, Error};
use pi_coding_agent::extension::events::{UserBashEvent, UserBashOutcome};
use tokio_util::sync::CancellationToken;

/// Runs it; `cancel` ends the question to extensions. Once it runs, `shell().abort()` of the session ends it.
///
/// # Errors
/// When it cannot be run.
pub(super) async fn run(
    session: &AgentSession,
    command: &str,
    options: BashOptions,
    cancel: &CancellationToken,
) -> Result<BashResult, Error> {
    let is_excluded = options.exclude_from_context;
    match cancel.run_until_cancelled(ask(session, command, is_excluded)).await {
        None => Ok(cancelled()),
        Some(UserBashOutcome::Usual) => session.shell().run(command, options).await,
        Some(UserBashOutcome::Operations(operations)) => {
            session.shell().run(command, BashOptions { operations: Some(operations), ..options }).await
        }
        Some(UserBashOutcome::Result(result)) => {
            session.shell().record(command, &result, is_excluded);
            Ok(result)
        }
    }
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

/// The command of a text: `!command`, or `!!command` which the model does not see; `!` alone is a message.
pub(super) fn command(text: &str) -> Option<(&str, bool)> {
    let rest = text.strip_prefix('!')?;
    let (command, is_excluded) = match rest.strip_prefix('!') {
        Some(command) => (command, true),
        None => (rest, false),
    };
    let command = command.trim();
    (!command.is_empty()).then_some((command, is_excluded))
}
