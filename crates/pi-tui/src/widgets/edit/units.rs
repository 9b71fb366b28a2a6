//! Units: what the cursor steps over. A grapheme cluster, or a whole marker.

use std::ops::Range;

use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation};

use crate::text::clusters;

/// A part of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Unit<'a> {
    /// Byte offset of its beginning in the line.
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

/// The units of a part of a line. Markers that are wider than `columns` are no units: they have to break.
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

/// Where the unit before a place begins.
pub(super) fn before(line: &str, at: usize, markers: &[Range<usize>]) -> usize {
    let marker = markers.iter().find(|marker| marker.start < at && at <= marker.end);
    marker.map_or_else(|| at - line[..at].graphemes(true).next_back().map_or(0, str::len), |marker| marker.start)
}

/// Where the unit at a place ends.
pub(super) fn after(line: &str, at: usize, markers: &[Range<usize>]) -> usize {
    let marker = markers.iter().find(|marker| marker.start <= at && at < marker.end);
    marker.map_or_else(|| at + line[at..].graphemes(true).next().map_or(0, str::len), |marker| marker.end)
}

/// The next edge of a cluster at or behind a place: a change may join what stands on its two sides.
pub(super) fn edge(line: &str, at: usize) -> usize {
    let mut cursor = GraphemeCursor::new(at, line.len(), true);
    if cursor.is_boundary(line, 0).unwrap_or(true) {
        return at;
    }
    cursor.next_boundary(line, 0).ok().flatten().unwrap_or(line.len())
}

/// The next edge of a cluster at or before a place.
pub(super) fn edge_before(line: &str, at: usize) -> usize {
    let mut cursor = GraphemeCursor::new(at, line.len(), true);
    if cursor.is_boundary(line, 0).unwrap_or(true) {
        return at;
    }
    cursor.prev_boundary(line, 0).ok().flatten().unwrap_or_default()
}
