//! What the model is shown of a session: the messages on the current branch, with compacted history summarised.

use std::sync::Arc;

use pi_ai::{Message, ThinkingLevel};

use super::ancestors::Ancestors;
use super::context_edit::ContextEdits;
use super::entry::{BranchSummaryEntry, CompactionEntry, CustomMessageEntry, SessionEntry};
use super::kind::Kind;
use super::memory::EntryMemory;
use super::record::StoredEntry;
use super::store::EntryStore;
use crate::host::iso_time::from_iso;
use crate::session::Error;
use crate::session::messages::{BranchSummaryMessage, CompactionSummaryMessage, CustomMessage};

/// When so many bytes were read without finding what a compaction kept, the index can tell whether it exists.
const FAR: usize = 64 << 20;

/// The state of a conversation at one entry.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SessionContext {
    /// The messages, oldest first; summaries appear as messages of their own roles.
    pub messages: Vec<Arc<Message>>,
    /// The last level set on the branch; `None` when none was ever set, which means `off`. A level that this
    /// version does not know counts as `off`, too.
    pub thinking_level: Option<ThinkingLevel>,
    /// The last model set or used on the branch.
    pub model: Option<ModelReference>,
    /// Ids of entries that should hold a message but are damaged; the context is built without them.
    pub unreadable: Vec<String>,
}

/// A model by name; it may no longer exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelReference {
    /// Provider id.
    pub provider: String,
    /// Model id.
    pub model_id: String,
}

/// Builds the context at an entry.
pub(super) fn build(store: &EntryStore, leaf: Option<&str>) -> Result<SessionContext, Error> {
    let (mut context, mut edits) = (SessionContext::default(), ContextEdits::default());
    let mut climb = Ancestors::new(store, leaf)?;
    let (compaction, contents) = span(&mut climb, |entry| {
        edits.note(&entry);
        context.take(&entry, store.memory()).edited(entry.id(), &mut edits)
    })?;
    if context.thinking_level.is_none() || context.model.is_none() {
        // Where nothing was ever said about them, the whole way has to be gone.
        climb.use_index()?;
        context.learn_from(&mut climb)?;
    }
    let summary = compaction.map(|compaction| Arc::new(compaction_summary(compaction).into()));
    context.messages.extend(summary);
    for content in contents {
        match content {
            Content::Message(message) if edits.is_orphan(&message) => {}
            Content::Message(message) => context.messages.push(message),
            Content::Unreadable(id) => context.unreadable.push(id),
            Content::Nothing => {}
        }
    }
    Ok(context)
}

/// What an entry gives to a context.
enum Content {
    Message(Arc<Message>),
    /// It should have given a message; this is its id.
    Unreadable(String),
    Nothing,
}

impl Content {
    /// The same as the edits further down the branch want it shown.
    fn edited(self, entry: &str, edits: &mut ContextEdits) -> Self {
        match self {
            Self::Message(message) => edits.apply(entry, message).map_or(Self::Nothing, Self::Message),
            other => other,
        }
    }
}

/// The entries that the context at an entry is made of, of all types, oldest first: from the first one that the last
/// compaction kept on, that compaction included.
pub(super) fn entries(store: &EntryStore, leaf: Option<&str>) -> Result<Vec<StoredEntry>, Error> {
    Ok(span(&mut Ancestors::new(store, leaf)?, |entry| entry)?.1)
}

/// Reads upwards as far as the context reaches. Returns the last compaction, and what `read` made of the entries, oldest
/// first.
fn span<T>(
    climb: &mut Ancestors<'_>,
    mut read: impl FnMut(StoredEntry) -> T,
) -> Result<(Option<CompactionEntry>, Vec<T>), Error> {
    let mut found = Vec::new();
    let mut compaction = None;
    while compaction.is_none()
        && let Some(rung) = climb.next()?
    {
        let kind = rung.kind;
        let entry = rung.entry()?;
        if kind == Kind::Compaction
            && let SessionEntry::Compaction(parsed) = entry.parse()
        {
            compaction = Some(parsed);
        }
        found.push(read(entry));
    }
    if let Some(compaction) = &compaction {
        add_kept(climb, &compaction.first_kept_entry_id, &mut read, &mut found)?;
    }
    found.reverse();
    Ok((compaction, found))
}

