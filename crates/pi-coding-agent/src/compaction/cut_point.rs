//! Where the part of a branch begins that is kept as it is.

use std::collections::HashMap;

use pi_ai::Message;

use super::entry::{BranchEntry, EntryContent};
use super::tokens::estimate_tokens;

/// Tool results that cannot be parted from their call are kept whole up to this multiple of the budget.
const OVERDRAFT: u64 = 2;

/// A cut through a branch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CutPoint {
    /// Index of the first entry that is kept. The number of entries when the cut goes through the tool results at the
    /// end of the branch: then nothing is kept as it is.
    pub first_kept: usize,
    /// Where the turn began that the cut goes through; `None` when it falls between two turns.
    pub turn_start: Option<usize>,
}

/// Chooses a cut in `entries[start..]` that keeps about `keep_recent_tokens`: the entry that crosses this budget,
/// counted from the end, is the first that is kept.
///
/// The cut never falls between a tool call and its result. Where the entry that crosses the budget cannot be cut at,
/// the next one that can is taken. When there is none, the results at the end are kept with their call, or, if they
/// are more than twice the budget, cut through.
pub fn find_cut_point(entries: &[BranchEntry], start: usize, keep_recent_tokens: u64) -> CutPoint {
    let cuts = possible_cuts(entries, start);
    let anchor = match crossing_entry(entries, start, keep_recent_tokens) {
        Some(crossing) => anchor(entries, &cuts, crossing, keep_recent_tokens),
        None => cuts.first().copied(),
    };
    match anchor {
        Some(anchor) if anchor < entries.len() => at_entry(entries, start, anchor),
        Some(end) => CutPoint { first_kept: end, turn_start: turn_before(entries, start, end) },
        None => CutPoint { first_kept: start, turn_start: None },
    }
}

/// The entry to cut at; the number of entries when the results at the end have to be cut through.
fn anchor(entries: &[BranchEntry], cuts: &[usize], crossing: usize, budget: u64) -> Option<usize> {
    let next = cuts.partition_point(|cut| *cut < crossing);
    match cuts.get(next) {
        // The very first entry is larger than all that is to be kept: keeping it would mean to summarise nothing.
        Some(first) if next == 0 && size(&entries[*first]) >= budget => cuts.get(1).or(Some(first)).copied(),
        Some(cut) => Some(*cut),
        None => {
            let last = cuts.last().copied();
            let group = last.map_or(crossing, |last| last + 1);
            let all: u64 = entries[last.unwrap_or(crossing)..].iter().map(size).sum();
            let whole = all <= budget.saturating_mul(OVERDRAFT) || !only_results(&entries[group..]);
            if whole { last } else { Some(entries.len()) }
        }
    }
}

fn at_entry(entries: &[BranchEntry], start: usize, anchor: usize) -> CutPoint {
    let first_kept = with_settings_before(entries, start, anchor);
    if is_turn_start(&entries[anchor]) {
        return CutPoint { first_kept, turn_start: None };
    }
    let turn_start = turn_before(entries, start, anchor).filter(|turn| *turn < first_kept);
    CutPoint { first_kept, turn_start }
}

fn turn_before(entries: &[BranchEntry], start: usize, end: usize) -> Option<usize> {
    (start..end).rev().find(|index| is_turn_start(&entries[*index]))
}

fn size(entry: &BranchEntry) -> u64 {
    entry.message().map_or(0, |message| estimate_tokens(message))
}

/// The entry at which the size of the messages from the end reaches the budget.
fn crossing_entry(entries: &[BranchEntry], start: usize, budget: u64) -> Option<usize> {
    let mut sum = 0;
    (start..entries.len()).rev().find(|index| {
        sum += size(&entries[*index]);
        entries[*index].message().is_some() && sum >= budget
    })
}

/// Entries that the kept part may begin with, in order.
fn possible_cuts(entries: &[BranchEntry], start: usize) -> Vec<usize> {
    let open = open_calls(entries);
    (start..entries.len()).filter(|index| open[*index] == 0 && may_begin(&entries[*index])).collect()
}

fn may_begin(entry: &BranchEntry) -> bool {
    const ROLES: [&str; 6] = ["user", "assistant", "bashExecution", "custom", "branchSummary", "compactionSummary"];
    entry.is_injected() || entry.role().is_some_and(|role| ROLES.contains(&role))
}

/// Whether nothing but tool results would be lost.
fn only_results(entries: &[BranchEntry]) -> bool {
    entries.iter().filter_map(BranchEntry::message).all(|message| matches!(**message, Message::ToolResult(_)))
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
    let belongs = |index: &usize| entries[*index].is_injected() || entries[*index].content == EntryContent::Other;
    (start..anchor).rev().take_while(belongs).last().unwrap_or(anchor)
}

fn is_turn_start(entry: &BranchEntry) -> bool {
    entry.is_injected() || matches!(entry.role(), Some("user" | "bashExecution"))
}
