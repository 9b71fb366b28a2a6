//! `grep`.

use pi_tui::text::Line;
use serde_json::Value;

use super::{Drawing, preview};
use crate::common::one_line::signed_line;

/// So many lines are shown.
const LINES: usize = 15;

pub(super) fn lines(call: &Drawing<'_>) -> Vec<Line> {
    let mut line = call.head().and(" /", call.title());
    call.push_text(&mut line, "pattern");
    line.push("/", call.title());
    line.push(" in ", call.output_style());
    call.push_path(&mut line, Some("."));
    if let Some(glob) = call.arguments.get("glob").and_then(Value::as_str) {
        line.push(&format!(" ({})", signed_line(glob)), call.output_style());
    }
    call.push_limit(&mut line);
    with_output(call, line, LINES)
}

/// The call and the beginning of its output.
pub(super) fn with_output(call: &Drawing<'_>, line: Line, limit: usize) -> Vec<Line> {
    let mut lines = vec![line];
    let output = call.output_lines();
    if !output.is_empty() {
        lines.push(Line::new());
        lines.extend(preview::first(call, output, limit));
    }
    lines
}
