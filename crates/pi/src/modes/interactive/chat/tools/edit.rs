//! `edit`.

use pi_tui::text::Line;
use serde_json::Value;

use super::Drawing;
use crate::modes::interactive::styles;

pub(super) fn lines(call: &Drawing<'_>) -> Vec<Line> {
    let mut line = call.head().and(" ", call.title());
    call.push_path(&mut line, None);
    let mut lines = vec![line];
    if call.is_error {
        lines.push(Line::new());
        lines.extend(call.output_lines());
        return lines;
    }
    let stored = call.output.and_then(|output| output.details.as_ref()?.get("diff")?.as_str());
    if let Some(diff) = stored {
        lines.push(Line::new());
        lines.extend(styles::diff(call.look, diff, call.columns));
    } else if call.is_complete {
        lines.extend(wanted(call));
    }
    lines
}

/// What is going to be changed, before it is.
fn wanted(call: &Drawing<'_>) -> Vec<Line> {
    let edits = call.arguments.get("edits").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let mut lines = Vec::new();
    for edit in edits {
        let text = |key: &str| edit.get(key).and_then(Value::as_str).unwrap_or_default();
        lines.push(Line::new());
        lines.extend(styles::replacement(call.look, text("oldText"), text("newText"), call.columns));
    }
    lines
}
