//! What the model gets of a run: the lines of its console and what it returned, or why it failed.

use std::io::Write;

use pi_agent_core::{ToolError, ToolOutput};
use serde_json::{Value, json};

use crate::calls::Calls;
use crate::console::Console;
use crate::limits::MOST_OUTPUT;
use crate::script::Ended;

/// The result of a run.
///
/// # Errors
/// That of one that failed, with the calls that it had made.
pub(crate) fn of(ended: Ended, calls: &Calls, console: &Console) -> Result<ToolOutput, ToolError> {
    let lines = console.text();
    match ended {
        Ended::Returned(value) => {
            let nothing = value.is_none() && lines.is_empty();
            let value = value.unwrap_or_default();
            let text = if nothing {
                "The script returned nothing. `return` what you want to know".to_owned()
            } else {
                format!("{lines}{value}")
            };
            let (text, details) = limited(text.trim_end(), calls.details());
            Ok(ToolOutput::text(text).with_details(details))
        }
        Ended::Failed(why, cut_off) => {
            let ended = calls.ended();
            let made = match ended.len() {
                0 => "No call had been made.".to_owned(),
                1 => format!("One call had been made, which stays as it is: {}.", summary(&ended)),
                count => format!("{count} calls had been made, which stay as they are: {}.", summary(&ended)),
            };
            let cut_off = match cut_off.as_slice() {
                [] => String::new(),
                names => format!(" Cut off, with an unknown outcome: {}.", summary(names)),
            };
            let (text, details) = limited(&format!("{lines}{why}\n\n{made}{cut_off}"), calls.details());
            Err(ToolError::new(text).with_details(details))
        }
    }
}

/// Names with their numbers, in the order in which they came first.
fn summary(names: &[String]) -> String {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for name in names {
        match counts.iter_mut().find(|(known, _)| known == name) {
            Some((_, count)) => *count += 1,
            None => counts.push((name, 1)),
        }
    }
    let counts =
        counts.into_iter().map(|(name, count)| if count == 1 { name.to_owned() } else { format!("{name} × {count}") });
    counts.collect::<Vec<_>>().join(", ")
}

/// A long text is cut in the middle and kept in a file that only the user can read.
fn limited(text: &str, mut details: Value) -> (String, Value) {
    if text.len() <= MOST_OUTPUT {
        return (text.to_owned(), details);
    }
    let half = MOST_OUTPUT / 2;
    let (head, tail) = (text.floor_char_boundary(half), text.ceil_char_boundary(text.len() - half));
    let kept = keep(text);
    let place = kept.as_ref().map(|file| format!(", all of it is in {file}")).unwrap_or_default();
    let left_out = tail - head;
    if let (Some(file), Some(details)) = (kept, details.as_object_mut()) {
        details.insert("fullOutputPath".to_owned(), json!(file));
    }
    let (head, tail) = (text.get(..head).unwrap_or_default(), text.get(tail..).unwrap_or_default());
    (format!("{head}\n[{left_out} bytes are left out{place}. Return less]\n{tail}"), details)
}

fn keep(text: &str) -> Option<String> {
    let mut file = tempfile::Builder::new().prefix("pi-codemode-").suffix(".txt").tempfile().ok()?;
    file.write_all(text.as_bytes()).ok()?;
    let (_, path) = file.keep().ok()?;
    Some(path.to_string_lossy().into_owned())
}
