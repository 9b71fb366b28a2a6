//! Line breaking for edited text. Unlike [`crate::text::wrap`], blanks at breaks are kept: the cursor can be on each.

use std::ops::Range;

use super::units::{Unit, units};
use crate::text::breaks_anywhere;

/// Byte offsets at which the rows after the first begin, for rows of so many columns.
///
/// One blank may hang past the row's end, in the cell that is reserved for the cursor; the next row starts after it.
pub(super) fn breaks(line: &str, markers: &[Range<usize>], columns: usize) -> Vec<usize> {
    // No character has more columns than bytes.
    if line.len() <= columns {
        return Vec::new();
    }
    let mut rows = Rows { columns, ..Rows::default() };
    if markers.is_empty() && line.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        (0..line.len()).for_each(|from| rows.add(&Unit { from, text: &line[from..=from], width: 1 }));
    } else {
        units(line, 0..line.len(), markers, columns).for_each(|unit| rows.add(&unit));
    }
    rows.breaks
}

#[derive(Default)]
struct Rows {
    columns: usize,
    breaks: Vec<usize>,
    used: usize,
    /// The last break opportunity in the row.
    edge: Option<usize>,
    /// Columns used since then.
    behind: usize,
}

impl Rows {
    fn add(&mut self, unit: &Unit<'_>) {
        let is_blank = unit.text == " ";
        while self.used > 0 && self.used + unit.width > self.columns {
            if is_blank && self.used == self.columns {
                return self.begin(unit.to(), 0);
            }
            match self.edge {
                Some(edge) if !is_single(unit) => self.begin(edge, self.behind),
                _ => self.begin(unit.from, 0),
            }
        }
        self.used += unit.width;
        self.behind += unit.width;
        if is_blank || is_single(unit) {
            self.edge = Some(unit.to());
            self.behind = 0;
        }
    }

    fn begin(&mut self, from: usize, used: usize) {
        self.breaks.push(from);
        self.used = used;
        self.edge = None;
    }
}

/// Whether a line may break before and after it.
fn is_single(unit: &Unit<'_>) -> bool {
    unit.text.chars().next().is_some_and(breaks_anywhere)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn breaks_keep_every_blank() {
        for (line, columns, expected) in [
            ("one two three", 7, &["one two ", "three"][..]),
            ("one two", 7, &["one two"]),
            ("one two ", 7, &["one two ", ""]),
            ("one two   three", 7, &["one two ", "  three"]),
            ("abcdefgh", 3, &["abc", "def", "gh"]),
            ("a abcdefgh b", 4, &["a ", "abcd", "efgh ", "b"]),
            ("日本語日本", 5, &["日本", "語日", "本"]),
            (" bbbb👍", 5, &[" ", "bbbb", "👍"]),
            ("👍👍", 1, &["👍", "👍"]),
        ] {
            let mut edges = vec![0];
            edges.extend(breaks(line, &[], columns));
            edges.push(line.len());
            let rows: Vec<&str> = edges.windows(2).map(|edges| &line[edges[0]..edges[1]]).collect();
            assert_eq!(rows, expected, "{line:?} in {columns}");
        }
    }
}
