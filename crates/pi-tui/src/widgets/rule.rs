//! Horizontal rules over the whole width.

use crate::text::{Line, Row, Style};

/// Columns of a rule before its label.
const BEFORE_LABEL: usize = 3;

/// A rule.
pub fn plain(style: Style, columns: u16) -> Row {
    Row::styled(&"─".repeat(columns.into()), style, columns)
}

/// A rule with a label near its beginning: `─── 3 more ────`.
pub fn labelled(label: &Line, style: Style, columns: u16) -> Row {
    let mut line = Line::styled("─".repeat(BEFORE_LABEL), style).and(" ", style);
    line.append(label);
    line.push(" ", style);
    let rest = usize::from(columns).saturating_sub(line.width());
    Row::new(&line.and("─".repeat(rest), style), columns)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_fill_the_width() {
        assert_eq!(plain(Style::PLAIN, 3).text(), "───");
        for (columns, expected) in [(12, "─── a ──────"), (4, "─── ")] {
            assert_eq!(labelled(&Line::from("a"), Style::PLAIN, columns).text(), expected);
        }
    }
}
