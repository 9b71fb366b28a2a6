//! What compaction wants to know of the entries of a branch.

use std::sync::Arc;

use pi_ai::Message;

use crate::session::Compaction;

/// An entry of the current branch.
#[derive(Debug, Clone, PartialEq)]
pub struct BranchEntry {
    /// Its id.
    pub id: String,
    /// What it holds.
    pub content: EntryContent,
}

/// What an entry holds, as far as compaction cares.
#[derive(Debug, Clone, PartialEq)]
pub enum EntryContent {
    /// A `message` entry.
    Message(Arc<Message>),
    /// An entry of another type that the model sees as a message: `custom_message`, `branch_summary`.
    Injected(Arc<Message>),
    /// An earlier compaction.
    Compaction(Box<Compaction>),
    /// Settings, labels, data: nothing that the model sees.
    Other,
}

impl BranchEntry {
    /// The message that the model sees for this entry. Compactions have none: their summary is carried on by itself.
    pub(super) fn message(&self) -> Option<&Arc<Message>> {
        match &self.content {
            EntryContent::Message(message) | EntryContent::Injected(message) => Some(message),
            EntryContent::Compaction(_) | EntryContent::Other => None,
        }
    }

    /// The role, for `message` entries.
    pub(super) fn role(&self) -> Option<&str> {
        match &self.content {
            EntryContent::Message(message) => Some(message.role()),
            _ => None,
        }
    }
}
