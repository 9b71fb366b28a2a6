//! The entries of an open session in memory: raw lines in file order, found by id, with labels and name at hand.

use std::collections::HashMap;
use std::sync::Arc;

use super::entry::SessionEntry;
use super::record::StoredEntry;

/// Entries and what is looked up in them all the time.
#[derive(Debug, Default)]
pub(super) struct EntryIndex {
    entries: Vec<StoredEntry>,
    by_id: HashMap<Arc<str>, usize>,
    labels: HashMap<String, String>,
    name: Option<String>,
}

impl EntryIndex {
    /// An index over entries in file order.
    pub(super) fn new(entries: Vec<StoredEntry>) -> Self {
        let mut index = Self::default();
        for entry in entries {
            index.push(entry);
        }
        index
    }

    /// Adds the newest entry.
    pub(super) fn push(&mut self, entry: StoredEntry) {
        match entry.kind() {
            "label" => self.apply_label(&entry),
            "session_info" => self.apply_name(&entry),
            _ => {}
        }
        self.by_id.insert(entry.id().into(), self.entries.len());
        self.entries.push(entry);
    }

    fn apply_label(&mut self, entry: &StoredEntry) {
        let SessionEntry::Label(label) = entry.parse() else { return };
        match label.label.filter(|text| !text.is_empty()) {
            Some(text) => self.labels.insert(label.target_id, text),
            None => self.labels.remove(&label.target_id),
        };
    }

    fn apply_name(&mut self, entry: &StoredEntry) {
        let SessionEntry::SessionInfo(info) = entry.parse() else { return };
        self.name = Some(info.name.trim().to_owned()).filter(|name| !name.is_empty());
    }

    /// All entries in file order.
    pub(super) fn all(&self) -> &[StoredEntry] {
        &self.entries
    }

    /// The entry with this id; of several the last.
    pub(super) fn get(&self, id: &str) -> Option<&StoredEntry> {
        self.by_id.get(id).and_then(|index| self.entries.get(*index))
    }

    /// Whether an entry has this id.
    pub(super) fn contains(&self, id: &str) -> bool {
        self.by_id.contains_key(id)
    }

    /// The label on an entry.
    pub(super) fn label(&self, id: &str) -> Option<&str> {
        self.labels.get(id).map(String::as_str)
    }

    /// The session's name.
    pub(super) fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// From the root to the entry with this id. Stops at a parent that does not exist, and at one already passed.
    pub(super) fn branch(&self, id: &str) -> Vec<&StoredEntry> {
        let mut path = Vec::new();
        let mut next = self.get(id);
        while let Some(entry) = next.filter(|_| path.len() <= self.entries.len()) {
            path.push(entry);
            next = entry.parent_id().and_then(|parent| self.get(parent));
        }
        path.reverse();
        path
    }
}
