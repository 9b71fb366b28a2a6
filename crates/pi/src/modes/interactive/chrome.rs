//! What stays below the conversation: what waits, what goes on, the editor or a panel, the footer.

use pi_coding_agent::extension::WindowSize;
use pi_tui::text::Row;

use super::app::App;
use super::panel::PanelRows;
use super::{block_focus, extension_ui};

/// Rows below the conversation, and where the caret stands in them.
pub(super) struct Chrome {
    pub(super) rows: Vec<Row>,
    pub(super) caret: Option<(usize, u16)>,
}

/// Draws them for a window of this size.
pub(super) fn draw(app: &mut App, columns: u16, height: u16) -> Chrome {
    block_focus::refresh(app);
    let look = app.shared.look();
    let mut rows = app.pending.rows(&look, &app.keys, columns, |text| app.seat.sender.as_ref()?.other(text));
    let window = WindowSize { columns, rows: height };
    rows.extend(extension_ui::activity_rows(app, columns));
    rows.push(Row::blank());
    rows.extend(app.extensions.above(columns, window));
    let slot = match app.panels.last_mut() {
        Some(open) => open.panel.rows(&look, &app.keys, columns, height),
        None => {
            extension_ui::editor_rows(app, columns, height).unwrap_or_else(|| app.prompt.rows(&look, columns, height))
        }
    };
    let caret = slot.caret.map(|(row, column)| (rows.len() + row, column));
    let [title, chosen] = [slot.title, slot.chosen].map(|row| row.map(|row| rows.len() + row));
    rows.extend(slot.rows);
    rows.extend(app.extensions.below(columns, window));
    let footer = app.extensions.footer(columns, window);
    rows.extend(footer.unwrap_or_else(|| app.footer.rows(&look, columns)));
    fit(PanelRows { rows, caret, title, chosen }, usize::from(height))
}

/// In a window that is too low for all, the rows around the caret are shown, and the chosen entry below it if it can be;
/// without a caret the title and the chosen entry.
pub(super) fn fit(all: PanelRows, height: usize) -> Chrome {
    let PanelRows { mut rows, caret, title, chosen } = all;
    if rows.len() <= height {
        return Chrome { rows, caret };
    }
    if let (None, Some(title), Some(chosen)) = (caret, title, chosen) {
        return Chrome { rows: titled(&rows, title, chosen, height), caret };
    }
    let caret_row = caret.map_or(rows.len() - 1, |(row, _)| row);
    // The caret's row is the last but one where there is room: what is above it tells more than what is below.
    let least = (caret_row + height.min(2)).max(height);
    let end = match chosen {
        // Without a caret the entry is all that matters.
        Some(row) if caret.is_none() => rows.len().min(row + height),
        Some(row) => least.max(row + 1).min(caret_row + height).min(rows.len()),
        None => least.min(rows.len()),
    };
    let start = end - height;
    rows.truncate(end);
    rows.drain(..start);
    Chrome { rows, caret: caret.map(|(row, column)| (row - start, column)) }
}

/// The title with what follows it, and the chosen entry with what follows that.
fn titled(rows: &[Row], title: usize, chosen: usize, height: usize) -> Vec<Row> {
    let is_in_one = (title..title + height).contains(&chosen);
    let first = title.min(rows.len() - height);
    if is_in_one {
        return rows[first..first + height].to_vec();
    }
    let below = height.div_ceil(2).min(rows.len() - chosen);
    [&rows[title..title + height - below], &rows[chosen..chosen + below]].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbered(rows: usize) -> PanelRows {
        let rows = (0..rows).map(|row| Row::new(&row.to_string().as_str().into(), 10)).collect();
        PanelRows { rows, ..PanelRows::default() }
    }

    #[test]
    fn the_row_of_the_caret_is_in_every_window() {
        for caret in [None, Some(0), Some(2), Some(4)] {
            for height in 1..=6 {
                let shown = fit(PanelRows { caret: caret.map(|row| (row, 1)), ..numbered(5) }, height);
                assert_eq!(shown.rows.len(), height.min(5));
                let row = caret.map(|row: usize| row.to_string());
                let at = shown.caret.map(|(row, _)| shown.rows[row].text().to_owned());
                assert_eq!(at, row, "in {height} rows");
            }
        }
    }

    #[test]
    fn the_chosen_entry_is_seen_with_the_caret() {
        let texts = |caret: Option<usize>, chosen: usize, height: usize| {
            let caret = caret.map(|row| (row, 0));
            let shown = fit(PanelRows { caret, chosen: Some(chosen), ..numbered(9) }, height);
            shown.rows.iter().map(Row::text).collect::<String>()
        };
        assert_eq!(texts(Some(2), 5, 4), "2345");
        assert_eq!(texts(Some(2), 3, 4), "0123");
        assert_eq!(texts(Some(2), 8, 4), "2345", "the caret matters more");
        assert_eq!(texts(Some(1), 8, 9), "012345678");
        assert_eq!(texts(None, 2, 4), "2345");
        assert_eq!(texts(None, 7, 4), "5678");
    }

    #[test]
    fn a_question_is_seen_with_the_chosen_answer() {
        let texts = |title: usize, chosen: usize, height: usize| {
            let shown = fit(PanelRows { title: Some(title), chosen: Some(chosen), ..numbered(9) }, height);
            assert_eq!(shown.rows.len(), height);
            shown.rows.iter().map(Row::text).collect::<String>()
        };
        assert_eq!(texts(1, 4, 5), "12345");
        assert_eq!(texts(1, 6, 5), "12678");
        assert_eq!(texts(1, 8, 5), "12348");
        assert_eq!(texts(1, 6, 3), "167");
        assert_eq!(texts(1, 6, 2), "16");
        assert_eq!(texts(1, 6, 1), "6");
        assert_eq!(texts(6, 8, 5), "45678");
    }
}
