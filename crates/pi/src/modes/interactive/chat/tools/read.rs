//! `read`.

use std::path::Path;

use pi_tui::text::Line;
use serde_json::Value;

use super::Drawing;
use crate::modes::interactive::styles;

/// So many lines of a failure.
const FAILURE_LINES: usize = 10;

pub(super) fn lines(call: &Drawing<'_>) -> Vec<Line> {
    let mut lines = vec![head(call)];
    if call.is_error {
        lines.push(Line::new());
        lines.extend(super::preview::first(call, call.output_lines(), FAILURE_LINES));
    } else if call.shared.is_expanded() && call.output.is_some() {
        lines.push(Line::new());
        let path = call.arguments.get("path").and_then(Value::as_str).unwrap_or_default();
        if call.image().is_some() {
            lines.extend(call.output_lines());
        } else {
            lines.extend(styles::code(call.look, path, call.text.trim_end_matches('\n')));
        }
    }
    lines
}

fn head(call: &Drawing<'_>) -> Line {
    let path = call.arguments.get("path").and_then(Value::as_str).unwrap_or_default();
    if !call.is_error
        && !call.shared.is_expanded()
        && let Some(special) = special(call, path)
    {
        return special;
    }
    let mut line = call.head().and(" ", call.title());
    call.push_path(&mut line, None);
    let number = |key: &str| call.arguments.get(key).and_then(Value::as_u64);
    let range = match (number("offset"), number("limit")) {
        (None, None) => return line,
        (offset, Some(limit)) => {
            let from = offset.unwrap_or(1);
            format!(":{from}-{}", (from + limit).saturating_sub(1))
        }
        (Some(offset), None) => format!(":{offset}"),
    };
    line.push(&range, call.look.warning());
    line
}

/// Files that everybody knows are named by what they are.
fn special(call: &Drawing<'_>, path: &str) -> Option<Line> {
    let file = Path::new(path);
    let name = file.file_name()?.to_str()?;
    let mut line = match name {
        "SKILL.md" => {
            let skill = file.parent()?.file_name()?.to_str()?.to_owned();
            Line::styled("[skill] ", call.title()).and(skill, call.look.accent())
        }
        "AGENTS.md" | "CLAUDE.md" | "AGENTS.override.md" => {
            let mut line = Line::styled("read resource ", call.title());
            call.push_path(&mut line, None);
            line
        }
        _ => return None,
    };
    line.push(&format!(" ({})", call.shared.expand_hint()), call.look.dim());
    Some(line)
}
