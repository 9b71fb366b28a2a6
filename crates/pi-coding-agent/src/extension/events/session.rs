//! The life of a session: it begins, is replaced, compacted, goes to another branch, ends.

use std::path::PathBuf;
use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::compaction::Preparation;
use crate::events::{CompactionReason, ForkPosition};
use crate::session::{Compaction, StoredEntry};
use crate::wire::views::shapes;

/// A session begins; extensions may act on it from now on.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionStartEvent {
    /// Why.
    pub reason: StartReason,
    /// The file of the session before; present where one was replaced and had a file.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "shapes::optional_path")]
    pub previous_session_file: Option<PathBuf>,
}

/// Why a session begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum StartReason {
    /// The program started.
    Startup,
    /// Everything was read anew; the session is the same.
    Reload,
    /// The user began a new one.
    New,
    /// The user went to an existing one.
    Resume,
    /// The user branched off.
    Fork,
}

/// The session is about to be left for another one.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionBeforeSwitchEvent {
    /// Why.
    pub reason: SwitchReason,
    /// Where to, for an existing one.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "shapes::optional_path")]
    pub target_session_file: Option<PathBuf>,
}

/// Why a session is left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SwitchReason {
    /// For a new one.
    New,
    /// For an existing one.
    Resume,
}

/// The session is about to be left for a copy of one of its branches.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionBeforeForkEvent {
    /// The entry.
    pub entry_id: String,
    /// Whether the copy ends in front of it or behind it.
    pub position: ForkPosition,
}

/// Whether something is called off.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CancelOutcome {
    /// True: everything stays as it is.
    pub cancel: bool,
}

/// What shall become of a fork.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ForkOutcome {
    /// True: everything stays as it is.
    pub cancel: bool,
    /// The copy has all of the branch, wherever it was to end.
    pub skip_conversation_restore: bool,
}

impl ForkOutcome {
    /// Calls it off.
    pub fn cancel() -> Self {
        Self { cancel: true, ..Self::default() }
    }
}

impl CancelOutcome {
    /// Calls it off.
    pub fn cancel() -> Self {
        Self { cancel: true }
    }
}

/// The extension's time is over: the last event that it gets.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionShutdownEvent {
    /// Why.
    pub reason: ShutdownReason,
    /// The session that follows, if it has a file.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "shapes::optional_path")]
    pub target_session_file: Option<PathBuf>,
}

/// Why a session's extensions end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ShutdownReason {
    /// The program ends.
    Quit,
    /// Everything is read anew.
    Reload,
    /// A new session follows.
    New,
    /// An existing session follows.
    Resume,
    /// A branch of this one follows.
    Fork,
}

/// History is about to be summarised.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionBeforeCompactEvent {
    /// What would be summarised.
    #[serde(serialize_with = "shapes::preparation")]
    pub preparation: Arc<Preparation>,
    /// The branch, from its root.
    #[serde(serialize_with = "shapes::entries")]
    pub branch_entries: Arc<[StoredEntry]>,
    /// What the user wants the summary to heed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub custom_instructions: Option<String>,
    /// Why.
    pub reason: CompactionReason,
    /// Whether the failed prompt is repeated afterwards.
    pub will_retry: bool,
    /// Fires when the compaction is called off.
    #[serde(skip)]
    pub cancel: CancellationToken,
}

/// What shall become of a compaction.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BeforeCompactOutcome {
    /// True: there is none.
    pub cancel: bool,
    /// The result; no model is asked then.
    pub compaction: Option<Compaction>,
}

/// History was summarised.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionCompactEvent {
    /// The entry that was stored.
    #[serde(serialize_with = "shapes::entry")]
    pub compaction_entry: StoredEntry,
    /// Whether an extension made the summary.
    pub from_extension: bool,
    /// Why.
    pub reason: CompactionReason,
    /// Whether the failed prompt is repeated now.
    pub will_retry: bool,
}

/// History was to be summarised, and was not.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionCompactFailedEvent {
    /// Why it was to be.
    pub reason: CompactionReason,
    /// What went wrong; absent when it was called off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_message: Option<String>,
    /// Whether it was called off.
    pub aborted: bool,
    /// Whether the failed prompt would have been repeated.
    pub will_retry: bool,
    /// Whether an extension had made the summary.
    pub from_extension: bool,
}

/// The conversation is about to go on somewhere else in its tree.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionBeforeTreeEvent {
    /// What is planned.
    pub preparation: Arc<TreePreparation>,
    /// Fires when it is called off.
    #[serde(skip)]
    pub cancel: CancellationToken,
}

/// Where a conversation goes, and what it leaves.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TreePreparation {
    /// The chosen entry.
    pub target_id: String,
    /// Where the conversation stands.
    pub old_leaf_id: Option<String>,
    /// The last entry that both branches share.
    pub common_ancestor_id: Option<String>,
    /// What is left, oldest first.
    #[serde(serialize_with = "shapes::entries")]
    pub entries_to_summarize: Arc<[StoredEntry]>,
    /// Whether the user wants a summary of that.
    pub user_wants_summary: bool,
    /// What the summary should heed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub custom_instructions: Option<String>,
    /// Whether these take the place of the usual instructions.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub replace_instructions: bool,
    /// A label for the place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

/// What shall become of it. What is absent stays as planned.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BeforeTreeOutcome {
    /// True: the conversation stays where it is.
    pub cancel: bool,
    /// The summary; counts only where the user wants one.
    pub summary: Option<SuppliedSummary>,
    /// What the summary should heed.
    pub custom_instructions: Option<String>,
    /// Whether these take the place of the usual instructions.
    pub replace_instructions: Option<bool>,
    /// A label for the place.
    pub label: Option<String>,
}

/// A summary that an extension made.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SuppliedSummary {
    /// The text.
    pub summary: String,
    /// Data of the extension.
    pub details: Option<Value>,
}

/// The conversation went somewhere else in its tree.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionTreeEvent {
    /// Where it stands; `None` before the first entry.
    pub new_leaf_id: Option<String>,
    /// Where it stood.
    pub old_leaf_id: Option<String>,
    /// The summary of what was left.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "shapes::optional_entry")]
    pub summary_entry: Option<StoredEntry>,
    /// Whether an extension made that.
    pub from_extension: bool,
}
