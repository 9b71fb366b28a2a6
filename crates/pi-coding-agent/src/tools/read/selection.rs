//! Which lines a call asks for.

use serde::Deserialize;

/// Offset and limit as the model gave them. Fractions are cut off, of the end after adding both.
#[derive(Debug, Default, Clone, Copy, Deserialize)]
pub(super) struct Selection {
    /// First line, from 1; 0, negative and absent mean the first.
    pub(super) offset: Option<f64>,
    /// Most lines; negative counts from the end of the file.
    pub(super) limit: Option<f64>,
}

/// Where a selection ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// With the file.
    Open,
    /// Before the line of this index, from 0.
    Before(usize),
    /// So many lines before the end of the file.
    FromLast(usize),
}

impl Selection {
    /// The first line, as an index from 0.
    pub(super) fn start(&self) -> usize {
        self.lines_before() as usize
    }

    /// Where the selection ends.
    pub(super) fn end(&self) -> End {
        match self.limit.map(|limit| self.lines_before() + limit) {
            None => End::Open,
            Some(end) if end < 0.0 => End::FromLast(-end as usize),
            Some(end) => End::Before(end as usize),
        }
    }

    /// The offset as it is told.
    pub(super) fn shown_offset(&self) -> f64 {
        self.offset.unwrap_or(0.0)
    }

    fn lines_before(&self) -> f64 {
        (self.shown_offset() - 1.0).max(0.0)
    }
}
