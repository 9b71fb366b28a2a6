//! What extensions put beside the editor: lines above and below it, by key.

use std::collections::BTreeMap;

use pi_tui::text::Row;

/// Lines of extensions.
#[derive(Debug, Default)]
pub(super) struct Slots {
    above: BTreeMap<String, Vec<String>>,
    below: BTreeMap<String, Vec<String>>,
    /// The title that an extension gave the window.
    pub(super) title: Option<String>,
}

impl Slots {
    /// Sets or clears the lines of a key.
    pub(super) fn set(&mut self, key: &str, lines: Option<Vec<String>>, is_below: bool) {
        self.above.remove(key);
        self.below.remove(key);
        if let Some(lines) = lines {
            let slot = if is_below { &mut self.below } else { &mut self.above };
            slot.insert(key.to_owned(), lines);
        }
    }

    /// Forgets everything, as when extensions are loaded again.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    pub(super) fn above(&self, columns: u16) -> Vec<Row> {
        rows(&self.above, columns)
    }

    pub(super) fn below(&self, columns: u16) -> Vec<Row> {
        rows(&self.below, columns)
    }
}

fn rows(slot: &BTreeMap<String, Vec<String>>, columns: u16) -> Vec<Row> {
    slot.values().flatten().map(|line| Row::foreign(line, columns).0).collect()
}
