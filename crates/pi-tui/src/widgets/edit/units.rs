//! Units: grapheme clusters and whole markers, over which the cursor moves in one step.

use std::borrow::Cow;
use std::ops::Range;

use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation};

use crate::text::{clusters, width};

/// A grapheme cluster or a marker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Unit<'a> {
    /// Byte offset of its start in the line.
    pub(crate) from: usize,
    /// Its text.
    pub(crate) text: &'a str,
    /// Its columns.
    pub(crate) width: usize,
}

impl Unit<'_> {
    /// Byte offset of its end in the line.
    pub(crate) fn to(&self) -> usize {
        self.from + self.text.len()
    }
}

/// The units of a part of a line. A marker wider than `columns` is split into clusters, since it has to break.
pub(crate) fn units<'a>(
    line: &'a str,
    part: Range<usize>,
    markers: &'a [Range<usize>],
    columns: usize,
) -> impl Iterator<Item = Unit<'a>> {
    let mut at = part.start;
    let mut clusters = clusters(&line[part.clone()]);
    std::iter::from_fn(move || {
        let from = at;
        let marker =
            markers.iter().find(|marker| marker.start == from && marker.len() <= columns && marker.end <= part.end);
        let (cluster, mut width) = clusters.next()?;
        at += cluster.len();
        if let Some(marker) = marker {
            while at < marker.end
                && let Some((cluster, more)) = clusters.next()
            {
                at += cluster.len();
                width += more;
            }
        }
        Some(Unit { from, text: &line[from..at], width })
    })
}

/// What is drawn in the cell of the cursor: the unit there, or blanks. Without a width it has no cell, and a mark that stands
/// on no character would join what is drawn before it, and look like that.
pub(crate) fn shown_in_cell(text: &str) -> Cow<'_, str> {
    let width = width(text);
    let joins = edge(&format!(" {text}"), 1) > 1;
    if width == 0 || joins { " ".repeat(width.max(1)).into() } else { text.into() }
}

/// The start of the unit that ends at a position.
pub(super) fn before(line: &str, at: usize, markers: &[Range<usize>]) -> usize {
    let marker = markers.iter().find(|marker| marker.start < at && at <= marker.end);
    marker.map_or_else(|| at - line[..at].graphemes(true).next_back().map_or(0, str::len), |marker| marker.start)
}

/// The end of the unit that starts at a position.
pub(super) fn after(line: &str, at: usize, markers: &[Range<usize>]) -> usize {
    let marker = markers.iter().find(|marker| marker.start <= at && at < marker.end);
    marker.map_or_else(|| at + line[at..].graphemes(true).next().map_or(0, str::len), |marker| marker.end)
}

/// The nearest cluster boundary at or after a position: an edit may merge clusters on its two sides.
pub(super) fn edge(line: &str, at: usize) -> usize {
    let mut cursor = GraphemeCursor::new(at, line.len(), true);
    if cursor.is_boundary(line, 0).unwrap_or(true) {
        return at;
    }
    cursor.next_boundary(line, 0).ok().flatten().unwrap_or(line.len())
}

/// The nearest cluster boundary at or before a position.
pub(super) fn edge_before(line: &str, at: usize) -> usize {
    let mut cursor = GraphemeCursor::new(at, line.len(), true);
    if cursor.is_boundary(line, 0).unwrap_or(true) {
        return at;
    }
    cursor.prev_boundary(line, 0).ok().flatten().unwrap_or_default()
}
