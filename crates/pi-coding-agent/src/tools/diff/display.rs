//! The diff that people see: numbered lines, far-apart changes separated by a gap.

use super::lines::{CONTEXT_LINES, Change, LineDiff, MOST_LINES, Run, first_difference, too_many_lines};

/// A diff for display.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DisplayDiff {
    /// Lines of sign, right-aligned line number, blank and text, joined by LF. Removed and unchanged lines carry
    /// their old number, added ones their new number; left-out lines are one line of `...`.
    pub text: String,
    /// Line of the new text, counted from 1, at which the first change is; `None` when nothing changed.
    pub first_changed_line: Option<usize>,
}

/// Shows what changed from `old` to `new` with four lines around each change.
pub fn display_diff(old: &str, new: &str) -> DisplayDiff {
    display_diff_within(old, new, CONTEXT_LINES)
}

/// The same with so many lines around each change. Of texts of more than a million lines, only where they differ first.
pub fn display_diff_within(old: &str, new: &str, context: usize) -> DisplayDiff {
    if let Some(lines) = too_many_lines(old, new) {
        let text = format!("[The diff is left out: a text of {lines} lines; up to {MOST_LINES} are compared.]");
        return DisplayDiff { text, first_changed_line: first_difference(old, new) };
    }
    let diff = LineDiff::new(old, new);
    let most_lines = old.split('\n').count().max(new.split('\n').count());
    let mut printer = Printer { lines: Vec::new(), context, width: most_lines.to_string().len() };
    for (at, run) in diff.runs.iter().enumerate() {
        let (first, last) = (at == 0, at + 1 == diff.runs.len());
        match run.change {
            Change::Keep => printer.unchanged(&diff, *run, first, last),
            _ => printer.run(&diff, *run),
        }
    }
    let first_change = diff.runs.iter().find(|run| run.change != Change::Keep);
    DisplayDiff { text: printer.lines.join("\n"), first_changed_line: first_change.map(|run| run.new + 1) }
}

struct Printer {
    lines: Vec<String>,
    /// Unchanged lines that are shown before and after each change.
    context: usize,
    /// Digits of the line-number field.
    width: usize,
}

impl Printer {
    /// Prints an unchanged run in as far as it is near a change.
    fn unchanged(&mut self, diff: &LineDiff<'_>, run: Run, first: bool, last: bool) {
        let before = if first { 0 } else { self.context };
        let after = if last { 0 } else { self.context };
        if run.len <= before + after {
            return self.run(diff, run);
        }
        self.run(diff, Run { len: before, ..run });
        self.lines.push(format!(" {:width$} ...", "", width = self.width));
        self.run(diff, Run { old: run.old + run.len - after, len: after, ..run });
    }

    fn run(&mut self, diff: &LineDiff<'_>, run: Run) {
        let (sign, first) = match run.change {
            Change::Keep => (' ', run.old),
            Change::Delete => ('-', run.old),
            Change::Insert => ('+', run.new),
        };
        for (number, line) in (first + 1..).zip(diff.lines(run)) {
            let text = line.strip_suffix('\n').unwrap_or(line);
            self.lines.push(format!("{sign}{number:width$} {text}", width = self.width));
        }
    }
}
