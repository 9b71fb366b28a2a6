//! `codemode`: the script, the calls that it made, and what it returned.

use pi_agent_core::NestedCallRecord;
use pi_tui::text::Line;
use serde_json::Value;

use super::{Drawing, preview};

/// So many calls, and rows of the result, are shown.
const CALLS: usize = 5;
const ROWS: usize = 5;
/// What a call is about, in the order of preference.
const ABOUT: [&str; 5] = ["path", "command", "pattern", "query", "url"];
/// What scripts are written in, as the name of a file.
const LANGUAGE: &str = "script.js";

pub(super) fn lines(call: &Drawing<'_>) -> Vec<Line> {
    let mut lines = vec![call.head()];
    if let Some(Value::String(script)) = call.arguments.get("script")
        && !script.trim().is_empty()
    {
        lines.push(Line::new());
        lines.extend(preview::code(call, LANGUAGE, script.trim_matches('\n')));
    }
    let calls = calls(call);
    if !calls.is_empty() {
        lines.push(Line::new());
        lines.extend(preview::last(call, calls, CALLS));
    }
    let output = call.output_lines();
    if !output.is_empty() {
        lines.push(Line::new());
        lines.extend(preview::last(call, output, ROWS));
    }
    lines
}

/// A line for each call that is over.
fn calls(call: &Drawing<'_>) -> Vec<Line> {
    let details = call.output.and_then(|output| output.details.as_ref());
    NestedCallRecord::from_details(details).map(|made| line(call, &made)).collect()
}

fn line(call: &Drawing<'_>, made: &NestedCallRecord) -> Line {
    let style = if made.is_error { call.look.error() } else { call.look.muted() };
    let about = ABOUT.iter().find_map(|key| made.arguments[key].as_str()).unwrap_or_default();
    let about = about.lines().next().unwrap_or_default();
    let failed = if made.is_error { " (failed)" } else { "" };
    Line::styled(format!("- {} {about}", made.name).trim_end().to_owned() + failed, style)
}
