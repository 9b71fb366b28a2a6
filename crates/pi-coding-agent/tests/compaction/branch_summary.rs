//! Summaries of branches that are left.

use pi_ai::{AssistantMessage, Model, StopReason, ThinkingLevel};
use pi_coding_agent::compaction::*;
use pi_coding_agent::session::BranchSummary;
use serde_json::json;

use crate::support::*;

fn ids(entries: &[BranchEntry]) -> Vec<&str> {
    entries.iter().map(|entry| entry.id.as_str()).collect()
}

#[test]
fn what_is_left() {
    let old = drawn("UAUXA");
    let other = |from: usize| {
        let mut target = old[..from].to_vec();
        target.push(BranchEntry::new("other", EntryContent::Other));
        target
    };
    for (target, wanted) in [
        (old[..2].to_vec(), vec!["e2", "e3", "e4"]),
        (other(3), vec!["e3", "e4"]),
        (other(0), vec!["e0", "e1", "e2", "e3", "e4"]),
        (Vec::new(), vec!["e0", "e1", "e2", "e3", "e4"]),
        (old.clone(), vec![]),
    ] {
        assert_eq!(ids(left_behind(&old, &target)), wanted);
    }
    assert!(left_behind(&[], &old).is_empty());
}

fn branch_note(files: Option<serde_json::Value>) -> EntryContent {
    EntryContent::BranchSummary { message: custom(&words(100)), files }
}

#[test]
fn the_newest_messages_that_fit_are_told() {
    for (picture, budget, roles, tokens) in [
        ("UAUA", 0, "user assistant user assistant", 400),
        ("UAUA", 1000, "user assistant user assistant", 400),
        ("UAUA", 200, "user assistant", 200),
        ("UAUA", 250, "user assistant", 200),
        ("UAUA", 50, "", 0),
        // Tool results are left out, settings, too.
        ("UCRTA", 0, "user assistant assistant", 302),
        // A compaction stands for what it summarised.
        ("UAXA", 0, "user assistant compactionSummary assistant", 302),
        ("UAXA", 105, "compactionSummary assistant", 102),
        // But not when nearly all of the budget is used.
        ("UAXA", 101, "assistant", 100),
    ] {
        let prepared = prepare_branch_summary(&drawn(picture), budget);
        let told: Vec<&str> = prepared.messages.iter().map(|message| message.role()).collect();
        assert_eq!((told.join(" ").as_str(), prepared.tokens), (roles, tokens), "{picture} {budget}");
    }
}

#[test]
fn a_summary_may_come_in_although_it_does_not_fit() {
    let entries = branch(vec![
        EntryContent::Message(user("far away")),
        branch_note(None),
        EntryContent::Message(says(words(50))),
    ]);
    for (budget, tokens) in [(51, 50), (55, 50), (56, 150), (100, 150), (150, 150)] {
        assert_eq!(prepare_branch_summary(&entries, budget).tokens, tokens, "{budget}");
    }
}

#[test]
fn files_of_the_branch_are_collected() {
    let reads = |path: &str| EntryContent::Message(assistant(vec![call("1", "read", json!({ "path": path }))]));
    let entries = branch(vec![
        branch_note(Some(json!({ "readFiles": ["r"], "modifiedFiles": ["m"] }))),
        branch_note(None),
        reads("far away"),
        reads("does not fit"),
        EntryContent::Message(says(words(100))),
    ]);
    let details = prepare_branch_summary(&entries, 100).file_ops.details();
    // The message that no longer fits still tells its file, those before it are not looked at.
    assert_eq!(json!(details), json!({ "readFiles": ["does not fit", "r"], "modifiedFiles": ["m"] }));
    // When such a branch is compacted, its files are carried on as well.
    let mut whole = entries;
    whole.extend(drawn("UA").into_iter().map(|entry| BranchEntry::new(format!("n{}", entry.id), entry.content)));
    let details = prepare(&whole, &[], &settings(150)).unwrap().file_ops.details();
    assert_eq!(json!(details), json!({ "readFiles": ["does not fit", "far away", "r"], "modifiedFiles": ["m"] }));
}

