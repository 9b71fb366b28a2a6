//! `bash`.

use pi_tui::text::Line;
use serde_json::Value;

use super::Drawing;

/// So many rows of output are shown.
const ROWS: usize = 5;

pub(super) fn lines(call: &Drawing<'_>) -> Vec<Line> {
    let mut lines = head(call);
    let output = call.output_lines();
    if !output.is_empty() {
        lines.push(Line::new());
        lines.extend(super::preview::last(call, output, ROWS));
    }
    if call.shared.is_expanded()
        && let Some(path) = call.output.and_then(|output| output.details.as_ref()?.get("fullOutputPath")?.as_str())
    {
        lines.push(Line::styled(format!("[Full output: {path}]"), call.look.warning()));
    }
    if let Some(elapsed) = call.elapsed_ms {
        let word = if call.is_finished { "Took" } else { "Elapsed" };
        lines.push(Line::new());
        lines.push(Line::styled(format!("{word} {:.1}s", elapsed as f64 / 1000.0), call.look.muted()));
    }
    lines
}

fn head(call: &Drawing<'_>) -> Vec<Line> {
    let command = match call.arguments.get("command") {
        Some(Value::String(command)) => command.as_str(),
        None | Some(Value::Null) => "...",
        Some(_) => return vec![Line::styled("$ ", call.title()).and("[invalid]", call.look.error())],
    };
    let mut lines: Vec<Line> = format!("$ {command}").lines().map(|line| Line::styled(line, call.title())).collect();
    if let Some(seconds) = call.arguments.get("timeout").filter(|value| value.is_number())
        && let Some(last) = lines.last_mut()
    {
        last.push(&format!(" (timeout {seconds}s)"), call.look.muted());
    }
    lines
}
