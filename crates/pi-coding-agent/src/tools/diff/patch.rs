//! The diff that programs apply: the unified format.

use std::fmt::Write;

use super::lines::{CONTEXT_LINES, Change, LineDiff, Run, too_many_lines};

/// A unified diff with four lines of context and no timestamps; `path` names both sides. Without a change
/// there is only the header, and so for texts of more than a million lines.
pub fn unified_patch(path: &str, old: &str, new: &str) -> String {
    let mut out = format!("--- {path}\n+++ {path}\n");
    if too_many_lines(old, new).is_some() {
        return out;
    }
    let diff = LineDiff::new(old, new);
    for hunk in hunks(&diff.runs) {
        write_hunk(&mut out, &diff, &hunk);
    }
    out
}

/// Groups changes that are at most twice the context apart, and cuts the unchanged runs around them.
fn hunks(runs: &[Run]) -> Vec<Vec<Run>> {
    let mut hunks: Vec<Vec<Run>> = Vec::new();
    let mut hunk: Vec<Run> = Vec::new();
    for (at, run) in runs.iter().enumerate() {
        let (first, last) = (at == 0, at + 1 == runs.len());
        if run.change != Change::Keep || (!first && !last && run.len <= 2 * CONTEXT_LINES) {
            hunk.push(*run);
            continue;
        }
        if !first {
            hunk.push(Run { len: run.len.min(CONTEXT_LINES), ..*run });
            hunks.push(std::mem::take(&mut hunk));
        }
        if !last {
            let skip = run.len.saturating_sub(CONTEXT_LINES);
            let start = Run { old: run.old + skip, new: run.new + skip, len: run.len - skip, ..*run };
            hunk.push(start);
        }
    }
    if !hunk.is_empty() {
        hunks.push(hunk);
    }
    hunks
}

fn write_hunk(out: &mut String, diff: &LineDiff<'_>, runs: &[Run]) {
    let count = |skipped| runs.iter().filter(|run| run.change != skipped).map(|run| run.len).sum();
    let old = range(runs[0].old, count(Change::Insert));
    let new = range(runs[0].new, count(Change::Delete));
    // Writing to a string does not fail.
    let _ = writeln!(out, "@@ -{old} +{new} @@");
    for run in runs {
        let sign = match run.change {
            Change::Keep => ' ',
            Change::Delete => '-',
            Change::Insert => '+',
        };
        for line in diff.lines(*run) {
            let end = if line.ends_with('\n') { "" } else { "\n\\ No newline at end of file\n" };
            let _ = write!(out, "{sign}{line}{end}");
        }
    }
}

/// `{first line},{count}`; by the format's rule an empty range names the line before it.
fn range(skipped: usize, count: usize) -> String {
    let first = if count == 0 { skipped } else { skipped + 1 };
    format!("{first},{count}")
}
