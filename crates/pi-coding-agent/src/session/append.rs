//! Appending entries: each gets an id, the leaf as its parent and the time, becomes the leaf, and goes to the file.
//!
//! An entry is in the session even when writing it failed; the error says so, and the next append or
//! [`SessionManager::sync`] writes it again. Calls block for one small write.

use std::sync::Arc;

use pi_ai::{Extra, Message, UserContent};
use serde_json::Value;

#[cfg(doc)]
use super::durability::Durability;
use super::effect_journal::forget_effects;
use super::entry::{
    BranchSummaryEntry, CompactionEntry, CustomEntry, CustomMessageEntry, EntryBase, LabelEntry, MessageEntry,
    ModelChangeEntry, SessionEntry, SessionInfoEntry, ThinkingLevelEntry,
};
use super::index::key;
use super::log::{SessionLog, SyncJob};
use super::manager::SessionManager;
use super::record::StoredEntry;
use crate::host::ids::entry_id;
use crate::host::iso_time::to_iso;
use crate::session::Error;
use crate::session::messages::{AppMessage, CustomMessage};

/// What a compaction leaves behind.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Compaction {
    /// What the summarised history said.
    pub summary: String,
    /// The first entry that stays in the context as it is.
    pub first_kept_entry_id: String,
    /// Size of the context before, in tokens.
    pub tokens_before: u64,
    /// Data of whoever summarised.
    pub details: Option<Value>,
    /// Whether an extension made the summary.
    pub from_hook: Option<bool>,
}

/// A message of an extension.
#[derive(Debug, Clone, PartialEq)]
pub struct CustomMessageContent {
    /// Which extension's message this is.
    pub custom_type: String,
    /// What the model sees.
    pub content: UserContent,
    /// Whether people see it, too.
    pub display: bool,
    /// Data of the extension.
    pub details: Option<Value>,
}

impl CustomMessageContent {
    /// A text that people see.
    pub fn text(custom_type: impl Into<String>, text: impl Into<String>) -> Self {
        let (custom_type, content) = (custom_type.into(), UserContent::Text(text.into()));
        Self { custom_type, content, display: true, details: None }
    }
}

impl From<CustomMessage> for CustomMessageContent {
    fn from(message: CustomMessage) -> Self {
        let CustomMessage { custom_type, content, display, details, timestamp: _ } = message;
        Self { custom_type, content, display, details }
    }
}

/// The summary of a branch that was left.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BranchSummary {
    /// What happened there.
    pub summary: String,
    /// Data of whoever summarised.
    pub details: Option<Value>,
    /// Whether an extension made the summary.
    pub from_hook: Option<bool>,
}

/// Appends entries to a session: [`SessionManager::append`].
#[derive(Debug)]
pub struct Append<'a> {
    session: &'a mut SessionManager,
}

