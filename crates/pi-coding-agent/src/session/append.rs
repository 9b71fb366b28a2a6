//! Appending entries: each gets an id, the leaf as its parent and the time, becomes the leaf, and goes to the file.
//!
//! An entry is in the session even when writing it failed; the error says so, and the next append or
//! [`SessionManager::sync`] writes it again. Calls block for one small write.

use std::fs::File;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;

use pi_ai::{Extra, Message, UserContent};
use serde_json::Value;

use super::beginning::{header_line, prepare_directory};
use super::durability::Durability;
use super::effects::forget_effects;
use super::entry::{
    BranchSummaryEntry, CompactionEntry, CustomEntry, CustomMessageEntry, EntryBase, LabelEntry, MessageEntry,
    ModelChangeEntry, SessionEntry, SessionInfoEntry, ThinkingLevelEntry,
};
use super::index::key;
use super::lock::create_locked;
use super::log::{SessionLog, SyncJob};
use super::manager::{SessionManager, Storage};
use super::record::StoredEntry;
use crate::ids::entry_id;
use crate::iso_time::to_iso;
use crate::messages::{AppMessage, CustomMessage};
use crate::session::Error;

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

/// All return the id of the new entry.
///
/// # Errors
/// [`Error::Write`] and its kin when the entry is in the session but not in the file.
impl SessionManager {
    /// Appends a message. With the first one of user, model or tool the session gets its file.
    pub fn append_message(&mut self, message: Arc<Message>) -> Result<String, Error> {
        let EntryBase { id, parent_id, timestamp } = self.next_base();
        let entry = MessageEntry { id, parent_id, timestamp, message, extra: Extra::new() };
        self.store.memory().add_message(&entry);
        let is_said = !matches!(&*entry.message, Message::Other(_));
        if is_said {
            self.needs_file();
        }
        self.append(&SessionEntry::Message(entry))
    }

    /// Appends a message of the conversation as the kind of entry that it is: those of extensions have one of their own.
    pub fn append_said(&mut self, message: Arc<Message>) -> Result<String, Error> {
        let app = match &*message {
            Message::Other(other) => AppMessage::from_other(other),
            _ => None,
        };
        match app {
            Some(AppMessage::Custom(custom)) => self.append_custom_message(custom.into()),
            _ => self.append_message(message),
        }
    }

    /// Appends a change of the thinking level.
    pub fn append_thinking_level_change(&mut self, level: &str) -> Result<String, Error> {
        let EntryBase { id, parent_id, timestamp } = self.next_base();
        let entry =
            ThinkingLevelEntry { id, parent_id, timestamp, thinking_level: level.to_owned(), extra: Extra::new() };
        self.append(&SessionEntry::ThinkingLevelChange(entry))
    }

    /// Appends a change of the model.
    pub fn append_model_change(&mut self, provider: &str, model_id: &str) -> Result<String, Error> {
        let EntryBase { id, parent_id, timestamp } = self.next_base();
        let (provider, model_id) = (provider.to_owned(), model_id.to_owned());
        let entry = ModelChangeEntry { id, parent_id, timestamp, provider, model_id, extra: Extra::new() };
        self.append(&SessionEntry::ModelChange(entry))
    }

