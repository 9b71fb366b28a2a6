//! Lines with room beside them.

use pi_tui::text::{Line, Row, wrap};

/// Columns left free beside text.
#[derive(Debug, Clone, Copy)]
pub(in crate::modes::interactive) struct Margins {
    pub(in crate::modes::interactive) left: usize,
    pub(in crate::modes::interactive) right: usize,
}

impl Margins {
    /// One column on either side, as in a box.
    pub(super) const BOTH: Self = Self { left: 1, right: 1 };
    /// One column at the left.
    pub(in crate::modes::interactive) const LEFT: Self = Self { left: 1, right: 0 };
}

/// Wraps lines between margins.
pub(in crate::modes::interactive) fn indented<'a>(
    lines: impl IntoIterator<Item = &'a Line>,
    margins: Margins,
    columns: u16,
) -> Vec<Row> {
    let inner = usize::from(columns).saturating_sub(margins.left + margins.right).max(1);
    let left = Line::from(" ".repeat(margins.left).as_str());
    let row = |line: Line| Row::new(&line.behind(&left), columns);
    lines.into_iter().flat_map(|line| wrap(line, inner)).map(row).collect()
}