/// All return the id of the new entry.
///
/// # Errors
/// [`Error::Write`] and its kin when the entry is in the session but not in the file.
impl Append<'_> {
    /// Appends a message. With the first one of user, model or tool the session gets its file.
    pub fn message(&mut self, message: Arc<Message>) -> Result<String, Error> {
        let EntryBase { id, parent_id, timestamp } = self.next_base();
        let entry = MessageEntry { id, parent_id, timestamp, message, extra: Extra::new() };
        self.session.entries.store().memory().add_message(&entry);
        let is_said = !matches!(&*entry.message, Message::Other(_));
        if is_said {
            self.session.storage.needs_file();
        }
        self.entry(&SessionEntry::Message(entry))
    }

    /// Appends a message of the conversation as the kind of entry that it is: those of extensions have one of their own.
    pub fn any_message(&mut self, message: Arc<Message>) -> Result<String, Error> {
        let app = match &*message {
            Message::Other(other) => AppMessage::from_other(other),
            _ => None,
        };
        match app {
            Some(AppMessage::Custom(custom)) => self.custom_message(custom.into()),
            _ => self.message(message),
        }
    }

    /// Appends a change of the thinking level.
    pub fn thinking_level_change(&mut self, level: &str) -> Result<String, Error> {
        let EntryBase { id, parent_id, timestamp } = self.next_base();
        let entry =
            ThinkingLevelEntry { id, parent_id, timestamp, thinking_level: level.to_owned(), extra: Extra::new() };
        self.entry(&SessionEntry::ThinkingLevelChange(entry))
    }

    /// Appends a change of the model.
    pub fn model_change(&mut self, provider: &str, model_id: &str) -> Result<String, Error> {
        let EntryBase { id, parent_id, timestamp } = self.next_base();
        let (provider, model_id) = (provider.to_owned(), model_id.to_owned());
        let entry = ModelChangeEntry { id, parent_id, timestamp, provider, model_id, extra: Extra::new() };
        self.entry(&SessionEntry::ModelChange(entry))
    }

    /// Appends the summary of older history.
    pub fn compaction(&mut self, compaction: Compaction) -> Result<String, Error> {
        let EntryBase { id, parent_id, timestamp } = self.next_base();
        let Compaction { summary, first_kept_entry_id, tokens_before, details, from_hook } = compaction;
        let extra = Extra::new();
        self.entry(&SessionEntry::Compaction(CompactionEntry {
            id,
            parent_id,
            timestamp,
            summary,
            first_kept_entry_id,
            tokens_before,
            details,
            from_hook,
            extra,
        }))
    }

    /// Appends data of an extension that the model does not see.
    pub fn custom_entry(&mut self, custom_type: &str, data: Option<Value>) -> Result<String, Error> {
        let EntryBase { id, parent_id, timestamp } = self.next_base();
        let custom_type = custom_type.to_owned();
        let entry = CustomEntry { custom_type, data, id, parent_id, timestamp, extra: Extra::new() };
        self.entry(&SessionEntry::Custom(entry))
    }

    /// Appends a message of an extension that the model sees.
    #[doc(alias = "appendCustomMessageEntry")]
    pub fn custom_message(&mut self, message: CustomMessageContent) -> Result<String, Error> {
        let EntryBase { id, parent_id, timestamp } = self.next_base();
        let CustomMessageContent { custom_type, content, display, details } = message;
        let extra = Extra::new();
        let entry = CustomMessageEntry { custom_type, content, display, details, id, parent_id, timestamp, extra };
        self.entry(&SessionEntry::CustomMessage(entry))
    }

    /// Appends a name for the session; blanks around it are removed, an empty one clears the name.
    pub fn session_info(&mut self, name: &str) -> Result<String, Error> {
        let EntryBase { id, parent_id, timestamp } = self.next_base();
        let entry = SessionInfoEntry { id, parent_id, timestamp, name: name.trim().to_owned(), extra: Extra::new() };
        self.entry(&SessionEntry::SessionInfo(entry))
    }

    /// Appends a label for another entry; `None` or an empty text removes it.
    ///
    /// # Errors
    /// Also [`Error::EntryNotFound`]; then nothing is appended.
    pub fn label_change(&mut self, target: &str, label: Option<&str>) -> Result<String, Error> {
        self.session.entries.check_known(target)?;
        let EntryBase { id, parent_id, timestamp } = self.next_base();
        let label = label.filter(|text| !text.is_empty()).map(str::to_owned);
        let entry = LabelEntry { id, parent_id, timestamp, target_id: target.to_owned(), label, extra: Extra::new() };
        self.entry(&SessionEntry::Label(entry))
    }

    /// Appends the summary of a branch that was left, at the leaf.
    pub(super) fn branch_summary(&mut self, summary: BranchSummary) -> Result<String, Error> {
        let EntryBase { id, parent_id, timestamp } = self.next_base();
        let BranchSummary { summary, details, from_hook } = summary;
        let from_id = parent_id.clone().unwrap_or_else(|| "root".to_owned());
        let entry =
            BranchSummaryEntry { id, parent_id, timestamp, from_id, summary, details, from_hook, extra: Extra::new() };
        self.entry(&SessionEntry::BranchSummary(entry))
    }

    /// What the next entry begins with. In front of the first one behind a crash come the results that are missing.
    fn next_base(&mut self) -> EntryBase {
        let SessionManager { header, storage, entries, .. } = &mut *self.session;
        storage.stay_in_place(header, entries);
        self.add_missing_results();
        self.plain_base()
    }

    /// A failed write is reported by the append that follows: it goes out with that.
    fn add_missing_results(&mut self) {
        if !self.session.resumed || self.session.storage.read_only().is_some() {
            return;
        }
        let missing = self.session.missing_results().unwrap_or_default();
        self.session.resumed = false;
        let mut written = true;
        for message in missing {
            let EntryBase { id, parent_id, timestamp } = self.plain_base();
            let entry = MessageEntry { id, parent_id, timestamp, message, extra: Extra::new() };
            written &= self.entry(&SessionEntry::Message(entry)).is_ok();
        }
        if let Some(file) = self.session.session_file().filter(|_| written) {
            forget_effects(file);
        }
    }

    fn plain_base(&self) -> EntryBase {
        EntryBase {
            id: self.next_id(),
            parent_id: self.session.leaf_id().map(str::to_owned),
            timestamp: to_iso(self.session.host.clock.now_ms()),
        }
    }

    /// A short id that no entry has; a long one as long as not all entries are known.
    pub(super) fn next_id(&self) -> String {
        let ids = self.session.host.ids.as_ref();
        match self.session.entries.store().known_index() {
            Some(index) => entry_id(ids, |id| index.slots().find(key(id)).is_some()),
            None => ids.uuid(),
        }
    }

    /// Takes the entry into the session and writes it.
    fn entry(&mut self, entry: &SessionEntry) -> Result<String, Error> {
        self.stored(&StoredEntry::write(entry)?)
    }

    /// The same with a finished line.
    pub(super) fn stored(&mut self, stored: &StoredEntry) -> Result<String, Error> {
        let SessionManager { header, storage, entries, resumed, .. } = &mut *self.session;
        let written = storage.append(stored, entries);
        if storage.read_only().is_none() {
            *resumed = false;
        }
        written.and_then(|()| storage.materialise(header, entries)).map(|()| stored.id().to_owned())
    }
}

