//! Rows of the alternate screen that move up or down, as they do when somebody scrolls: deleting and inserting lines is
//! shorter than writing them again.

use std::borrow::Cow;
use std::fmt::Write;

use crate::text::Row;

/// So many rows have to be spared at least.
const WORTH: usize = 3;

/// Rows that move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shift {
    /// The first of them, where it is higher.
    top: usize,
    /// How many there are.
    count: usize,
    /// By how many rows they move.
    by: usize,
    is_up: bool,
}

impl Shift {
    /// The move that spares most, if any is worth it. Nothing where there are pictures, which do not move.
    pub(super) fn find(old: &[Row], new: &[Cow<'_, Row>]) -> Option<Self> {
        let changed = old.iter().zip(new).filter(|(old, new)| **old != ***new).count();
        let has_image = old.iter().any(|row| row.image().is_some()) || new.iter().any(|row| row.image().is_some());
        if changed < WORTH || has_image || old.len() != new.len() {
            return None;
        }
        let mut best = (WORTH - 1, None);
        for by in 1..old.len() {
            for is_up in [true, false] {
                let moves = |at: usize| if is_up { old[at + by] == *new[at] } else { old[at] == *new[at + by] };
                let spares = |at: usize| {
                    let place = if is_up { at } else { at + by };
                    old[place] != *new[place] && *new[place] != Row::blank()
                };
                let (mut top, mut spared) = (0, 0);
                for at in 0..old.len() - by {
                    if !moves(at) {
                        (top, spared) = (at + 1, 0);
                        continue;
                    }
                    spared += usize::from(spares(at));
                    if spared > best.0 {
                        best = (spared, Some(Self { top, count: at + 1 - top, by, is_up }));
                    }
                }
            }
        }
        best.1
    }

    /// Moves the rows, those of the terminal and those that are known of it.
    pub(super) fn apply(self, rows: &mut Vec<Row>, out: &mut String) {
        let Self { top, count, by, is_up } = self;
        // What is deleted makes room for what is inserted: all other rows stay where they are.
        let (deleted, inserted) = if is_up { (top, top + count) } else { (top + count, top) };
        // Writing to a string does not fail.
        let _ = write!(out, "\x1b[{}H\x1b[{by}M", deleted + 1);
        for at in deleted..deleted + by {
            // Emulators that keep only rows that were written leave what stood there before.
            if rows.get(at + by).is_none_or(Row::is_blank) {
                let _ = write!(out, "\x1b[{}H\x1b[K", at + 1);
            }
        }
        let _ = write!(out, "\x1b[{}H\x1b[{by}L", inserted + 1);
        rows.drain(deleted..deleted + by);
        rows.splice(inserted..inserted, std::iter::repeat_n(Row::blank(), by));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(texts: &str) -> Vec<Row> {
        texts.chars().map(|char| Row::new(&char.to_string().as_str().into(), 10)).collect()
    }

    #[test]
    fn what_moves_is_found() {
        for (old, new, expected, after) in [
            ("abcdefPQ", "cdefghPQ", Some((0, 4, 2, true)), "cdef..PQ"),
            ("abcdefPQ", "yzabcdPQ", Some((0, 4, 2, false)), "..abcdPQ"),
            ("TabcdeP", "TbcdefP", Some((1, 4, 1, true)), "Tbcde.P"),
            ("abcdef", "bcdefg", Some((0, 5, 1, true)), "bcdef."),
            ("abcdef", "xabcde", Some((0, 5, 1, false)), ".abcde"),
            ("abcdef", "abcdxy", None, ""),
            ("abcdef", "uvwxyz", None, ""),
            ("aaaaaa", "aaaaaa", None, ""),
        ] {
            let (mut old, new) = (rows(old), rows(new));
            let fitted: Vec<Cow<'_, Row>> = new.iter().map(Cow::Borrowed).collect();
            let found = Shift::find(&old, &fitted);
            assert_eq!(found.map(|shift| (shift.top, shift.count, shift.by, shift.is_up)), expected);
            if let Some(shift) = found {
                shift.apply(&mut old, &mut String::new());
                let texts: String =
                    old.iter().map(|row| if row.text().is_empty() { "." } else { row.text() }).collect();
                assert_eq!(texts, after);
            }
        }
    }
}