/// Adds everything up to the first kept entry; nothing when that is not further up.
fn add_kept<T>(
    climb: &mut Ancestors<'_>,
    first_kept: &str,
    read: &mut impl FnMut(StoredEntry) -> T,
    found: &mut Vec<T>,
) -> Result<(), Error> {
    let compacted = found.len();
    if climb.is_ahead(first_kept) == Some(false) {
        return Ok(());
    }
    let mut passed = 0;
    while let Some(rung) = climb.next()? {
        let entry = rung.entry()?;
        passed += entry.raw().len();
        let is_first = entry.id() == first_kept;
        found.push(read(entry));
        if is_first {
            return Ok(());
        }
        if passed > FAR {
            climb.use_index()?;
            if climb.is_ahead(first_kept) == Some(false) {
                break;
            }
            passed = 0;
        }
    }
    found.truncate(compacted);
    Ok(())
}

impl SessionContext {
    /// Takes over what an entry says about model and level, unless a later one did, and returns what it holds.
    fn take(&mut self, entry: &StoredEntry, memory: &EntryMemory) -> Content {
        let kind = Kind::of(entry.kind());
        memory.add(entry);
        if !kind.has_message() && !is_about_model(kind) {
            return Content::Nothing;
        }
        let parsed = entry.parse();
        self.learn(&parsed);
        if let SessionEntry::Message(entry) = &parsed {
            memory.add_message(entry);
        }
        if kind.has_message() && is_unreadable(&parsed) {
            return Content::Unreadable(entry.id().to_owned());
        }
        parsed.into_message().map_or(Content::Nothing, Content::Message)
    }

    fn learn(&mut self, entry: &SessionEntry) {
        match entry {
            SessionEntry::ThinkingLevelChange(change) if self.thinking_level.is_none() => {
                self.thinking_level = Some(ThinkingLevel::parse(&change.thinking_level).unwrap_or_default());
            }
            SessionEntry::ModelChange(change) if self.model.is_none() => {
                let (provider, model_id) = (change.provider.clone(), change.model_id.clone());
                self.model = Some(ModelReference { provider, model_id });
            }
            SessionEntry::Message(entry) if self.model.is_none() => {
                self.model = entry.message.as_assistant().map(|message| ModelReference {
                    provider: message.provider.to_string(),
                    model_id: message.model.to_string(),
                });
            }
            _ => {}
        }
    }

    /// Looks for model and level on the rest of the way; reads no more than that takes.
    fn learn_from(&mut self, climb: &mut Ancestors<'_>) -> Result<(), Error> {
        while (self.thinking_level.is_none() || self.model.is_none())
            && let Some(rung) = climb.next()?
        {
            let wanted = match rung.kind {
                Kind::ThinkingLevelChange => self.thinking_level.is_none(),
                Kind::ModelChange | Kind::Message => self.model.is_none(),
                _ => false,
            };
            if wanted {
                self.learn(&rung.entry()?.parse());
            }
        }
        Ok(())
    }
}

/// Whether the message of an entry is damaged. One of a role that is not known here is not.
fn is_unreadable(entry: &SessionEntry) -> bool {
    match entry {
        SessionEntry::Other(fields) => fields.is_empty(),
        SessionEntry::Message(entry) => match &*entry.message {
            Message::Other(other) => matches!(other.role(), "user" | "assistant" | "toolResult"),
            _ => false,
        },
        _ => false,
    }
}

fn is_about_model(kind: Kind) -> bool {
    matches!(kind, Kind::ThinkingLevelChange | Kind::ModelChange)
}

impl SessionEntry {
    /// The message that stands for the entry in a context: the stored one, or one made of an extension's message
    /// or a branch summary. `None` for everything else.
    pub fn into_message(self) -> Option<Arc<Message>> {
        match self {
            Self::Message(entry) => Some(entry.message),
            Self::CustomMessage(entry) => Some(Arc::new(custom_message(entry).into())),
            Self::BranchSummary(entry) if !entry.summary.is_empty() => Some(Arc::new(branch_summary(entry).into())),
            _ => None,
        }
    }
}

fn custom_message(entry: CustomMessageEntry) -> CustomMessage {
    CustomMessage {
        custom_type: entry.custom_type,
        content: entry.content,
        display: entry.display,
        details: entry.details,
        timestamp: unix_ms(&entry.timestamp),
    }
}

fn branch_summary(entry: BranchSummaryEntry) -> BranchSummaryMessage {
    BranchSummaryMessage { summary: entry.summary, from_id: entry.from_id, timestamp: unix_ms(&entry.timestamp) }
}

fn compaction_summary(entry: CompactionEntry) -> CompactionSummaryMessage {
    CompactionSummaryMessage {
        timestamp: unix_ms(&entry.timestamp),
        summary: entry.summary,
        tokens_before: entry.tokens_before,
    }
}

fn unix_ms(timestamp: &str) -> i64 {
    from_iso(timestamp).unwrap_or(0)
}
