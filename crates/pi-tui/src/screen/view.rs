//! What of a frame can be drawn.
//!
//! Rows that are not final may not leave the window. If there are more of them than it has rows, those around the caret are
//! drawn and the others left out, whatever the caller thought. A row wider than the window is cut.

use std::borrow::Cow;

use crate::text::Row;

use super::{Frame, Size};

/// The rows to draw, and where in them the caret is.
#[derive(Debug)]
pub(super) struct View<'a> {
    pub(super) rows: Vec<Cow<'a, Row>>,
    pub(super) final_rows: usize,
    /// Row and column where the cursor is parked.
    pub(super) caret: Option<(usize, u16)>,
}

impl<'a> View<'a> {
    pub(super) fn of(frame: &Frame<'a>, size: Size) -> Self {
        let final_rows = frame.final_rows.min(frame.rows.len());
        let (sealable, live) = frame.rows.split_at(final_rows);
        let caret = frame.caret.filter(|(row, _)| (final_rows..frame.rows.len()).contains(row));
        let hidden = hidden_above(live.len(), caret.map(|(row, _)| row - final_rows), size.height());
        let shown = &live[hidden..live.len().min(hidden + size.height())];
        let rows: Vec<Cow<'a, Row>> = sealable.iter().chain(shown).map(|row| row.fitting(size.columns)).collect();
        let caret = caret.map(|(row, column)| (row - hidden, column.min(size.columns - 1)));
        Self { caret: caret.or_else(|| parking(&rows, final_rows)), rows, final_rows }
    }
}

/// How many of the live rows are left out above.
fn hidden_above(live: usize, caret: Option<usize>, height: usize) -> usize {
    let last = live.saturating_sub(height);
    caret.map_or(last, |row| last.min(row))
}

/// Without a caret the cursor waits in the last row: a window that becomes lower drops rows below the cursor, and these must
/// not be final ones. Behind the text of a final row, so that the next row is below all of it even after a reflow.
fn parking(rows: &[Cow<'_, Row>], final_rows: usize) -> Option<(usize, u16)> {
    let last = rows.last()?;
    Some((rows.len() - 1, if rows.len() == final_rows { last.width() } else { 0 }))
}
