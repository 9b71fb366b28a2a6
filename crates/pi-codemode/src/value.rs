//! Results of tools as values of a script: structured content as it is, everything else as text.

use std::io::Read;
use std::path::PathBuf;

use pi_agent_core::{NestedOutcome, ToolOutput};
use pi_ai::ContentBlock;
use pi_script::{Data, OpError, OpResult};
use serde_json::Value;

use crate::limits::MOST_KEPT;

/// The value of a call.
///
/// # Errors
/// What a failed call says.
pub(crate) async fn of(outcome: &NestedOutcome) -> OpResult {
    let output = &*outcome.output;
    if outcome.is_error {
        return Err(OpError::new(text(output)));
    }
    let details = output.details.as_ref();
    if let Some(structured) = details.and_then(|details| details.get("structuredContent")) {
        return Ok(structured.clone().into());
    }
    // The model gets a part of a long output; a script is there to look at all of it.
    let kept = details.and_then(|details| details.get("fullOutputPath")).and_then(Value::as_str).map(PathBuf::from);
    let whole = match kept {
        Some(file) => tokio::task::spawn_blocking(move || read(&file)).await.ok().flatten(),
        None => None,
    };
    Ok(Data::Text(whole.unwrap_or_else(|| text(output))))
}

/// The text of a result, with a word for each image.
pub(crate) fn text(output: &ToolOutput) -> String {
    let parts: Vec<String> = output.content.iter().map(part).collect();
    parts.join("\n")
}

fn part(block: &ContentBlock) -> String {
    match block {
        ContentBlock::Text(text) => text.text.clone(),
        ContentBlock::Image(image) => format!("[an image of type {}, which scripts cannot see]", image.mime_type),
        _ => String::new(),
    }
}

/// A file that a tool kept. One that is no file, or too long, is left alone.
fn read(path: &std::path::Path) -> Option<String> {
    let about = std::fs::symlink_metadata(path).ok()?;
    if !about.is_file() || about.len() > MOST_KEPT {
        return None;
    }
    let mut bytes = Vec::new();
    std::fs::File::open(path).ok()?.take(MOST_KEPT).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}
