//! Where the part of a branch begins that is kept as it is.

use std::collections::HashMap;

use pi_ai::Message;

use super::entry::{BranchEntry, EntryContent};
use super::tokens::estimate_tokens;

/// A cut through a branch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CutPoint {
    /// Index of the first entry that is kept.
    pub first_kept: usize,
    /// Where the turn began that the cut goes through; `None` when it falls between two turns.
    pub turn_start: Option<usize>,
}

/// Chooses a cut in `entries[start..]` that keeps about `keep_recent_tokens`: the entry that crosses this budget,
/// counted from the end, is the first that is kept.
///
/// The cut never falls between a tool call and its result. Where the entry that crosses the budget cannot be cut at,
/// the next one that can is taken, else the last one before it.
pub fn find_cut_point(entries: &[BranchEntry], start: usize, keep_recent_tokens: u64) -> CutPoint {
    let cuts = possible_cuts(entries, start);
    let Some(&first) = cuts.first() else { return CutPoint { first_kept: start, turn_start: None } };
    let anchor = crossing_entry(entries, start, keep_recent_tokens).map_or(first, |crossing| {
        let next = cuts.partition_point(|cut| *cut < crossing);
        cuts.get(next).or(cuts.last()).copied().unwrap_or(first)
    });
    let first_kept = with_settings_before(entries, start, anchor);
    // Searched from the first kept entry: when settings precede the turn, the turn before them counts as cut through.
    // That is coarser than need be, but summaries are the same as the reference's for the same session.
    let turn_start = (start..=first_kept).rev().find(|index| is_turn_start(&entries[*index]));
    CutPoint { first_kept, turn_start: turn_start.filter(|turn| *turn < first_kept) }
}

/// The entry at which the size of the messages from the end reaches the budget.
fn crossing_entry(entries: &[BranchEntry], start: usize, budget: u64) -> Option<usize> {
    let mut sum = 0;
    (start..entries.len()).rev().find(|index| match &entries[*index].content {
        EntryContent::Message(message) => {
            sum += estimate_tokens(message);
            sum >= budget
        }
        _ => false,
    })
}

/// Entries that the kept part may begin with, in order.
fn possible_cuts(entries: &[BranchEntry], start: usize) -> Vec<usize> {
    let open = open_calls(entries);
    (start..entries.len()).filter(|index| open[*index] == 0 && may_begin(&entries[*index])).collect()
}

fn may_begin(entry: &BranchEntry) -> bool {
    const ROLES: [&str; 6] = ["user", "assistant", "bashExecution", "custom", "branchSummary", "compactionSummary"];
    match &entry.content {
        EntryContent::Message(message) => ROLES.contains(&message.role()),
        EntryContent::Injected(_) => true,
        EntryContent::Compaction(_) | EntryContent::Other => false,
    }
}

/// For each entry, how many tool results at or after it answer a call before it.
fn open_calls(entries: &[BranchEntry]) -> Vec<usize> {
    let mut changes = vec![0_isize; entries.len() + 1];
    // Providers number calls anew in every answer: the last call of an id counts.
    let mut calls: HashMap<&str, usize> = HashMap::new();
    for (index, entry) in entries.iter().enumerate() {
        match entry.message().map(AsRef::as_ref) {
            Some(Message::Assistant(message)) => {
                calls.extend(message.tool_calls().map(|call| (call.id.as_str(), index)));
            }
            Some(Message::ToolResult(result)) => {
                if let Some(call) = calls.get(result.tool_call_id.as_str()) {
                    changes[call + 1] += 1;
                    changes[index + 1] -= 1;
                }
            }
            _ => {}
        }
    }
    let sums = changes.iter().scan(0_isize, |open, change| {
        *open += change;
        Some(open.unsigned_abs())
    });
    sums.take(entries.len()).collect()
}

/// Settings and the like that directly precede the cut belong to what follows.
fn with_settings_before(entries: &[BranchEntry], start: usize, anchor: usize) -> usize {
    let belongs = |index: &usize| matches!(entries[*index].content, EntryContent::Injected(_) | EntryContent::Other);
    (start..anchor).rev().take_while(belongs).last().unwrap_or(anchor)
}

fn is_turn_start(entry: &BranchEntry) -> bool {
    matches!(entry.content, EntryContent::Injected(_)) || matches!(entry.role(), Some("user" | "bashExecution"))
}
