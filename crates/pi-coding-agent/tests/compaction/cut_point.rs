//! Where a branch is cut.

use pi_coding_agent::compaction::*;
use serde_json::json;

use crate::support::*;

#[test]
fn cut_points() {
    // Branch, tokens to keep, first kept entry, start of the turn that is cut through.
    for (picture, keep, first_kept, turn_start) in [
        ("UAUA", 150, 2, None),
        ("UAUA", 100, 3, Some(2)),
        ("UAUA", 50, 3, Some(2)),
        ("UAUA", 1000, 0, None),
        ("", 10, 0, None),
        ("TT", 10, 0, None),
        // Settings before a turn go with it, and the cut still falls between two turns.
        ("UATUA", 150, 2, None),
        ("UATTNUA", 150, 2, None),
        ("UATTBA", 150, 2, None),
        // A setting inside a turn does not hide that it is cut through.
        ("UATA", 100, 2, Some(0)),
        ("UANA", 100, 2, None),
        // The result that crosses the budget belongs to its call; the cut comes after it.
        ("UCRA", 500, 3, Some(0)),
        // Nothing can be cut at after the crossing result: it is kept with its call up to twice the budget.
        ("UCR", 600, 1, Some(0)),
        ("UACRT", 600, 2, Some(0)),
        ("CR", 600, 0, None),
        // Above that it is cut through, and nothing is kept as it is.
        ("UCR", 500, 3, Some(0)),
        ("UACRT", 500, 5, Some(0)),
        ("CR", 500, 2, None),
        // The first entry crosses and is larger than the budget: all but it is kept.
        ("Uaua", 100, 1, Some(0)),
        ("Uuau", 50, 1, None),
        ("U", 50, 0, None),
        // It crosses only together with what follows: everything is kept.
        ("Uaua", 101, 0, None),
        // Messages of extensions count, too.
        ("UAMA", 200, 2, None),
        // Commands of the user begin turns, too.
        ("UABA", 150, 2, None),
        ("UAABA", 100, 4, Some(3)),
    ] {
        let wanted = CutPoint { first_kept, turn_start };
        assert_eq!(find_cut_point(&drawn(picture), 0, keep), wanted, "{picture} {keep}");
    }
}

#[test]
fn a_message_between_call_and_result_is_no_place_to_cut() {
    let message = EntryContent::Message;
    let call = assistant(vec![call("c", "read", json!({}))]);
    let entries = branch(vec![
        message(user("abcd")),
        message(call),
        EntryContent::Injected(custom("abcd")),
        message(user(words(50))),
        message(result("c", "abcd")),
        message(says(words(50))),
    ]);
    assert_eq!(find_cut_point(&entries, 0, 90).first_kept, 5);
    assert_eq!(find_cut_point(&entries[..5], 0, 90).first_kept, 0);
    assert_eq!(find_cut_point(&entries[..5], 0, 40).first_kept, 1);
}