    /// Appends the summary of older history.
    pub fn append_compaction(&mut self, compaction: Compaction) -> Result<String, Error> {
        let EntryBase { id, parent_id, timestamp } = self.next_base();
        let Compaction { summary, first_kept_entry_id, tokens_before, details, from_hook } = compaction;
        let extra = Extra::new();
        self.append(&SessionEntry::Compaction(CompactionEntry {
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
    pub fn append_custom_entry(&mut self, custom_type: &str, data: Option<Value>) -> Result<String, Error> {
        let EntryBase { id, parent_id, timestamp } = self.next_base();
        let custom_type = custom_type.to_owned();
        let entry = CustomEntry { custom_type, data, id, parent_id, timestamp, extra: Extra::new() };
        self.append(&SessionEntry::Custom(entry))
    }

    /// Appends a message of an extension that the model sees.
    #[doc(alias = "appendCustomMessageEntry")]
    pub fn append_custom_message(&mut self, message: CustomMessageContent) -> Result<String, Error> {
        let EntryBase { id, parent_id, timestamp } = self.next_base();
        let CustomMessageContent { custom_type, content, display, details } = message;
        let extra = Extra::new();
        let entry = CustomMessageEntry { custom_type, content, display, details, id, parent_id, timestamp, extra };
        self.append(&SessionEntry::CustomMessage(entry))
    }

    /// Appends a name for the session; blanks around it are removed, an empty one clears the name.
    pub fn append_session_info(&mut self, name: &str) -> Result<String, Error> {
        let EntryBase { id, parent_id, timestamp } = self.next_base();
        let entry = SessionInfoEntry { id, parent_id, timestamp, name: name.trim().to_owned(), extra: Extra::new() };
        self.append(&SessionEntry::SessionInfo(entry))
    }

    /// Appends a label for another entry; `None` or an empty text removes it.
    ///
    /// # Errors
    /// Also [`Error::EntryNotFound`]; then nothing is appended.
    pub fn append_label_change(&mut self, target: &str, label: Option<&str>) -> Result<String, Error> {
        self.check_known(target)?;
        let EntryBase { id, parent_id, timestamp } = self.next_base();
        let label = label.filter(|text| !text.is_empty()).map(str::to_owned);
        let entry = LabelEntry { id, parent_id, timestamp, target_id: target.to_owned(), label, extra: Extra::new() };
        self.append(&SessionEntry::Label(entry))
    }

    /// Appends the summary of a branch that was left, at the leaf.
    pub(super) fn append_branch_summary(&mut self, summary: BranchSummary) -> Result<String, Error> {
        let EntryBase { id, parent_id, timestamp } = self.next_base();
        let BranchSummary { summary, details, from_hook } = summary;
        let from_id = parent_id.clone().unwrap_or_else(|| "root".to_owned());
        let entry =
            BranchSummaryEntry { id, parent_id, timestamp, from_id, summary, details, from_hook, extra: Extra::new() };
        self.append(&SessionEntry::BranchSummary(entry))
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
    pub fn sync_job(&mut self) -> Option<SyncJob> {
        if let Err(error) = self.materialise() {
            return Some(Box::new(move || Err(error)));
        }
        if matches!(&self.storage, Storage::File(log) if log.is_unsynced() || log.has_pending()) {
            self.stay_in_place();
        }
        match &mut self.storage {
            Storage::File(log) if self.durability == Durability::None && !log.has_pending() => None,
            Storage::File(log) => log.sync_job(),
            Storage::Memory | Storage::Deferred { .. } | Storage::ReadOnly { .. } => None,
        }
    }

    /// Replaces the file behind the session, for tests of failing disks. Has no effect before the file exists. What is
    /// appended from then on stays in memory, too.
    #[doc(hidden)]
    pub fn replace_log(&mut self, log: SessionLog) {
        if let Storage::File(current) = &mut self.storage {
            *current = log;
            self.store.keep_in_memory();
        }
    }

    /// What the next entry begins with. In front of the first one behind a crash come the results that are missing.
    fn next_base(&mut self) -> EntryBase {
        self.stay_in_place();
        self.add_missing_results();
        self.plain_base()
    }

    /// A failed write is reported by the append that follows: it goes out with that.
    fn add_missing_results(&mut self) {
        if !self.resumed || self.read_only().is_some() {
            return;
        }
        let missing = self.missing_results().unwrap_or_default();
        self.resumed = false;
        let mut written = true;
        for message in missing {
            let EntryBase { id, parent_id, timestamp } = self.plain_base();
            let entry = MessageEntry { id, parent_id, timestamp, message, extra: Extra::new() };
            written &= self.append(&SessionEntry::Message(entry)).is_ok();
        }
        if let Some(file) = self.session_file().filter(|_| written) {
            forget_effects(file);
        }
    }

    fn plain_base(&self) -> EntryBase {
        EntryBase {
            id: self.next_id(),
            parent_id: self.leaf.as_deref().map(str::to_owned),
            timestamp: to_iso(self.host.clock.now_ms()),
        }
    }

    /// A short id that no entry has; a long one as long as not all entries are known.
    pub(super) fn next_id(&self) -> String {
        match self.store.known_index() {
            Some(index) => entry_id(self.host.ids.as_ref(), |id| index.slots().find(key(id)).is_some()),
            None => self.host.ids.uuid(),
        }
    }

    /// What is appended from now on belongs to a conversation: with it the file is made, if there is none.
    pub(crate) fn needs_file(&mut self) {
        if let Storage::Deferred { due, .. } = &mut self.storage {
            *due = true;
        }
    }

    /// Takes the entry into the session and writes it.
    fn append(&mut self, entry: &SessionEntry) -> Result<String, Error> {
        self.append_stored(&StoredEntry::write(entry)?)
    }

    /// The same with a finished line.
    pub(super) fn append_stored(&mut self, stored: &StoredEntry) -> Result<String, Error> {
        let (mut offset, mut written) = (None, Ok(()));
        match &mut self.storage {
            Storage::Memory | Storage::Deferred { .. } => {}
            Storage::File(log) => {
                written = log.append(stored.raw());
                let start = log.end().checked_sub(stored.raw().len() as u64 + 1);
                offset = start.filter(|_| !log.has_pending());
            }
            Storage::ReadOnly { file, reason } => {
                return Err(Error::ReadOnly { path: file.clone(), reason: *reason });
            }
        }
        self.leaf = Some(Arc::from(stored.id()));
        self.resumed = false;
        self.store.push(stored, offset);
        written.and_then(|()| self.materialise()).map(|()| stored.id().to_owned())
    }

    /// Creates the file, if it is due, with everything there is so far.
    pub(crate) fn materialise(&mut self) -> Result<(), Error> {
        let Storage::Deferred { file, due: true, .. } = &self.storage else { return Ok(()) };
        let header = header_line(&self.header)?;
        let first = header.len() as u64 + 1;
        let mut text = header;
        for line in self.store.lines_in_memory() {
            text.push('\n');
            text.push_str(line);
        }
        let file = file.clone();
        let handle = create_with_directory(&file)?;
        let reader = handle.try_clone().map_err(|source| Error::Open { path: file.clone(), source });
        let mut log = SessionLog::new(&file, Box::new(handle)).newly_created();
        log.sync_every_entry(self.durability == Durability::Entry);
        let written = log.append(&text);
        if let Ok(reader) = reader
            && !log.has_pending()
        {
            self.store.moved_to_file(&file, reader, first);
        }
        // From here on the file exists, and its lock is ours, so that the claim may go; what it could not take is pending
        // in the log.
        self.storage = Storage::File(log);
        written
    }
}

/// The directory was there when the session began; somebody may have removed it since.
fn create_with_directory(file: &Path) -> Result<File, Error> {
    match create_locked(file) {
        Err(Error::Write { source, .. }) if source.kind() == ErrorKind::NotFound => {
            prepare_directory(file.parent().unwrap_or(Path::new(".")))?;
            create_locked(file)
        }
        created => created,
    }
}
