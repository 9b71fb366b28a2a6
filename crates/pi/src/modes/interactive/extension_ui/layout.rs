//! Where an overlay lies: from what its extension says and the size of the window.

use pi_coding_agent::extension::{Extent, Margin, OverlayOptions, WindowSize};

/// What an overlay is wide that says nothing about it.
const USUAL_WIDTH: f64 = 80.0;

/// The part of the window that overlays may use.
struct Room {
    top: f64,
    left: f64,
    rows: f64,
    columns: f64,
}

impl Room {
    fn of(options: &OverlayOptions, window: WindowSize) -> Self {
        let (top, right, bottom, left) = match options.margin {
            Some(Margin::All(all)) => (all, all, all, all),
            Some(Margin::Edges { top, right, bottom, left }) => (top, right, bottom, left),
            None => (0.0, 0.0, 0.0, 0.0),
        };
        let edges = [top, right, bottom, left].map(|edge| edge.max(0.0).floor());
        let [top, right, bottom, left] = edges;
        Self {
            top,
            left,
            rows: (f64::from(window.rows) - top - bottom).max(1.0),
            columns: (f64::from(window.columns) - left - right).max(1.0),
        }
    }
}

/// How many columns it gets.
pub(super) fn width(options: &OverlayOptions, window: WindowSize) -> u16 {
    let room = Room::of(options, window);
    let wanted = options.width.as_ref().and_then(|extent| cells(extent, f64::from(window.columns)));
    let wanted = wanted.unwrap_or(USUAL_WIDTH.min(room.columns)).max(options.min_width.unwrap_or(0.0));
    whole(wanted.clamp(1.0, room.columns))
}

/// How many rows it gets of those that it has.
pub(super) fn height(options: &OverlayOptions, rows: usize, window: WindowSize) -> u16 {
    let room = Room::of(options, window);
    let most = options.max_height.as_ref().and_then(|extent| cells(extent, f64::from(window.rows)));
    let most = most.unwrap_or(room.rows).clamp(1.0, room.rows);
    whole((rows as f64).min(most))
}

/// The row of its top and the column of its left edge, for its width and height.
pub(super) fn place(options: &OverlayOptions, wide: u16, high: u16, window: WindowSize) -> (u16, u16) {
    let room = Room::of(options, window);
    let (free_rows, free_columns) = ((room.rows - f64::from(high)).max(0.0), (room.columns - f64::from(wide)).max(0.0));
    let anchor = options.anchor.as_deref().unwrap_or("center");
    let share = |begin: &str, end: &str| {
        let is = |side: &str| anchor.split('-').any(|part| part == side);
        if is(begin) {
            0.0
        } else if is(end) {
            1.0
        } else {
            0.5
        }
    };
    let along = |said: Option<&Extent>, offset: f64, free: f64, share: f64| match said {
        Some(Extent::Cells(cells)) => *cells,
        Some(Extent::Share(text)) => offset + (free * percent(text).unwrap_or(50.0) / 100.0).floor(),
        None => offset + (free * share).floor(),
    };
    let row = along(options.row.as_ref(), room.top, free_rows, share("top", "bottom"));
    let column = along(options.col.as_ref(), room.left, free_columns, share("left", "right"));
    let row = (row + options.offset_y.unwrap_or(0.0)).clamp(room.top, room.top + free_rows);
    let column = (column + options.offset_x.unwrap_or(0.0)).clamp(room.left, room.left + free_columns);
    (whole(row), whole(column))
}

/// An extent in cells, of so many.
fn cells(extent: &Extent, all: f64) -> Option<f64> {
    match extent {
        Extent::Cells(cells) => Some(*cells),
        Extent::Share(text) => percent(text).map(|percent| (all * percent / 100.0).floor()),
    }
}

/// `"50%"`
fn percent(text: &str) -> Option<f64> {
    text.trim().strip_suffix('%')?.trim().parse().ok()
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is between 0 and u16::MAX by then")]
fn whole(cells: f64) -> u16 {
    cells.floor().clamp(0.0, f64::from(u16::MAX)) as u16
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const WINDOW: WindowSize = WindowSize { columns: 100, rows: 40 };

    #[test]
    fn options_say_where_it_lies() {
        for (options, rows, expected) in [
            // width, height, row, column
            (json!({}), 10, (80, 10, 15, 10)),
            (json!({"width": 30, "anchor": "top-left"}), 5, (30, 5, 0, 0)),
            (json!({"width": 30, "anchor": "bottom-right", "margin": 2}), 5, (30, 5, 33, 68)),
            (json!({"width": "50%", "anchor": "top-center"}), 5, (50, 5, 0, 25)),
            (json!({"width": "50%", "anchor": "right-center", "offsetX": -3}), 4, (50, 4, 18, 47)),
            (json!({"width": 200, "maxHeight": "25%"}), 99, (100, 10, 15, 0)),
            (json!({"width": 10, "minWidth": 20, "row": 3, "col": 7}), 2, (20, 2, 3, 7)),
            (json!({"width": 20, "row": "100%", "col": "0%"}), 4, (20, 4, 36, 0)),
            (json!({"width": 20, "offsetY": 999, "margin": {"bottom": 3}}), 4, (20, 4, 33, 40)),
            (json!({"width": 20, "margin": 90}), 4, (1, 1, 90, 90)),
        ] {
            let read: OverlayOptions = serde_json::from_value(options.clone()).unwrap();
            let (wide, high) = (width(&read, WINDOW), height(&read, rows, WINDOW));
            let (row, column) = place(&read, wide, high, WINDOW);
            assert_eq!((wide, high, row, column), expected, "{options}");
        }
    }
}
