//! What compaction wants to know of the entries of a branch, and how it gets it out of a session.

use std::collections::HashSet;
use std::sync::Arc;

use pi_ai::Message;
use serde_json::Value;

use crate::session::{
    BranchSummaryEntry, Compaction, CompactionEntry, ContextEdits, Error, SessionEntry, SessionManager, StoredEntry,
};

/// An entry of a branch.
#[derive(Debug, Clone, PartialEq)]
pub struct BranchEntry {
    /// Its id.
    pub id: String,
    /// What it holds.
    pub content: EntryContent,
    /// Whether it is quoted word for word once it is summarised.
    pub pinned: bool,
}

/// What an entry holds, as far as compaction cares.
#[derive(Debug, Clone, PartialEq)]
pub enum EntryContent {
    /// A `message` entry.
    Message(Arc<Message>),
    /// A `custom_message` entry, as the message that the model sees.
    Injected(Arc<Message>),
    /// A `branch_summary` entry.
    BranchSummary {
        /// The message that the model sees.
        message: Arc<Message>,
        /// The files that were touched on the branch; `None` when an extension made the summary.
        files: Option<Value>,
    },
    /// An earlier compaction.
    Compaction(Box<Compaction>),
    /// Settings, labels, data: nothing that the model sees.
    Other,
}

impl BranchEntry {
    /// An entry that is not pinned.
    pub fn new(id: impl Into<String>, content: EntryContent) -> Self {
        Self { id: id.into(), content, pinned: false }
    }

    /// The message that the model sees for this entry. Compactions have none: their summary is carried on by itself.
    pub(super) fn message(&self) -> Option<&Arc<Message>> {
        match &self.content {
            EntryContent::Message(message)
            | EntryContent::Injected(message)
            | EntryContent::BranchSummary { message, .. } => Some(message),
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

    /// Whether it is a message that did not come from the conversation itself.
    pub(super) fn is_injected(&self) -> bool {
        matches!(self.content, EntryContent::Injected(_) | EntryContent::BranchSummary { .. })
    }
}

/// Whether a label pins its entry: `pin`, `pinned`, or either with a remark behind a colon (`pin: the decision`). Case
/// does not matter.
pub fn is_pin(label: &str) -> bool {
    let name = label.split(':').next().unwrap_or_default().trim();
    ["pin", "pinned"].iter().any(|pin| name.eq_ignore_ascii_case(pin))
}

/// What the context of a session is made of, oldest first: its current branch, from the first entry on that its last
/// compaction kept. What is pinned further up comes in front.
///
/// # Errors
/// Those of reading the session file.
pub fn branch_entries(manager: &SessionManager) -> Result<Vec<BranchEntry>, Error> {
    let context = manager.entries().in_context()?;
    let labelled = manager.entries().labelled_on_branch()?;
    let pinned: Vec<_> = labelled.iter().filter(|(_, label)| is_pin(label)).map(|(entry, _)| entry).collect();
    let is_pinned = |id: &str| pinned.iter().any(|entry| entry.id() == id);
    let ids: HashSet<&str> = context.iter().map(StoredEntry::id).collect();
    let earlier = pinned.iter().copied().filter(|entry| !ids.contains(entry.id()));
    let mut edits = ContextEdits::of(context.iter());
    let entry = |stored: &StoredEntry| BranchEntry {
        id: stored.id().to_owned(),
        content: EntryContent::of(stored).edited(stored.id(), &mut edits),
        pinned: is_pinned(stored.id()),
    };
    Ok(earlier.chain(&context).map(entry).collect())
}

/// The branch that ends in an entry, from its root, all of it. Empty when there is no such entry.
///
/// # Errors
/// Those of [`Entries::branch_of`](crate::session::Entries::branch_of).
pub(crate) fn branch_entries_of(manager: &SessionManager, leaf: &str) -> Result<Vec<BranchEntry>, Error> {
    let branch = manager.entries().branch_of(leaf)?;
    let mut edits = ContextEdits::of(branch.iter());
    let mut content = |stored: &StoredEntry| EntryContent::of(stored).edited(stored.id(), &mut edits);
    Ok(branch.iter().map(|stored| BranchEntry::new(stored.id(), content(stored))).collect())
}

impl EntryContent {
    /// Reads a stored entry; of types that the model never sees nothing is parsed.
    pub fn of(entry: &StoredEntry) -> Self {
        if !matches!(entry.kind(), "message" | "custom_message" | "branch_summary" | "compaction") {
            return Self::Other;
        }
        match entry.parse() {
            SessionEntry::Message(entry) => Self::Message(entry.message),
            SessionEntry::Compaction(entry) => Self::Compaction(Box::new(compaction(entry))),
            SessionEntry::BranchSummary(entry) => branch_summary(entry),
            other => other.into_message().map_or(Self::Other, Self::Injected),
        }
    }
}

impl EntryContent {
    /// The same as the model is shown it: summaries must not bring back what was left out.
    fn edited(self, entry: &str, edits: &mut ContextEdits) -> Self {
        match self {
            // Calls come before their results.
            Self::Message(message) if edits.is_orphan(&message) => Self::Other,
            Self::Message(message) => edits.apply(entry, message).map_or(Self::Other, Self::Message),
            Self::Injected(message) => edits.apply(entry, message).map_or(Self::Other, Self::Injected),
            other => other,
        }
    }
}

fn compaction(entry: CompactionEntry) -> Compaction {
    Compaction {
        summary: entry.summary,
        first_kept_entry_id: entry.first_kept_entry_id,
        tokens_before: entry.tokens_before,
        details: entry.details,
        from_hook: entry.from_hook,
    }
}

fn branch_summary(entry: BranchSummaryEntry) -> EntryContent {
    let files = entry.details.clone().filter(|_| entry.from_hook != Some(true));
    let message = SessionEntry::BranchSummary(entry).into_message();
    message.map_or(EntryContent::Other, |message| EntryContent::BranchSummary { message, files })
}
