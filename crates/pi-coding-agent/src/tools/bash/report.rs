//! What the model is told about a command: its output, how much was left out, how it ended.

use pi_agent_core::{ToolError, ToolOutput};
use serde_json::{Map, Value, json};

use super::collector::OutputSnapshot;
use crate::tools::operations::{BashError, BashExit};
use crate::tools::truncate::{MAX_BYTES, TruncatedBy, format_size};

/// Ends the result of a command that has failed; the code follows.
pub(crate) const EXITED: &str = "Command exited with code ";
/// In place of output that there was none of.
const NO_OUTPUT: &str = "(no output)";

/// The result of a command; `timeout` is the number of seconds that the model gave.
pub(super) fn result(
    ended: Result<BashExit, BashError>,
    output: &OutputSnapshot,
    timeout: f64,
) -> Result<ToolOutput, ToolError> {
    match ended {
        Ok(BashExit::Code(0) | BashExit::Unknown) => Ok(success(text(output, NO_OUTPUT), output)),
        Ok(BashExit::Code(code)) => Err(failure(&text(output, NO_OUTPUT), &format!("{EXITED}{code}"))),
        Ok(BashExit::Signal(signal)) => {
            let text = format!("{}\n\n[The command was ended by {}.]", text(output, NO_OUTPUT), signal_name(signal));
            Ok(success(text, output))
        }
        Err(BashError::Aborted) => Err(failure(&text(output, ""), "Command aborted")),
        Err(BashError::TimedOut) => {
            Err(failure(&text(output, ""), &format!("Command timed out after {timeout} seconds")))
        }
        Err(BashError::Failed(reason)) => Err(failure(&text(output, ""), &reason)),
    }
}

/// A report while the command runs.
pub(super) fn progress(output: &OutputSnapshot) -> ToolOutput {
    ToolOutput::text(output.shown.content.clone()).with_details(details(output))
}

fn success(text: String, output: &OutputSnapshot) -> ToolOutput {
    let result = ToolOutput::text(text);
    if output.shown.truncated { result.with_details(details(output)) } else { result }
}

fn failure(text: &str, status: &str) -> ToolError {
    ToolError::new(if text.is_empty() { status.to_owned() } else { format!("{text}\n\n{status}") })
}

fn details(output: &OutputSnapshot) -> Value {
    let mut details = Map::new();
    if output.shown.truncated {
        details.insert("truncation".to_owned(), json!(output.shown));
    }
    if let Some(path) = &output.full_output {
        details.insert("fullOutputPath".to_owned(), json!(path.to_string_lossy()));
    }
    Value::Object(details)
}

fn text(output: &OutputSnapshot, if_empty: &str) -> String {
    let shown = &output.shown;
    let content = if shown.content.is_empty() { if_empty } else { &shown.content };
    if shown.truncated { format!("{content}\n\n[{}]", notice(output)) } else { content.to_owned() }
}

fn notice(output: &OutputSnapshot) -> String {
    let shown = &output.shown;
    let total = shown.total_lines;
    let part = if shown.last_line_partial {
        let (size, whole) = (format_size(shown.output_bytes), format_size(output.last_line_bytes));
        format!("This is the last {size} of line {total}, which has {whole}.")
    } else {
        let by_bytes = shown.truncated_by == Some(TruncatedBy::Bytes);
        let why = if by_bytes { format!(" ({} limit)", format_size(MAX_BYTES)) } else { String::new() };
        format!("These are lines {}-{total} of {total}{why}.", total - shown.output_lines + 1)
    };
    let whole = match (&output.full_output, output.cut_at, &output.spill_failure) {
        (Some(path), None, _) => format!(" Full output: {}", path.display()),
        (Some(path), Some(limit), _) => {
            let size = format_size(usize::try_from(limit).unwrap_or(usize::MAX));
            format!(" The first {size} of the output, the limit of a log: {}", path.display())
        }
        (None, _, Some(failure)) => format!(" The full output {failure}"),
        (None, _, None) => String::new(),
    };
    part + &whole
}

/// Name of a signal, where it has the same number everywhere.
fn signal_name(signal: i32) -> String {
    let name = match signal {
        1 => "SIGHUP",
        2 => "SIGINT",
        3 => "SIGQUIT",
        4 => "SIGILL",
        6 => "SIGABRT",
        8 => "SIGFPE",
        9 => "SIGKILL",
        11 => "SIGSEGV",
        13 => "SIGPIPE",
        14 => "SIGALRM",
        15 => "SIGTERM",
        _ => return format!("signal {signal}"),
    };
    format!("signal {signal} ({name})")
}
