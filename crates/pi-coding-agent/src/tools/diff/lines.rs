//! Two texts as lines, and the runs of lines that lead from one to the other.

use std::collections::HashMap;

use memchr::memchr_iter;

use super::myers;

/// Unchanged lines shown on either side of a change.
pub(super) const CONTEXT_LINES: usize = 4;

/// Lines of a text beyond which it is not compared: each costs memory, also where nothing changed.
pub(super) const MOST_LINES: usize = 1_000_000;

/// What happens to a run of lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    Keep,
    Delete,
    Insert,
}

/// Consecutive lines with the same fate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) change: Change,
    /// Lines before the run in the old text.
    pub(super) old: usize,
    /// Lines before the run in the new text.
    pub(super) new: usize,
    /// Lines in the run.
    pub(super) len: usize,
}

/// Two texts in lines, and the runs that lead from one to the other.
#[derive(Debug)]
pub(super) struct LineDiff<'a> {
    pub(super) old: Vec<&'a str>,
    pub(super) new: Vec<&'a str>,
    pub(super) runs: Vec<Run>,
}

/// Lines of the longer of two texts if that has too many to be compared.
pub(super) fn too_many_lines(old: &str, new: &str) -> Option<usize> {
    let lines = |text: &str| memchr_iter(b'\n', text.as_bytes()).count();
    Some(lines(old).max(lines(new))).filter(|count| *count > MOST_LINES)
}

/// The line of the new text, counted from 1, at which the first difference is; `None` when there is none.
pub(super) fn first_difference(old: &str, new: &str) -> Option<usize> {
    let (old, new) = (old.as_bytes(), new.as_bytes());
    let same = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    (same < old.len().max(new.len())).then(|| memchr_iter(b'\n', &new[..same]).count() + 1)
}

impl<'a> LineDiff<'a> {
    pub(super) fn new(old: &'a str, new: &'a str) -> Self {
        let old: Vec<&str> = old.split_inclusive('\n').collect();
        let new: Vec<&str> = new.split_inclusive('\n').collect();
        let mut ids = HashMap::new();
        let old_ids = number_lines(&old, &mut ids);
        let new_ids = number_lines(&new, &mut ids);
        let runs = runs_of(&myers::changes(&old_ids, &new_ids));
        Self { old, new, runs }
    }

    /// The lines of a run: of the old text unless inserted.
    pub(super) fn lines(&self, run: Run) -> &[&'a str] {
        match run.change {
            Change::Insert => &self.new[run.new..run.new + run.len],
            Change::Keep | Change::Delete => &self.old[run.old..run.old + run.len],
        }
    }
}

/// Equal lines get equal numbers, so that comparing lines costs the same whatever their length.
fn number_lines<'a>(lines: &[&'a str], ids: &mut HashMap<&'a str, u32>) -> Vec<u32> {
    let mut number = |line| {
        let next = ids.len() as u32;
        *ids.entry(line).or_insert(next)
    };
    lines.iter().map(|line| number(*line)).collect()
}

fn runs_of(changes: &[Change]) -> Vec<Run> {
    let (mut old, mut new) = (0, 0);
    let mut runs = Vec::new();
    for same in changes.chunk_by(|a, b| a == b) {
        let (change, len) = (same[0], same.len());
        runs.push(Run { change, old, new, len });
        old += if change == Change::Insert { 0 } else { len };
        new += if change == Change::Delete { 0 } else { len };
    }
    runs
}