fn asks<'a>(model: &'a Model, custom_instructions: Option<&'a str>, replace_instructions: bool) -> BranchRequest<'a> {
    BranchRequest { model, reserve_tokens: 16_384, custom_instructions, replace_instructions, now_ms: 42 }
}

async fn summarised(
    entries: &[BranchEntry],
    request: &BranchRequest<'_>,
    answer: fn(&str) -> AssistantMessage,
) -> (Result<BranchSummary, BranchSummaryError>, Vec<(String, SummaryOptions)>) {
    let summariser = Summariser::new(answer);
    let complete = async |context: pi_ai::Context, options| {
        let answer = (summariser.answer)(&text_of(&context));
        summariser.asked.lock().unwrap().push((context, options));
        std::sync::Arc::new(answer)
    };
    let result = summarize_branch(entries, request, complete).await;
    (result, summariser.asked())
}

#[tokio::test]
async fn a_branch_summary() {
    let entries = branch(vec![
        EntryContent::Message(user("try it with threads")),
        EntryContent::Message(assistant(vec![call("t", "edit", json!({ "path": "pool.rs" }))])),
        EntryContent::Message(result("t", "done")),
    ]);
    let (summary, asked) = summarised(&entries, &asks(&thinker(), None, false), |_| text("SUMMARY")).await;
    let summary = summary.unwrap();
    insta::assert_snapshot!(summary.summary, @r"
    The user tried another branch of this conversation and then came back here.
    What happened on that branch:

    SUMMARY

    <modified-files>
    pool.rs
    </modified-files>
    ");
    assert_eq!(summary.details, Some(json!({ "readFiles": [], "modifiedFiles": ["pool.rs"] })));
    assert_eq!(summary.from_hook, Some(false));
    let [(request, options)] = asked.try_into().unwrap();
    assert_eq!(options, SummaryOptions { max_tokens: 2048, reasoning: ThinkingLevel::Off });
    insta::assert_snapshot!("branch_summary_request", request);
}

#[tokio::test]
async fn instructions_of_the_user() {
    for (replace, custom, begins, ends) in [
        (false, "dwell on tests", "Above is a branch", "\n\nAdditional focus: dwell on tests"),
        (true, "only the tests", "only the tests", "only the tests"),
        (true, "", "Above is a branch", "exactly as they are."),
    ] {
        let model = thinker();
        let request = asks(&model, Some(custom), replace);
        let (_, asked) = summarised(&drawn("UA"), &request, |_| text("S")).await;
        let instructions = asked[0].0.split("</conversation>\n\n").nth(1).unwrap();
        assert!(instructions.starts_with(begins) && instructions.ends_with(ends), "{instructions}");
    }
}

#[tokio::test]
async fn what_can_go_wrong() {
    fn failed(stop_reason: StopReason, error_message: Option<&str>) -> AssistantMessage {
        AssistantMessage { stop_reason, error_message: error_message.map(str::to_owned), ..text("half") }
    }
    let model = thinker();
    let (nothing, asked) = summarised(&drawn("TT"), &asks(&model, None, false), |_| text("S")).await;
    assert_eq!((nothing.unwrap().summary.as_str(), asked.len()), ("No content to summarize", 0));
    for (answer, wanted) in [
        ((|_: &str| failed(StopReason::Error, Some("no"))) as fn(&str) -> _, "no"),
        (|_: &str| failed(StopReason::Error, None), "Summarization failed"),
        (|_: &str| failed(StopReason::Aborted, None), "Branch summary cancelled"),
        (|_: &str| text(" "), "the model answered without any text"),
    ] {
        let error = summarised(&drawn("UA"), &asks(&model, None, false), answer).await.0.unwrap_err().to_string();
        assert!(error.starts_with(wanted), "{error}");
    }
}
