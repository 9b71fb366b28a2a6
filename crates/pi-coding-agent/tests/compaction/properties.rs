//! What holds for any branch.

use std::sync::Arc;

use pi_ai::{AssistantMessage, ContentBlock, Message};
use pi_coding_agent::compaction::*;
use pi_coding_agent::session::Compaction;
use proptest::prelude::*;
use serde_json::json;

use crate::support::*;

/// Branches in which calls have any number of results, at any later place.
fn any_branch() -> impl Strategy<Value = Vec<BranchEntry>> {
    let size = 1_usize..400;
    let content = prop_oneof![
        4 => size.clone().prop_map(|n| EntryContent::Message(user(words(n)))),
        4 => size.clone().prop_map(|n| EntryContent::Message(says(words(n)))),
        4 => (0..4_u8, size.clone()).prop_map(|(id, n)| EntryContent::Message(assistant(vec![
            ContentBlock::text(words(n)),
            call(&id.to_string(), "read", json!({})),
        ]))),
        6 => (0..4_u8, size.clone()).prop_map(|(id, n)| EntryContent::Message(result(&id.to_string(), words(n)))),
        1 => size.prop_map(|n| EntryContent::Message(bash("", &words(n)))),
        1 => Just(EntryContent::Injected(custom("abcd"))),
        2 => Just(EntryContent::Other),
        1 => (0..20).prop_map(|kept| EntryContent::Compaction(Box::new(Compaction {
            first_kept_entry_id: format!("e{kept}"),
            ..Compaction::default()
        }))),
    ];
    prop::collection::vec(content, 0..24).prop_map(branch)
}

/// Ids of the calls and of the results in messages, each result with whether its call precedes it.
fn answered(messages: &[Arc<Message>]) -> Vec<(String, bool)> {
    let mut calls = Vec::new();
    let mut results = Vec::new();
    for message in messages {
        if let Message::ToolResult(result) = message.as_ref() {
            results.push((result.tool_call_id.clone(), calls.contains(&result.tool_call_id)));
        }
        let answer = message.as_assistant().into_iter();
        calls.extend(answer.flat_map(AssistantMessage::tool_calls).map(|call| call.id.clone()));
    }
    results
}

proptest! {
    #[test]
    fn a_cut_separates_no_result_from_its_call(entries in any_branch(), keep in 1_u64..1500) {
        let cut = find_cut_point(&entries, 0, keep);
        let whole = messages_of(&entries);
        let kept = messages_of(&entries[cut.first_kept.min(entries.len())..]);
        let before = answered(&whole[whole.len() - kept.len()..]);
        let orphans_of_the_whole = answered(&whole).split_off(answered(&whole).len() - before.len());
        // A result that has a call in the whole branch has it in the kept part, too.
        prop_assert_eq!(before, orphans_of_the_whole);
        prop_assert!(cut.turn_start.is_none_or(|turn| turn < cut.first_kept));
    }

    #[test]
    fn every_message_is_summarised_or_kept_and_none_twice(entries in any_branch(), keep in 1_u64..1500) {
        let Ok(preparation) = prepare(&entries, &[], &settings(keep)) else { return Ok(()) };
        let first_kept = preparation.first_kept_entry_id.as_ref();
        let kept = first_kept.map_or(entries.len(), |id| entries.iter().position(|entry| entry.id == *id).unwrap());
        let parts = [
            preparation.messages_to_summarize.clone(),
            preparation.turn_prefix_messages.clone(),
            messages_of(&entries[kept..]),
        ];
        let whole = messages_of(&entries);
        let seen = parts.concat();
        prop_assert!(!seen.is_empty() && seen.len() <= whole.len());
        prop_assert!(seen.iter().zip(&whole[whole.len() - seen.len()..]).all(|(a, b)| Arc::ptr_eq(a, b)));
    }
}
