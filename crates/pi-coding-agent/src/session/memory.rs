//! What is in memory of the entries of a file, for the case that the file is lost.
//!
//! Messages are not kept for that: whoever goes on with the conversation holds them, and here is only where they are. Small
//! entries, and summaries, are kept as lines.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, Weak};

use pi_ai::{Extra, Message};
use pi_guard::Unpoisoned;

use super::entry::{MessageEntry, SessionEntry};
use super::index::{Key, key};
use super::kind::Kind;
use super::record::StoredEntry;
use crate::host::iso_time::{from_iso, to_iso};

/// Entries without a message are kept up to this size, in bytes.
const SMALL: usize = 1 << 10;
/// So many entries are not worth looking for those that nobody holds any more.
const FEW: usize = 256;

/// Entries by their short ids.
#[derive(Debug, Default)]
pub(super) struct EntryMemory(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    entries: HashMap<Key, Remembered>,
    /// How many there were when those that nobody held were taken out.
    tidied: usize,
}

#[derive(Debug)]
enum Remembered {
    Line(Arc<str>),
    Message { id: Box<str>, parent: Option<Box<str>>, time: i64, message: Weak<Message> },
}

impl EntryMemory {
    /// Remembers an entry whose message somebody holds.
    pub(super) fn add_message(&self, entry: &MessageEntry) {
        let Some(time) = from_iso(&entry.timestamp).filter(|_| entry.extra.is_empty()) else { return };
        let known = &mut *self.0.lock().unpoisoned();
        // Somebody may have read the session only to look at it.
        let place = known.entries.entry(key(&entry.id));
        if let std::collections::hash_map::Entry::Occupied(old) = &place
            && old.get().is_held()
        {
            return;
        }
        place.insert_entry(Remembered::Message {
            id: entry.id.as_str().into(),
            parent: entry.parent_id.as_deref().map(Into::into),
            time,
            message: Arc::downgrade(&entry.message),
        });
        if known.entries.len() > 2 * known.tidied + FEW {
            known.entries.retain(|_, entry| entry.is_held());
            known.tidied = known.entries.len();
        }
    }

    /// Remembers an entry without a message, if it is small or a summary.
    pub(super) fn add(&self, entry: &StoredEntry) {
        let worth_it = match Kind::of(entry.kind()) {
            Kind::Message => false,
            Kind::Compaction | Kind::BranchSummary => true,
            _ => entry.raw().len() <= SMALL,
        };
        if worth_it {
            let known = &mut *self.0.lock().unpoisoned();
            known.entries.insert(key(entry.id()), Remembered::Line(entry.shared_raw()));
        }
    }

    /// The entry, if it is still in memory.
    pub(super) fn entry(&self, key: Key) -> Option<StoredEntry> {
        let known = self.0.lock().unpoisoned();
        match known.entries.get(&key)? {
            Remembered::Line(line) => StoredEntry::index(Arc::clone(line)).ok(),
            Remembered::Message { id, parent, time, message } => {
                let entry = MessageEntry {
                    id: id.to_string(),
                    parent_id: parent.as_deref().map(ToOwned::to_owned),
                    timestamp: to_iso(*time),
                    message: message.upgrade()?,
                    extra: Extra::new(),
                };
                StoredEntry::write(&SessionEntry::Message(entry)).ok()
            }
        }
    }
}

impl Remembered {
    fn is_held(&self) -> bool {
        match self {
            Self::Line(_) => true,
            Self::Message { message, .. } => message.strong_count() > 0,
        }
    }
}
