//! Commands that the user runs in the session's directory. Their output becomes part of the conversation; no event of the
//! session tells of them.
//!
//! A message in the middle of a run would tear calls from their results, so what ends during one is held back until
//! the run, with what follows it, is over.

use std::sync::Arc;

use futures::future::BoxFuture;
use pi_ai::Message;

use super::recorder::heed_notices;
use super::{Inner, effects};
use crate::events::{BashResult, Error};
use crate::session::messages::BashExecutionMessage;
pub use crate::tools::PieceListener;
use crate::tools::{BashError, BashExit, BashOperations, BashRun, OutputSnapshot};

/// Called with the output of a command so far.
pub type OutputListener = dyn Fn(&str) + Send + Sync;

/// How a command is run.
#[derive(Clone, Default)]
pub struct BashOptions {
    /// Keeps command and output from the model; they are in the conversation all the same.
    pub exclude_from_context: bool,
    /// Runs the command there; by default where the `bash` tool runs its commands.
    pub operations: Option<Arc<dyn BashOperations>>,
    /// Called with the output so far (its end, if it is long), at most ten times a second.
    pub on_output: Option<Arc<OutputListener>>,
    /// Called with every piece of output as it comes, all of it; the command waits for the returned future.
    pub on_piece: Option<Arc<PieceListener>>,
}

impl std::fmt::Debug for BashOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BashOptions").field("exclude_from_context", &self.exclude_from_context).finish_non_exhaustive()
    }
}

/// Commands of the user: [`AgentSession::shell`](super::AgentSession::shell).
#[derive(Debug, Clone, Copy)]
pub struct ShellHandle<'a>(pub(super) &'a Arc<Inner>);

impl<'a> ShellHandle<'a> {
    /// Runs a command in the session's directory and makes it part of the conversation: at once, or after the run that is
    /// in progress. Several may run at a time. Dropping the future kills the command, of which nothing remains then.
    ///
    /// # Errors
    /// When the command cannot be run, and when the session was closed. That it failed is no error.
    #[doc(alias = "executeBash")]
    pub fn run(self, command: &'a str, options: BashOptions) -> BoxFuture<'a, Result<BashResult, Error>> {
        Box::pin(async move {
            let session = self.0;
            let running = session.run.activity().commands().begin().await?;
            let runner = Arc::clone(&session.place.workspace().shell);
            runner.admit().map_err(|refused| Error::Command { reason: refused.to_string() })?;
            let on_output = options.on_output;
            let progress =
                on_output.as_deref().map(|on_output| move |output: &OutputSnapshot| on_output(&output.shown.content));
            let run = BashRun {
                command,
                timeout: None,
                cancel: running.cancel.clone(),
                plain: true,
                operations: options.operations,
                pieces: options.on_piece,
                progress: progress.as_ref().map(|progress| progress as &(dyn Fn(&OutputSnapshot) + Send + Sync)),
            };
            let (ended, output) = runner.run(run).await;
            if let Some(failure) = &output.spill_failure {
                session.store.warn(&format!("The whole output of a command {failure}"));
            }
            if let (Some(path), Some(limit)) = (&output.full_output, output.cut_at) {
                let path = path.display();
                session.store.warn(&format!(
                    "The log of a command has its first {limit} bytes only (setting commandLogMaxMb): {path}"
                ));
            }
            let result = result(ended, output)?;
            self.record(command, &result, options.exclude_from_context);
            Ok(result)
        })
    }

    /// Makes a command that was run elsewhere part of the conversation, as [`Self::run`] does.
    pub fn record(self, command: &str, result: &BashResult, exclude_from_context: bool) {
        let BashResult { output, exit_code, cancelled, truncated, full_output_path } = result.clone();
        let message = BashExecutionMessage {
            command: command.to_owned(),
            output,
            exit_code,
            cancelled,
            truncated,
            full_output_path,
            timestamp: self.0.store.now_ms(),
            exclude_from_context: exclude_from_context.then_some(true),
        };
        let message = Arc::new(Message::from(message));
        let mut held = self.0.store.held();
        if self.0.run.activity().has_prompt() {
            // Whoever hears of the result may rely on it.
            effects::hold_message(self.0, &message);
            held.push(message);
        } else {
            store_message(self.0, message);
        }
    }

    /// Kills the command that was started last, with all it started. Does not wait for its end.
    #[doc(alias = "abortBash")]
    pub fn abort(self) {
        self.0.run.activity().commands().cancel_last();
    }

    /// Whether a command of the user is running.
    #[doc(alias = "isBashRunning")]
    pub fn is_running(self) -> bool {
        !self.0.run.activity().commands().is_empty()
    }

    /// Whether results wait for the end of a run.
    pub fn has_pending(self) -> bool {
        !self.0.store.held().is_empty()
    }
}

fn result(ended: Result<BashExit, BashError>, output: OutputSnapshot) -> Result<BashResult, Error> {
    let (exit_code, cancelled) = match ended {
        Ok(BashExit::Code(code)) => (Some(i64::from(code)), false),
        Ok(BashExit::Signal(signal)) => (Some(128 + i64::from(signal)), false),
        Ok(BashExit::Unknown) => (None, false),
        Err(BashError::Aborted) => (None, true),
        Err(failed) => return Err(Error::Command { reason: failed.to_string() }),
    };
    let full_output_path = output.full_output.map(|path| path.to_string_lossy().into_owned());
    let (output, truncated) = (output.shown.content, output.shown.truncated);
    Ok(BashResult { output, exit_code, cancelled, truncated, full_output_path })
}

/// A prompt is being worked on until the result is dropped.
pub(super) fn begin_series(session: &Inner) -> Series<'_> {
    // Whoever stores a result at this moment is done before a run begins.
    let _held = session.store.held();
    session.run.activity().begin_prompt();
    Series(session)
}

/// Stores what was held back.
pub(super) fn store_held(session: &Inner) {
    store_all(session, &mut session.store.held());
}

fn store_all(session: &Inner, held: &mut Vec<Arc<Message>>) {
    if !held.is_empty() {
        held.drain(..).for_each(|message| store_message(session, message));
        effects::stored_messages(session);
    }
}

/// Appends a message to context and file at once: a compaction rebuilds the one from the other.
pub(super) fn store_message(session: &Inner, message: Arc<Message>) {
    let mut manager = session.store.manager();
    if let Err(error) = manager.append().any_message(Arc::clone(&message)) {
        session.store.warn_of_error(&error);
    }
    session.run.agent().push_message(message);
    drop(manager);
    heed_notices(session);
}

/// A prompt with the runs that follow from it.
pub(super) struct Series<'a>(&'a Inner);

impl Drop for Series<'_> {
    fn drop(&mut self) {
        let mut held = self.0.store.held();
        if self.0.run.activity().end_prompt() {
            store_all(self.0, &mut held);
            drop(held);
            self.0.run.activity().settling().note_end_of_prompts();
        }
    }
}
