//! What a compaction of a branch would summarise, and what it would keep.

use std::sync::Arc;

use pi_ai::Message;

use super::cut_point::find_cut_point;
use super::entry::{BranchEntry, EntryContent};
use super::file_ops::FileOps;
use super::tokens::{CompactionSettings, estimate_context_tokens};
use crate::session::Compaction;

/// A compaction that can begin.
#[derive(Debug, Clone, PartialEq)]
pub struct Preparation {
    /// The first entry that stays in the context as it is.
    pub first_kept_entry_id: String,
    /// History before the kept part, without the turn that is cut through.
    pub messages_to_summarize: Vec<Arc<Message>>,
    /// Beginning of the turn that is cut through; empty when the cut falls between two turns.
    pub turn_prefix_messages: Vec<Arc<Message>>,
    /// Size of the context now, in tokens.
    pub tokens_before: u64,
    /// Summary of the compaction before.
    pub previous_summary: Option<String>,
    /// Files that were read and changed in all of it.
    pub file_ops: FileOps,
    /// The settings in force.
    pub settings: CompactionSettings,
}

impl Preparation {
    /// Whether the cut goes through a turn.
    pub fn is_split_turn(&self) -> bool {
        !self.turn_prefix_messages.is_empty()
    }
}

/// Why there is nothing to do. Clients know the texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NothingToCompact {
    /// The branch ends in a compaction.
    #[error("Already compacted")]
    AlreadyCompacted,
    /// Everything fits into what is kept.
    #[error("Nothing to compact (session too small)")]
    TooSmall,
}

/// Decides what to summarise. `context` is what the model sees of the branch now.
///
/// History that an earlier compaction kept is summarised this time; its summary is carried on.
///
/// # Errors
/// When there is nothing to do.
pub fn prepare(
    entries: &[BranchEntry],
    context: &[Arc<Message>],
    settings: &CompactionSettings,
) -> Result<Preparation, NothingToCompact> {
    if matches!(entries.last().map(|entry| &entry.content), Some(EntryContent::Compaction(_))) {
        return Err(NothingToCompact::AlreadyCompacted);
    }
    let previous = previous_compaction(entries);
    let start = previous.map_or(0, |(index, compaction)| boundary(entries, index, compaction));
    let cut = find_cut_point(entries, start, settings.keep_recent_tokens);
    let first_kept = entries.get(cut.first_kept).filter(|entry| !entry.id.is_empty());
    let first_kept = first_kept.ok_or(NothingToCompact::TooSmall)?;

    let history_end = cut.turn_start.unwrap_or(cut.first_kept);
    let messages_to_summarize = messages(&entries[start..history_end]);
    let turn_prefix_messages = messages(&entries[history_end..cut.first_kept]);
    if messages_to_summarize.is_empty() && turn_prefix_messages.is_empty() {
        return Err(NothingToCompact::TooSmall);
    }
    let mut file_ops = FileOps::default();
    if let Some((_, compaction)) = previous.filter(|(_, compaction)| compaction.from_hook != Some(true)) {
        compaction.details.iter().for_each(|details| file_ops.add_details(details));
    }
    file_ops.add_calls(&messages_to_summarize);
    file_ops.add_calls(&turn_prefix_messages);
    Ok(Preparation {
        first_kept_entry_id: first_kept.id.clone(),
        messages_to_summarize,
        turn_prefix_messages,
        tokens_before: estimate_context_tokens(context).tokens,
        previous_summary: previous.map(|(_, compaction)| compaction.summary.clone()),
        file_ops,
        settings: *settings,
    })
}

fn previous_compaction(entries: &[BranchEntry]) -> Option<(usize, &Compaction)> {
    entries.iter().enumerate().rev().find_map(|(index, entry)| match &entry.content {
        EntryContent::Compaction(compaction) => Some((index, compaction.as_ref())),
        _ => None,
    })
}

/// Where the history begins that the earlier compaction did not summarise.
fn boundary(entries: &[BranchEntry], index: usize, compaction: &Compaction) -> usize {
    let kept = entries[..index].iter().position(|entry| entry.id == compaction.first_kept_entry_id);
    kept.unwrap_or(index + 1)
}

fn messages(entries: &[BranchEntry]) -> Vec<Arc<Message>> {
    entries.iter().filter_map(|entry| entry.message().cloned()).collect()
}
