//! Tables: columns that fit, cells that wrap, a rule between every two rows.

use super::tree::Table;
use crate::text::{Line, Style, wrap};

/// Columns narrower than their longest word are broken, words longer than this in any case.
const LONGEST_WORD: usize = 30;

/// Adds the lines of a table; in too few columns it is shown as it was written.
pub(super) fn draw(table: &Table, columns: usize, base: Style, out: &mut Vec<Line>) {
    let count = table.rows.first().map_or(0, Vec::len);
    let edges = 3 * count + 1;
    if count == 0 || columns < edges + count {
        out.extend(table.source.lines().flat_map(|line| wrap(&Line::styled(line.trim(), base), columns)));
        return;
    }
    let widths = widths(table, count, columns - edges);
    let bar = |left: &str, middle: &str, right: &str| {
        let parts: Vec<String> = widths.iter().map(|width| "─".repeat(width + 2)).collect();
        Line::from(format!("{left}{}{right}", parts.join(middle)).as_str())
    };
    out.push(bar("┌", "┬", "┐"));
    for (i, row) in table.rows.iter().enumerate() {
        if i > 0 {
            out.push(bar("├", "┼", "┤"));
        }
        draw_row(row, &widths, out);
    }
    // The head is set off even where nothing is below it.
    if table.rows.len() == 1 {
        out.push(bar("├", "┼", "┤"));
    }
    out.push(bar("└", "┴", "┘"));
}

fn draw_row(row: &[Line], widths: &[usize], out: &mut Vec<Line>) {
    let none = Line::new();
    let cells: Vec<Vec<Line>> =
        widths.iter().enumerate().map(|(i, width)| wrap(row.get(i).unwrap_or(&none), *width)).collect();
    let height = cells.iter().map(Vec::len).max().unwrap_or_default();
    for i in 0..height {
        let mut line = Line::new();
        for (cell, width) in cells.iter().zip(widths) {
            let text = cell.get(i).unwrap_or(&none);
            line.push(if line.spans.is_empty() { "│ " } else { " │ " }, Style::PLAIN);
            line.append(text);
            line.push(&" ".repeat(width.saturating_sub(text.width())), Style::PLAIN);
        }
        line.push(" │", Style::PLAIN);
        out.push(line);
    }
}

/// As wide as the contents; where that is too much, the longest words first, then the rest by what is missing.
fn widths(table: &Table, count: usize, space: usize) -> Vec<usize> {
    let widest = |column: usize, of: fn(&Line) -> usize| {
        table.rows.iter().filter_map(|row| row.get(column)).map(of).max().unwrap_or_default().max(1)
    };
    let natural: Vec<usize> = (0..count).map(|column| widest(column, Line::width)).collect();
    if natural.iter().sum::<usize>() <= space {
        return natural;
    }
    let mut least: Vec<usize> = (0..count).map(|column| widest(column, longest_word).min(LONGEST_WORD)).collect();
    if least.iter().sum::<usize>() > space {
        least = vec![1; count];
    }
    let wanted: Vec<usize> =
        natural.iter().zip(&least).map(|(natural, least)| natural.saturating_sub(*least)).collect();
    shared(&least, &wanted, space)
}

fn longest_word(cell: &Line) -> usize {
    cell.text().split_whitespace().map(crate::text::width).max().unwrap_or_default()
}

fn shared(least: &[usize], wanted: &[usize], space: usize) -> Vec<usize> {
    let extra = space - least.iter().sum::<usize>();
    let total: usize = wanted.iter().sum();
    let share = |wanted: usize| (wanted * extra).checked_div(total).unwrap_or_default();
    let mut widths: Vec<usize> = least.iter().zip(wanted).map(|(least, wanted)| least + share(*wanted)).collect();
    let left = space - widths.iter().sum::<usize>();
    let count = widths.len();
    for i in 0..left {
        widths[i % count] += 1;
    }
    widths
}
