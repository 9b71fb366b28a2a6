//! Messages that wait: what is queued for the run, above the editor.

use pi_tui::text::{Line, Row};

use super::look::Look;

/// What waits.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Pending {
    /// For the next turn.
    pub(super) steering: Vec<String>,
    /// For the end of the run.
    pub(super) follow_up: Vec<String>,
}

impl Pending {
    pub(super) fn is_empty(&self) -> bool {
        self.steering.is_empty() && self.follow_up.is_empty()
    }

    /// One row for each, and how to change them.
    pub(super) fn rows(&self, look: &Look, edit_key: &str, columns: u16) -> Vec<Row> {
        if self.is_empty() {
            return Vec::new();
        }
        let labelled = |label: &'static str, texts: &[String]| -> Vec<String> {
            texts.iter().map(|text| format!(" {label}: {}", text.split_whitespace().collect::<Vec<_>>().join(" "))).collect()
        };
        let mut lines = labelled("Steering", &self.steering);
        lines.extend(labelled("Follow-up", &self.follow_up));
        lines.push(format!(" ↳ {edit_key} to edit all queued messages"));
        let rows = lines.into_iter().map(|line| {
            Row::new(&Line::styled(line, look.dim()).cut(usize::from(columns), "..."), columns)
        });
        std::iter::once(Row::blank()).chain(rows).collect()
    }
}
