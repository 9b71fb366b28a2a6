//! Tools that extensions bring, and names that no tool has.

use pi_tui::text::Line;

use super::Drawing;

pub(super) fn lines(call: &Drawing<'_>) -> Vec<Line> {
    let mut lines = vec![call.head()];
    if !call.is_known && !call.arguments.is_null() {
        let arguments = serde_json::to_string_pretty(call.arguments).unwrap_or_default();
        lines.push(Line::new());
        lines.extend(arguments.lines().map(|line| Line::styled(line, call.output_style())));
    }
    let output = call.output_lines();
    if !output.is_empty() {
        lines.push(Line::new());
        lines.extend(output);
    }
    lines
}
