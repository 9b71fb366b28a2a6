//! The text branch: from a stream to a tool result.

use bytes::Bytes;
use futures::Stream;
use futures::stream::StreamExt;
use memchr::memchr_iter;
use pi_agent_core::{ToolError, ToolOutput};
use serde_json::json;
use tokio::task::yield_now;

use super::notice::{cut_text, limited_text};
use super::scan::{LineScan, Scanned};
use super::selection::{End, Selection};
use crate::tools::operations::OperationError;

/// Once everything that can be shown is there, as much is read to say how much was left out: an exact figure for
/// ordinary files, and no minute of reading for a log of many gigabytes.
const COUNT_AHEAD: usize = 64 << 20;

/// Largest piece that is looked at without giving other tasks a turn.
const SLICE_BYTES: usize = 1 << 20;

/// The selected part of a file as a tool result; `path` is for the notices, as the model gave it. `open` starts reading
/// the file; where the end of the selection depends on the number of lines, that is counted first.
pub(super) async fn read_text<S>(
    path: &str,
    selection: Selection,
    open: impl Fn() -> S,
) -> Result<ToolOutput, ToolError>
where
    S: Stream<Item = Result<Bytes, OperationError>> + Unpin,
{
    let end = match selection.end() {
        End::Open => usize::MAX,
        End::Before(line) => line,
        End::FromLast(lines) => count_lines(open()).await?.saturating_sub(lines),
    };
    let mut scan = LineScan::new(selection.start(), end, COUNT_AHEAD);
    let complete = feed(open(), |piece| scan.push(piece)).await?;
    let found = scan.finish(complete).map_err(|lines| beyond_end(selection, lines))?;
    Ok(output(path, selection, end, found))
}

async fn count_lines(
    pieces: impl Stream<Item = Result<Bytes, OperationError>> + Unpin,
) -> Result<usize, OperationError> {
    let mut lines = 1;
    feed(pieces, |piece| {
        lines += memchr_iter(b'\n', piece).count();
        true
    })
    .await?;
    Ok(lines)
}

/// Hands over the pieces until they are not wanted any more; says whether that were all.
async fn feed(
    mut pieces: impl Stream<Item = Result<Bytes, OperationError>> + Unpin,
    mut take: impl FnMut(&[u8]) -> bool,
) -> Result<bool, OperationError> {
    while let Some(piece) = pieces.next().await {
        for slice in piece?.chunks(SLICE_BYTES) {
            if !take(slice) {
                return Ok(false);
            }
            yield_now().await;
        }
    }
    Ok(true)
}

pub(super) fn output(path: &str, selection: Selection, end: usize, found: Scanned) -> ToolOutput {
    if found.shown.truncated {
        let text = cut_text(path, selection.start(), &found);
        ToolOutput::text(text).with_details(json!({ "truncation": found.shown }))
    } else if selection.limit.is_some() && found.behind.is_some() {
        ToolOutput::text(limited_text(end.max(selection.start()), &found))
    } else {
        ToolOutput::text(found.shown.content)
    }
}

fn beyond_end(selection: Selection, lines: usize) -> ToolError {
    let offset = selection.shown_offset();
    ToolError::new(format!("Offset {offset} is beyond end of file ({lines} lines total)"))
}
