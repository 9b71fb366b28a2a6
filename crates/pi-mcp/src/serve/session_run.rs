//! One task, done by a pi of its own: the program's rules about trust, models, settings and extensions hold as they do at a
//! terminal, and what it started ends with it.

use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use pi_coding_agent::processes::{PipedProgram, start_piped};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio_util::sync::CancellationToken;

use super::Progress;
use super::prompt::PromptArguments;
use crate::server::program::Observed;

/// A program that is told to end gets so long, twice.
const GRACE: Duration = Duration::from_millis(600);
/// Bytes of a value of a call that go into a step.
const MOST_VALUE: usize = 120;

/// The program that does tasks: pi itself.
#[derive(Debug, Clone)]
pub struct SessionProgram {
    /// Its file.
    pub program: PathBuf,
    /// Options that every task has.
    pub options: Vec<String>,
    /// Where it works.
    pub cwd: PathBuf,
}

/// What came of a task.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    pub(super) session: Option<String>,
    /// The text of the last answer.
    pub(super) answer: Option<String>,
    pub(super) error: Option<String>,
    turns: u32,
}

impl SessionProgram {
    /// Does a task.
    ///
    /// # Errors
    /// A sentence: why it could not begin.
    pub(super) async fn run(
        &self,
        arguments: &PromptArguments,
        progress: &Progress,
        cancel: &CancellationToken,
    ) -> Result<Outcome, String> {
        let mut command = Command::new(&self.program);
        command.args(&self.options).args(["--mode", "json", "--event-detail", "delta"]).current_dir(&self.cwd);
        for (option, value) in
            [("--model", &arguments.model), ("--thinking", &arguments.thinking), ("--session", &arguments.session_id)]
        {
            if let Some(value) = value {
                command.arg(format!("{option}={value}"));
            }
        }
        // What begins with a dash is the task nevertheless.
        command.args(["--", &arguments.message]);
        let mut program = start_piped(&command).await.map_err(|error| format!("pi cannot be started: {error}"))?;
        // The task is all there is.
        program.stdin = None;
        let seen = Arc::new(Observed::default());
        let drained = program.stderr.take().map(|stderr| tokio::spawn(Arc::clone(&seen).drain(stderr)));
        let mut outcome = Outcome::default();
        tokio::select! {
            read = follow(&mut program, &mut outcome, progress) => read?,
            () = cancel.cancelled() => {
                program.end(GRACE).await;
                outcome.error = Some("The task was cancelled".to_owned());
                return Ok(outcome);
            }
        }
        let status = program.wait().await.map_err(|error| error.to_string())?;
        if let Some(drained) = drained {
            // It only reads.
            let _ = drained.await;
        }
        match outcome.turns {
            0 if outcome.error.is_none() => {
                Err(seen.last_words().unwrap_or_else(|| format!("pi did not begin ({status})")))
            }
            _ => Ok(outcome),
        }
    }
}

/// Reads what the program tells, to its end.
async fn follow(program: &mut PipedProgram, outcome: &mut Outcome, progress: &Progress) -> Result<(), String> {
    let Some(stdout) = program.stdout.take() else { return Ok(()) };
    let mut lines = BufReader::new(stdout).lines();
    while let Some(line) = lines.next_line().await.map_err(|error| format!("pi cannot be read: {error}"))? {
        // The program's own lines are JSON; nothing else is meant for us.
        if let Ok(event) = serde_json::from_str::<Value>(&line) {
            outcome.take(&event, progress);
        }
    }
    Ok(())
}

impl Outcome {
    fn take(&mut self, event: &Value, progress: &Progress) {
        match event["type"].as_str() {
            Some("session") => self.session = event["id"].as_str().map(ToOwned::to_owned),
            Some("tool_execution_start") => progress.step(step(event)),
            Some("message_end") if event["message"]["role"] == "assistant" => self.answered(&event["message"]),
            _ => {}
        }
    }

    fn answered(&mut self, message: &Value) {
        self.turns += 1;
        let texts = message["content"].as_array().into_iter().flatten();
        let texts: Vec<&str> =
            texts.filter(|block| block["type"] == "text").filter_map(|block| block["text"].as_str()).collect();
        let is_failure = matches!(message["stopReason"].as_str(), Some("error" | "aborted"));
        self.error = is_failure.then(|| message["errorMessage"].as_str().unwrap_or("The answer failed").to_owned());
        if !is_failure && !texts.is_empty() {
            self.answer = Some(texts.concat());
        }
    }
}

/// A call in a few words.
fn step(event: &Value) -> String {
    let name = event["toolName"].as_str().unwrap_or("tool");
    let value = event["args"].as_object().and_then(|args| args.values().find_map(Value::as_str)).unwrap_or_default();
    let line = value.lines().next().unwrap_or_default();
    format!("{name} {}", &line[..line.floor_char_boundary(MOST_VALUE)]).trim_end().to_owned()
}
