//! `write`.

use pi_tui::text::Line;
use serde_json::Value;

use super::{Drawing, preview};
use crate::modes::interactive::styles;

/// So many lines of the content are shown.
const LINES: usize = 10;

pub(super) fn lines(call: &Drawing<'_>) -> Vec<Line> {
    let mut line = call.head().and(" ", call.title());
    call.push_path(&mut line, None);
    let mut lines = vec![line];
    if let Some(Value::String(content)) = call.arguments.get("content")
        && !content.is_empty()
    {
        let path = call.arguments.get("path").and_then(Value::as_str).unwrap_or_default();
        lines.push(Line::new());
        lines.extend(beginning(call, path, content.trim_end_matches('\n')));
    }
    if call.is_error {
        lines.push(Line::new());
        lines.extend(call.output_lines());
    }
    lines
}

/// Only what is shown is coloured.
fn beginning(call: &Drawing<'_>, path: &str, content: &str) -> Vec<Line> {
    if call.shared.is_expanded() {
        return styles::code(call.look, path, content);
    }
    let end = content.match_indices('\n').nth(LINES - 1).map_or(content.len(), |(at, _)| at);
    let mut lines = styles::code(call.look, path, &content[..end]);
    let total = content.matches('\n').count() + 1;
    if total > LINES {
        lines.push(preview::note(call, &format!("{} more lines, {total} total", total - LINES)));
    }
    lines
}
