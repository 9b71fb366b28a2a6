//! What a compaction of a branch would summarise, and what it would keep.

use std::sync::Arc;

use pi_ai::Message;

use super::cut_point::{CutPoint, find_cut_point};
use super::entry::{BranchEntry, EntryContent};
use super::file_ops::FileOps;
use super::tokens::{CompactionSettings, estimate_context_tokens, estimate_total_tokens};
use crate::session::Compaction;
use crate::session::messages::{AppMessage, CompactionSummaryMessage, convert_to_llm};

/// A compaction that can begin.
#[derive(Debug, Clone, PartialEq)]
pub struct Preparation {
    /// The first entry that stays in the context as it is. `None` when nothing does, because the tool results at the
    /// end are cut through.
    pub first_kept_entry_id: Option<String>,
    /// History before the kept part, without the turn that is cut through.
    pub messages_to_summarize: Vec<Arc<Message>>,
    /// Beginning of the turn that is cut through; empty when the cut falls between two turns.
    pub turn_prefix_messages: Vec<Arc<Message>>,
    /// Tool results whose ends are quoted because they are cut through.
    pub cut_results: Vec<Arc<Message>>,
    /// Pinned messages before the kept part, also those of earlier compactions.
    pub pinned: Vec<Arc<Message>>,
    /// Size of the context now, in tokens.
    pub tokens_before: u64,
    /// Estimated size of what the summary replaces, in tokens.
    pub replaced_tokens: u64,
    /// Summary of the compaction before.
    pub previous_summary: Option<String>,
    /// Files that were read and changed in all of it.
    pub file_ops: FileOps,
    /// The settings in force.
    pub settings: CompactionSettings,
}

impl Preparation {
    /// Whether the cut goes through a turn.
    pub(crate) fn is_split_turn(&self) -> bool {
        !self.turn_prefix_messages.is_empty()
    }
}

/// Why there is nothing to do. Clients know the texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NothingToCompact {
    /// Nothing was said since the last compaction.
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
    let previous = previous_compaction(entries);
    if previous.is_some_and(|(index, _)| entries[index..].iter().all(|entry| entry.message().is_none())) {
        return Err(NothingToCompact::AlreadyCompacted);
    }
    let start = previous.map_or(0, |(index, compaction)| boundary(entries, index, compaction));
    let CutPoint { first_kept, turn_start } = find_cut_point(entries, start, settings.keep_recent_tokens);
    let history_end = turn_start.unwrap_or(first_kept);
    let messages_to_summarize = messages(&entries[start..history_end]);
    let turn_prefix_messages = messages(&entries[history_end..first_kept]);
    if messages_to_summarize.is_empty() && turn_prefix_messages.is_empty() {
        return Err(NothingToCompact::TooSmall);
    }
    let previous = previous.map(|(_, compaction)| compaction);
    Ok(Preparation {
        first_kept_entry_id: entries.get(first_kept).map(|entry| entry.id.clone()),
        cut_results: if first_kept == entries.len() { last_results(entries) } else { Vec::new() },
        pinned: messages(entries[..first_kept].iter().filter(|entry| entry.pinned)),
        tokens_before: estimate_context_tokens(context).tokens,
        replaced_tokens: replaced(previous, [&messages_to_summarize, &turn_prefix_messages]),
        previous_summary: previous.map(|compaction| compaction.summary.clone()),
        file_ops: file_ops(previous, &entries[start..first_kept]),
        settings: *settings,
        messages_to_summarize,
        turn_prefix_messages,
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

/// What the model sees of entries. Commands that the user keeps from it are kept from the summarising model, too.
fn messages<'a>(entries: impl IntoIterator<Item = &'a BranchEntry>) -> Vec<Arc<Message>> {
    let messages = entries.into_iter().filter_map(BranchEntry::message);
    messages.filter(|message| !is_hidden(message)).cloned().collect()
}

fn is_hidden(message: &Message) -> bool {
    let Message::Other(other) = message else { return false };
    matches!(
        AppMessage::from_other(other),
        Some(AppMessage::BashExecution(bash)) if bash.exclude_from_context == Some(true)
    )
}

/// The tool results behind the last answer.
fn last_results(entries: &[BranchEntry]) -> Vec<Arc<Message>> {
    let messages = entries.iter().rev().filter_map(BranchEntry::message);
    let mut results: Vec<_> =
        messages.take_while(|message| matches!(***message, Message::ToolResult(_))).cloned().collect();
    results.reverse();
    results
}

/// Size of what leaves the context, as models are sent it.
fn replaced(previous: Option<&Compaction>, parts: [&[Arc<Message>]; 2]) -> u64 {
    let summary = previous.map_or(0, |compaction| summary_tokens(&compaction.summary));
    summary + estimate_total_tokens(&convert_to_llm(&parts.concat()))
}

/// Size of the message that stands for a summary, as models are sent it.
pub(super) fn summary_tokens(summary: &str) -> u64 {
    let message = CompactionSummaryMessage { summary: summary.to_owned(), tokens_before: 0, timestamp: 0 };
    estimate_total_tokens(&convert_to_llm(&[Arc::new(message.into())]))
}

/// Files of the earlier compaction, of branches that were left, and of the calls in between.
fn file_ops(previous: Option<&Compaction>, entries: &[BranchEntry]) -> FileOps {
    let mut files = FileOps::default();
    let own = previous.filter(|compaction| compaction.from_hook != Some(true));
    own.and_then(|compaction| compaction.details.as_ref()).into_iter().for_each(|details| files.add_details(details));
    for entry in entries {
        if let EntryContent::BranchSummary { files: Some(details), .. } = &entry.content {
            files.add_details(details);
        }
        files.add_calls(entry.message().into_iter());
    }
    files
}
