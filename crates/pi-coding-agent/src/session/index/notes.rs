//! What holds for a whole session, on whatever branch it was said: labels and the name.

use std::collections::HashMap;

use crate::session::entry::SessionEntry;
use crate::session::record::StoredEntry;

/// A label as it is now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::session) struct Label {
    /// Its text.
    pub(in crate::session) text: String,
    /// When it was set, ISO 8601.
    pub(in crate::session) timestamp: String,
    /// Counts the entries that got a label, in the order in which they did.
    pub(in crate::session) number: usize,
}

/// Labels and name.
#[derive(Debug, Clone, Default)]
pub(in crate::session) struct Notes {
    labels: HashMap<String, Label>,
    numbered: usize,
    name: Option<String>,
}

impl Notes {
    /// Takes in an entry; those of other types change nothing.
    pub(super) fn add(&mut self, entry: &StoredEntry) {
        match entry.parse() {
            SessionEntry::Label(entry) => match entry.label.filter(|text| !text.is_empty()) {
                Some(text) => self.set(entry.target_id, text, entry.timestamp),
                None => {
                    self.labels.remove(&entry.target_id);
                }
            },
            SessionEntry::SessionInfo(info) => {
                self.name = Some(info.name.trim().to_owned()).filter(|name| !name.is_empty());
            }
            _ => {}
        }
    }

    fn set(&mut self, id: String, text: String, timestamp: String) {
        self.numbered += 1;
        let number = self.labels.get(&id).map_or(self.numbered, |label| label.number);
        self.labels.insert(id, Label { text, timestamp, number });
    }

    /// The label on an entry.
    pub(in crate::session) fn label(&self, id: &str) -> Option<&Label> {
        self.labels.get(id)
    }

    /// All labels, by the id of their entry.
    pub(in crate::session) fn labels(&self) -> impl Iterator<Item = (&str, &Label)> {
        self.labels.iter().map(|(id, label)| (id.as_str(), label))
    }

    /// The session's name.
    pub(in crate::session) fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }
}
