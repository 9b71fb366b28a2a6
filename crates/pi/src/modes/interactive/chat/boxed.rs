//! Rows in a box: a background to the edge of the window, a row of it above and below, a column at the left.

use pi_tui::text::{Line, Row, Style, wrap};

/// Puts lines into a box. Long ones are wrapped.
pub(super) fn boxed(lines: &[Line], background: Style, columns: u16) -> Vec<Row> {
    let fill = background.background;
    let mut rows = vec![Row::blank().filled(fill)];
    rows.extend(padded(lines, columns).iter().map(|line| {
        let line = line.clone().over(background);
        Row::new(&line, columns).filled(fill)
    }));
    rows.push(Row::blank().filled(fill));
    rows
}

/// Lines wrapped, each with a blank before it.
pub(super) fn padded(lines: &[Line], columns: u16) -> Vec<Line> {
    let inner = usize::from(columns).saturating_sub(2).max(1);
    let wrapped = lines.iter().flat_map(|line| wrap(line, inner));
    wrapped
        .map(|line| {
            let mut padded = Line::from(" ");
            padded.append(&line);
            padded
        })
        .collect()
}
