//! `ls`.

use pi_tui::text::Line;

use super::{Drawing, grep};

/// So many lines are shown.
const LINES: usize = 20;

pub(super) fn lines(call: &Drawing<'_>) -> Vec<Line> {
    let mut line = call.head().and(" ", call.title());
    call.push_path(&mut line, Some("."));
    call.push_limit(&mut line);
    grep::with_output(call, line, LINES)
}
