//! The shortest edit script between two sequences: Myers' greedy algorithm, forwards from the start.
//!
//! Clients compare the resulting diffs, so which of several shortest scripts is found matters: the furthest
//! reaching path wins, and on a tie the deletion comes first. A library that strips the common tail or works from
//! both ends finds others; it serves only where the greedy search would need too much memory.

use similar::{Algorithm, DiffTag, capture_diff_slices};

use super::lines::Change;

/// Up to this many changed lines the search keeps its whole trace, at most 8 MB.
const MAX_TRACED_CHANGES: usize = 2000;

/// Up to this many lines of both texts together the library searches on, which takes time that grows with lines times
/// changes. Beyond, everything between the common start and the common end counts as replaced.
const MAX_SEARCHED_LINES: usize = 40_000;

/// A diagonal that no path has reached.
const UNREACHED: i32 = -1;

/// The fate of each line on the way from `old` to `new`.
pub(super) fn changes(old: &[u32], new: &[u32]) -> Vec<Change> {
    let common = snake(old, new, 0, 0);
    let (old, new) = (&old[common..], &new[common..]);
    let mut changes = vec![Change::Keep; common];
    match trace(old, new) {
        Some(rows) => changes.extend(backtrack(&rows, old.len(), new.len())),
        None => changes.extend(without_search(old, new)),
    }
    changes
}

/// For each number of changes, how far into `old` the best path on each diagonal reaches. The last row holds the
/// diagonal that reached the end.
fn trace(old: &[u32], new: &[u32]) -> Option<Vec<Row>> {
    let grid = Grid { old: old.len() as i32, new: new.len() as i32 };
    let mut rows = vec![Row(vec![snake(old, new, 0, 0) as i32])];
    for d in 0..=MAX_TRACED_CHANGES as i32 {
        if rows[d as usize].at(d, grid.old - grid.new) == grid.old {
            return Some(rows);
        }
        let next = (-d - 1..=d + 1).step_by(2).map(|k| match grid.step(&rows[d as usize], d, k) {
            Some((_, x)) => x + snake(old, new, x as usize, (x - k) as usize) as i32,
            None => UNREACHED,
        });
        let row = Row(next.collect());
        rows.push(row);
    }
    None
}

fn backtrack(rows: &[Row], old: usize, new: usize) -> Vec<Change> {
    let grid = Grid { old: old as i32, new: new as i32 };
    let (mut x, mut k) = (grid.old, grid.old - grid.new);
    let mut changes = Vec::with_capacity(old + new);
    for d in (1..rows.len() as i32).rev() {
        let Some((change, start)) = grid.step(&rows[d as usize - 1], d - 1, k) else { break };
        changes.extend((start..x).map(|_| Change::Keep));
        changes.push(change);
        (x, k) = match change {
            Change::Delete => (start - 1, k - 1),
            _ => (start, k + 1),
        };
    }
    changes.extend((0..x).map(|_| Change::Keep));
    changes.reverse();
    changes
}

/// How far paths of `d` changes reach, for the diagonals `-d, -d + 2, …, d` (position in old minus in new).
struct Row(Vec<i32>);

impl Row {
    fn at(&self, d: i32, k: i32) -> i32 {
        let inside = k.abs() <= d && (k + d) % 2 == 0;
        if inside { self.0[((k + d) / 2) as usize] } else { UNREACHED }
    }
}

/// Lengths of both sequences.
struct Grid {
    old: i32,
    new: i32,
}

impl Grid {
    /// The better way onto diagonal `k` from a row of `d` changes, and where in old it arrives.
    fn step(&self, row: &Row, d: i32, k: i32) -> Option<(Change, i32)> {
        let (left, right) = (row.at(d, k - 1), row.at(d, k + 1));
        let can_delete = left != UNREACHED && left < self.old;
        let can_insert = right != UNREACHED && right - k <= self.new;
        match (can_delete, can_insert) {
            (false, false) => None,
            (true, true) if left < right => Some((Change::Insert, right)),
            (true, _) => Some((Change::Delete, left + 1)),
            (false, true) => Some((Change::Insert, right)),
        }
    }
}

/// Length of the common run that starts at `x` in old and `y` in new.
fn snake(old: &[u32], new: &[u32], x: usize, y: usize) -> usize {
    old[x..].iter().zip(&new[y..]).take_while(|(a, b)| a == b).count()
}

/// Cuts off the common end before the library searches, or nobody does.
fn without_search(old: &[u32], new: &[u32]) -> Vec<Change> {
    let same = old.iter().rev().zip(new.iter().rev()).take_while(|(a, b)| a == b).count();
    let (old_middle, new_middle) = (&old[..old.len() - same], &new[..new.len() - same]);
    if old_middle.len() + new_middle.len() <= MAX_SEARCHED_LINES {
        return by_library(old, new);
    }
    let deleted = std::iter::repeat_n(Change::Delete, old_middle.len());
    let inserted = std::iter::repeat_n(Change::Insert, new_middle.len());
    deleted.chain(inserted).chain(std::iter::repeat_n(Change::Keep, same)).collect()
}

fn by_library(old: &[u32], new: &[u32]) -> Vec<Change> {
    let mut changes = Vec::new();
    for op in capture_diff_slices(Algorithm::Myers, old, new) {
        let (tag, old, new) = op.as_tag_tuple();
        if tag == DiffTag::Equal {
            changes.extend(old.map(|_| Change::Keep));
        } else {
            changes.extend(old.map(|_| Change::Delete));
            changes.extend(new.map(|_| Change::Insert));
        }
    }
    changes
}
