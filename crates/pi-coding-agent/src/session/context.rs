//! What the model is shown of a session: the messages on the current branch, with compacted history summarised.

use std::sync::Arc;

use pi_ai::{Message, ThinkingLevel};

use super::entry::{BranchSummaryEntry, CompactionEntry, CustomMessageEntry, SessionEntry};
use super::record::StoredEntry;
use crate::iso_time::from_iso;
use crate::messages::{BranchSummaryMessage, CompactionSummaryMessage, CustomMessage};

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
}

/// A model by name; it may no longer exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelReference {
    /// Provider id.
    pub provider: String,
    /// Model id.
    pub model_id: String,
}

/// Builds the context of a branch given from root to leaf.
pub(super) fn build(branch: &[&StoredEntry]) -> SessionContext {
    let compaction = branch.iter().rposition(|entry| entry.kind() == "compaction");
    let messages = match compaction.map(|index| (index, branch[index].parse())) {
        Some((index, SessionEntry::Compaction(compaction))) => compacted(branch, index, &compaction),
        _ => branch.iter().filter_map(|entry| message_of(entry)).collect(),
    };
    SessionContext { messages, thinking_level: last_level(branch), model: last_model(branch) }
}

/// The summary, what was kept of the history before it, and everything after it.
fn compacted(branch: &[&StoredEntry], index: usize, compaction: &CompactionEntry) -> Vec<Arc<Message>> {
    let summary = CompactionSummaryMessage {
        summary: compaction.summary.clone(),
        tokens_before: compaction.tokens_before,
        timestamp: unix_ms(&compaction.timestamp),
    };
    let before = &branch[..index];
    let kept = before.iter().position(|entry| entry.id() == compaction.first_kept_entry_id).unwrap_or(index);
    let rest = before[kept..].iter().chain(&branch[index + 1..]);
    std::iter::once(Arc::new(summary.into())).chain(rest.filter_map(|entry| message_of(entry))).collect()
}

/// The message that an entry stands for; entries of other types are not even parsed.
fn message_of(entry: &StoredEntry) -> Option<Arc<Message>> {
    let has_message = matches!(entry.kind(), "message" | "custom_message" | "branch_summary");
    has_message.then(|| entry.parse())?.into_message()
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

fn last_level(branch: &[&StoredEntry]) -> Option<ThinkingLevel> {
    branch.iter().rev().filter(|entry| entry.kind() == "thinking_level_change").find_map(|entry| match entry.parse() {
        SessionEntry::ThinkingLevelChange(change) => {
            Some(ThinkingLevel::parse(&change.thinking_level).unwrap_or_default())
        }
        _ => None,
    })
}

fn last_model(branch: &[&StoredEntry]) -> Option<ModelReference> {
    let candidates = branch.iter().rev().filter(|entry| matches!(entry.kind(), "model_change" | "message"));
    candidates.into_iter().find_map(|entry| match entry.parse() {
        SessionEntry::ModelChange(change) => {
            Some(ModelReference { provider: change.provider, model_id: change.model_id })
        }
        SessionEntry::Message(entry) => entry
            .message
            .as_assistant()
            .map(|message| ModelReference { provider: message.provider.clone(), model_id: message.model.clone() }),
        _ => None,
    })
}

fn unix_ms(timestamp: &str) -> i64 {
    from_iso(timestamp).unwrap_or(0)
}