impl SessionManager {
    /// Appends a message. With the first one of user, model or tool the session gets its file. Returns the id of the entry.
    ///
    /// # Errors
    /// [`Error::Write`] and its kin when the entry is in the session but not in the file.
    pub fn append_message(&mut self, message: Arc<Message>) -> Result<String, Error> {
        self.append().message(message)
    }

    /// Appends entries of all kinds.
    pub fn append(&mut self) -> Append<'_> {
        Append { session: self }
    }

    /// Waits until everything appended is on the disk. Meant for the end of a turn. Blocks for as long as the disk
    /// takes. With [`Durability::None`] it only hands over what an earlier append could not.
    ///
    /// # Errors
    /// [`Error::Write`].
    pub fn sync(&mut self) -> Result<(), Error> {
        self.sync_job().map_or(Ok(()), |job| job())
    }

    /// The same as a job for another thread; `None` when there is nothing to wait for. The session can be used
    /// meanwhile.
    pub(crate) fn sync_job(&mut self) -> Option<SyncJob> {
        self.storage.sync_job(&self.header, &mut self.entries)
    }

    /// What is appended from now on belongs to a conversation: with it the file is made, if there is none.
    pub(crate) fn needs_file(&mut self) {
        self.storage.needs_file();
    }

    /// Creates the file, if it is due, with everything there is so far.
    pub(crate) fn materialise(&mut self) -> Result<(), Error> {
        self.storage.materialise(&self.header, &mut self.entries)
    }
}

/// Replaces the file behind the session, for tests of failing disks. Has no effect before the file exists. What is
/// appended from then on stays in memory, too.
#[doc(hidden)]
pub fn replace_log(session: &mut SessionManager, log: SessionLog) {
    if session.storage.replace_log(log) {
        session.entries.store_mut().keep_in_memory();
    }
}
