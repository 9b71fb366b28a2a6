//! `write`.

use pi_tui::text::Line;
use serde_json::Value;

use super::{Drawing, preview};

pub(super) fn lines(call: &Drawing<'_>) -> Vec<Line> {
    let mut line = call.head().and(" ", call.title());
    call.push_path(&mut line, None);
    let mut lines = vec![line];
    if let Some(Value::String(content)) = call.arguments.get("content")
        && !content.is_empty()
    {
        let path = call.arguments.get("path").and_then(Value::as_str).unwrap_or_default();
        lines.push(Line::new());
        lines.extend(preview::code(call, path, content.trim_end_matches('\n')));
    }
    if call.is_error {
        lines.push(Line::new());
        lines.extend(call.output_lines());
    }
    lines
}
