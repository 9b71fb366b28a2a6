//! The entries of a session file: one closed struct per type that this version understands, inside an open enum.
//!
//! The order of the fields is the order of the keys on disk. The raw line stays the truth (`record.rs`); these
//! types are made from it on demand and turned into it once, when an entry is appended.

use std::sync::Arc;

use pi_ai::{Extra, Message, UserContent};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

/// One entry, told apart by its `type`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum SessionEntry {
    /// A message of the conversation.
    Message(MessageEntry),
    /// The thinking level changed.
    ThinkingLevelChange(ThinkingLevelEntry),
    /// The model changed.
    ModelChange(ModelChangeEntry),
    /// Older history was summarised.
    Compaction(CompactionEntry),
    /// A branch that was left was summarised.
    BranchSummary(BranchSummaryEntry),
    /// Data of an extension, not part of the model's context.
    Custom(CustomEntry),
    /// A message of an extension, part of the model's context.
    CustomMessage(CustomMessageEntry),
    /// A label was set on an entry or removed from it.
    Label(LabelEntry),
    /// The session was named.
    SessionInfo(SessionInfoEntry),
    /// A type that this version does not know, or a known one of a shape that it cannot read.
    #[serde(untagged)]
    Other(Map<String, Value>),
}

/// What all entries have in common: their place in the tree and in time.
pub(super) struct EntryBase {
    /// Id, unique in the file.
    pub(super) id: String,
    /// The entry that this one follows; `None` for a root.
    pub(super) parent_id: Option<String>,
    /// When it was appended, ISO 8601.
    pub(super) timestamp: String,
}

/// A `message` entry.
#[doc(alias = "SessionMessageEntry")]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MessageEntry {
    /// Id.
    pub id: String,
    /// Parent.
    pub parent_id: Option<String>,
    /// ISO time.
    pub timestamp: String,
    /// The message; compaction and branch summaries are never stored as one.
    pub message: Arc<Message>,
    /// Unknown fields.
    #[serde(flatten)]
    pub extra: Extra,
}

/// A `thinking_level_change` entry.
#[doc(alias = "ThinkingLevelChangeEntry")]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ThinkingLevelEntry {
    /// Id.
    pub id: String,
    /// Parent.
    pub parent_id: Option<String>,
    /// ISO time.
    pub timestamp: String,
    /// The level from here on.
    pub thinking_level: String,
    /// Unknown fields.
    #[serde(flatten)]
    pub extra: Extra,
}

/// A `model_change` entry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ModelChangeEntry {
    /// Id.
    pub id: String,
    /// Parent.
    pub parent_id: Option<String>,
    /// ISO time.
    pub timestamp: String,
    /// Provider id.
    pub provider: String,
    /// Model id.
    pub model_id: String,
    /// Unknown fields.
    #[serde(flatten)]
    pub extra: Extra,
}

/// A `compaction` entry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CompactionEntry {
    /// Id.
    pub id: String,
    /// Parent.
    pub parent_id: Option<String>,
    /// ISO time.
    pub timestamp: String,
    /// What the summarised history said.
    pub summary: String,
    /// The first entry that stays in the context as it is.
    #[serde(default)]
    pub first_kept_entry_id: String,
    /// Size of the context before, in tokens.
    #[serde(default, deserialize_with = "count")]
    pub tokens_before: u64,
    /// Data of whoever summarised, for example the files that were read and changed.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub details: Option<Value>,
    /// Whether an extension made the summary.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from_hook: Option<bool>,
    /// Unknown fields.
    #[serde(flatten)]
    pub extra: Extra,
}

/// A `branch_summary` entry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BranchSummaryEntry {
    /// Id.
    pub id: String,
    /// Parent.
    pub parent_id: Option<String>,
    /// ISO time.
    pub timestamp: String,
    /// Where the summary is attached: the parent's id, or `root`.
    pub from_id: String,
    /// What happened on the branch that was left.
    pub summary: String,
    /// Data of whoever summarised.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub details: Option<Value>,
    /// Whether an extension made the summary.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from_hook: Option<bool>,
    /// Unknown fields.
    #[serde(flatten)]
    pub extra: Extra,
}

/// A `custom` entry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CustomEntry {
    /// Which extension's data this is.
    pub custom_type: String,
    /// The data.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
    /// Id.
    pub id: String,
    /// Parent.
    pub parent_id: Option<String>,
    /// ISO time.
    pub timestamp: String,
    /// Unknown fields.
    #[serde(flatten)]
    pub extra: Extra,
}

/// A `custom_message` entry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CustomMessageEntry {
    /// Which extension's message this is.
    pub custom_type: String,
    /// What the model sees.
    pub content: UserContent,
    /// Whether people see it, too.
    #[serde(default)]
    pub display: bool,
    /// Data of the extension.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub details: Option<Value>,
    /// Id.
    pub id: String,
    /// Parent.
    pub parent_id: Option<String>,
    /// ISO time.
    pub timestamp: String,
    /// Unknown fields.
    #[serde(flatten)]
    pub extra: Extra,
}

/// A `label` entry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LabelEntry {
    /// Id.
    pub id: String,
    /// Parent.
    pub parent_id: Option<String>,
    /// ISO time.
    pub timestamp: String,
    /// The entry that the label is on.
    pub target_id: String,
    /// The label; absent or empty removes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Unknown fields.
    #[serde(flatten)]
    pub extra: Extra,
}

/// A `session_info` entry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionInfoEntry {
    /// Id.
    pub id: String,
    /// Parent.
    pub parent_id: Option<String>,
    /// ISO time.
    pub timestamp: String,
    /// The session's name; empty removes it.
    #[serde(default)]
    pub name: String,
    /// Unknown fields.
    #[serde(flatten)]
    pub extra: Extra,
}

/// A number of tokens, however it was written.
fn count<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    let value = Value::deserialize(deserializer)?;
    // `as` saturates, so negative and absurdly large numbers stay in range.
    Ok(value.as_u64().unwrap_or_else(|| value.as_f64().unwrap_or(0.0) as u64))
}

/// A value in which `null` is not an absence.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}
