//! Which rows are rewritten, where rows are inserted or deleted.

use std::borrow::Cow;
use std::ops::Range;

use crate::text::Row;

use super::Insert;
use super::painter::Painter;
use super::pictures::Anew;

/// How the rows on the screen become the new ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Plan {
    /// Nothing changes.
    Same,
    /// As many rows as before, `rows` of those in the range are others.
    Rewrite { first: usize, end: usize, rows: usize },
    /// Rows `first..at` and `at..end` of the old ones are rewritten to what they become, then rows are inserted at `at`.
    Grow { first: usize, at: usize, end: usize, rows: usize },
    /// Rows are deleted at `at`, then those of `first..end` of the new ones rewritten.
    Shrink { first: usize, at: usize, end: usize, rows: usize },
    /// Everything from this row on is printed.
    Repaint { first: usize },
}

impl Plan {
    pub(super) fn new(old: &[Row], new: &[Cow<'_, Row>], height: usize, insert: Insert) -> Self {
        let first = old.iter().zip(new).take_while(|(old, new)| **old == ***new).count();
        let most = old.len().min(new.len()) - first;
        let tail = (1..=most).take_while(|back| old[old.len() - back] == *new[new.len() - back]).count();
        let (end, new_end) = (old.len() - tail, new.len() - tail);
        match (end - first, new_end - first) {
            (0, 0) => Self::Same,
            (changed, same) if changed == same => {
                let rows = (first..end).filter(|at| old[*at] != *new[*at]).count();
                Self::Rewrite { first, end, rows }
            }
            _ if insert == Insert::Repaint || old.is_empty() => Self::Repaint { first },
            (before, after) if before < after => {
                // Rows that leave the window do so from its top, so what is inserted must stay below them.
                let lowest = new.len().saturating_sub(height).max(first);
                if lowest > end {
                    return Self::Repaint { first };
                }
                let rows = after - before;
                Self::Grow { first, at: best(old, new, lowest, first, end, rows), end, rows }
            }
            _ if new.is_empty() => Self::Repaint { first },
            (before, after) => {
                // Not the first row: some terminals put rows that are deleted at the top of the window into the history.
                let (lowest, end) = (first.max(1), new_end.max(1));
                let rows = before - after;
                Self::Shrink { first, at: best_of_deletion(old, new, lowest, first, end, rows), end, rows }
            }
        }
    }

    /// The first row that changes.
    pub(super) fn first(self) -> Option<usize> {
        match self {
            Self::Same => None,
            Self::Rewrite { first, .. }
            | Self::Grow { first, .. }
            | Self::Shrink { first, .. }
            | Self::Repaint { first } => Some(first),
        }
    }

    /// How many rows change; for all that is more than one, any number above it.
    pub(super) fn rows_changed(self) -> usize {
        match self {
            Self::Same => 0,
            Self::Rewrite { rows, .. } => rows,
            Self::Grow { .. } | Self::Shrink { .. } | Self::Repaint { .. } => 2,
        }
    }

    /// Writes the change. Rows that are to leave the window get their last look before it moves.
    pub(super) fn apply(self, old: &[Row], new: &[Cow<'_, Row>], painter: &mut Painter<'_>) {
        match self {
            Self::Same => {}
            Self::Rewrite { first, end, .. } => {
                (first..end).for_each(|row| painter.rewrite(row, &old[row], &new[row]));
            }
            Self::Grow { first, at, end, rows } => {
                (first..at).for_each(|row| painter.rewrite(row, &old[row], &new[row]));
                (at..end).for_each(|row| painter.rewrite(row, &old[row], &new[row + rows]));
                insert(old.len(), &new[at..at + rows], at, painter);
            }
            Self::Shrink { first, at, end, rows } => {
                delete(old, new.len(), at..at + rows, painter);
                (first..at).for_each(|row| painter.rewrite(row, &old[row], &new[row]));
                (at..end).for_each(|row| painter.rewrite(row, &old[row + rows], &new[row]));
            }
            Self::Repaint { first } => repaint(first, old, new, painter),
        }
    }
}

/// Makes room at our last row, then opens it at the right place; at our end nothing has to be opened.
fn insert(count: usize, new: &[Cow<'_, Row>], at: usize, painter: &mut Painter<'_>) {
    painter.move_to_row(count - 1);
    if at == count {
        painter.next_row();
    } else {
        painter.feed(new.len());
        painter.move_to_row(at);
        painter.insert_rows(new.len());
    }
    for (index, row) in new.iter().enumerate() {
        if index > 0 {
            painter.next_row();
        }
        painter.row(row, false);
    }
}

/// Deletes rows. Those that blank ones take the place of are erased, too: emulators that keep only rows that were written
/// leave what stood there before.
fn delete(old: &[Row], rest: usize, rows: Range<usize>, painter: &mut Painter<'_>) {
    let count = rows.len();
    painter.move_to_row(rows.start);
    if rows.start < rest {
        painter.delete_rows(count);
    }
    for row in rows.start..rows.end.min(rest) {
        if old[row + count].is_blank() {
            painter.move_to_row(row);
            painter.erase_row();
        }
    }
    if rows.end > rest {
        painter.move_to(rest, 0);
        painter.erase_below();
    }
}

fn repaint(first: usize, old: &[Row], new: &[Cow<'_, Row>], painter: &mut Painter<'_>) {
    let mut anew = Anew::default();
    for (at, row) in new.iter().enumerate().skip(first) {
        let is_anew = anew.has(row);
        match old.get(at) {
            // Its picture was taken away.
            Some(_) if is_anew => {
                painter.move_to(at, 0);
                painter.row(row, true);
                continue;
            }
            Some(old) => {
                painter.rewrite(at, old, row);
                continue;
            }
            None => {}
        }
        if at > 0 {
            painter.move_to_row(at - 1);
            painter.next_row();
        }
        painter.row(row, false);
    }
    if new.len() < old.len() {
        painter.move_to(new.len(), 0);
        painter.erase_below();
    }
}

/// The row before which to insert, so that the fewest others have to be rewritten.
fn best(old: &[Row], new: &[Cow<'_, Row>], lowest: usize, first: usize, end: usize, rows: usize) -> usize {
    cheapest(lowest, first, end, |at| old[at] != *new[at], |at| old[at] != *new[at + rows])
}

/// The row from which on to delete, so that the fewest others have to be rewritten.
fn best_of_deletion(old: &[Row], new: &[Cow<'_, Row>], lowest: usize, first: usize, end: usize, rows: usize) -> usize {
    cheapest(lowest, first, end, |at| old[at] != *new[at], |at| old[at + rows] != *new[at])
}

/// The place in `lowest..=end` with the fewest rows that differ above it (by one measure) and below it (by the other).
/// Among equals the lowest on the screen.
fn cheapest(
    lowest: usize,
    first: usize,
    end: usize,
    differs_above: impl Fn(usize) -> bool,
    differs_below: impl Fn(usize) -> bool,
) -> usize {
    let mut cost = (first..end).filter(|at| differs_above(*at)).count();
    let (mut best, mut least) = (end, cost);
    for at in (lowest..end).rev() {
        cost = cost + usize::from(differs_below(at)) - usize::from(differs_above(at));
        if cost < least {
            (best, least) = (at, cost);
        }
    }
    best
}
