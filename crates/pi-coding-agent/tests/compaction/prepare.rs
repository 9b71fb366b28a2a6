//! What is summarised, what is kept, what is remembered.

use std::sync::Arc;

use pi_ai::{AssistantMessage, ContentBlock, Usage};
use pi_coding_agent::compaction::*;
use pi_coding_agent::messages::BashExecutionMessage;
use pi_coding_agent::session::Compaction;
use serde_json::json;

use crate::support::*;

#[test]
fn preparing() {
    for (picture, keep, wanted) in [
        ("UAUA", 150, Ok(("e2", 2, 0, None))),
        ("UAUA", 50, Ok(("e3", 2, 1, None))),
        ("TTUA", 50, Ok(("e3", 0, 1, None))),
        ("UAUA", 500, Err("Nothing to compact (session too small)")),
        ("", 1, Err("Nothing to compact (session too small)")),
        ("TT", 1, Err("Nothing to compact (session too small)")),
        ("UAUAX", 1, Err("Already compacted")),
        // Settings say nothing that could be summarised.
        ("UAUAXTT", 1, Err("Already compacted")),
        // The result at the end is cut through: no entry is kept.
        ("UACR", 500, Ok(("", 0, 4, None))),
        ("UAUCR", 500, Ok(("", 2, 3, None))),
        ("UAXCR", 500, Ok(("", 2, 0, Some("earlier")))),
        // What the earlier compaction kept (from e2 on) is summarised now; its own entry adds nothing.
        ("UAUAXUA", 150, Ok(("e5", 2, 0, Some("earlier")))),
        ("UAUAXUA", 50, Ok(("e6", 2, 1, Some("earlier")))),
        // The entry that it kept is gone: history begins after it.
        ("UXUAUA", 150, Ok(("e4", 2, 0, Some("earlier")))),
    ] {
        let prepared = prepare(&drawn(picture), &[], &settings(keep));
        let counts = prepared.map(|p| {
            let (history, prefix) = (p.messages_to_summarize.len(), p.turn_prefix_messages.len());
            (p.first_kept_entry_id.unwrap_or_default(), history, prefix, p.previous_summary)
        });
        let wanted = wanted
            .map(|(id, history, prefix, previous)| (id.to_owned(), history, prefix, previous.map(str::to_owned)))
            .map_err(str::to_owned);
        assert_eq!(counts.map_err(|nothing| nothing.to_string()), wanted, "{picture} {keep}");
    }
}

#[test]
fn the_size_before_is_the_reported_one_plus_an_estimate() {
    let usage = Usage { total_tokens: 500, ..Usage::default() };
    let answer = AssistantMessage { usage, ..AssistantMessage::default() };
    let context = [user(words(9)), Arc::new(answer.into()), user(words(7))];
    assert_eq!(prepare(&drawn("UAUA"), &context, &settings(150)).unwrap().tokens_before, 507);
}

#[test]
fn files_are_remembered() {
    let calls = |calls: Vec<ContentBlock>| EntryContent::Message(assistant(calls));
    let compaction = |from_hook| {
        EntryContent::Compaction(Box::new(Compaction {
            summary: "s".to_owned(),
            first_kept_entry_id: "none".to_owned(),
            details: Some(json!({ "readFiles": ["old/read", "changed later"], "modifiedFiles": ["old/mod", 7] })),
            from_hook,
            tokens_before: 0,
        }))
    };
    for (from_hook, read, modified) in [
        (None, json!(["B", "a", "old/read", "\u{1d11e}", "\u{ff5e}"]), json!(["changed later", "old/mod", "w"])),
        (Some(true), json!(["B", "a", "\u{1d11e}", "\u{ff5e}"]), json!(["changed later", "w"])),
    ] {
        let entries = branch(vec![
            compaction(from_hook),
            EntryContent::Message(user(words(100))),
            calls(vec![
                call("1", "read", json!({ "path": "a" })),
                call("2", "read", json!({ "path": "B" })),
                call("3", "read", json!({ "path": "w" })),
                call("4", "read", json!({ "path": "\u{ff5e}" })),
                call("5", "read", json!({ "path": "\u{1d11e}" })),
                call("6", "read", json!({ "file_path": "ignored" })),
                call("7", "grep", json!({ "path": "ignored" })),
            ]),
            calls(vec![
                call("8", "write", json!({ "path": "w" })),
                call("9", "edit", json!({ "path": "changed later" })),
            ]),
            EntryContent::Message(user(words(100))),
        ]);
        let details = prepare(&entries, &[], &settings(100)).unwrap().file_ops.details();
        assert_eq!(json!(details), json!({ "readFiles": read, "modifiedFiles": modified }), "{from_hook:?}");
    }
}

#[test]
fn commands_that_the_model_does_not_see_are_not_told_to_it_either() {
    let hidden = BashExecutionMessage {
        command: "secret".to_owned(),
        exclude_from_context: Some(true),
        ..BashExecutionMessage::default()
    };
    let mut entries = drawn("UAUA");
    entries.insert(1, BranchEntry::new("h", EntryContent::Message(Arc::new(hidden.into()))));
    let preparation = prepare(&entries, &[], &settings(150)).unwrap();
    assert_eq!(preparation.messages_to_summarize.len(), 2);
    entries.drain(2..3);
    entries.drain(0..1);
    assert_eq!(prepare(&entries, &[], &settings(150)).unwrap_err(), NothingToCompact::TooSmall);
}

#[test]
fn labels_that_pin() {
    for label in ["pin", "Pinned", "pin: the decision", " PIN :x"] {
        assert!(is_pin(label), "{label}");
    }
    for label in ["", "pineapple", "to pin", "pins", ": pin"] {
        assert!(!is_pin(label), "{label}");
    }
}
