//! What is asked of the summarising model, and what becomes of its answers.

use std::sync::Arc;

use pi_ai::{AssistantMessage, Context, Model, StopReason, ThinkingLevel};
use pi_coding_agent::compaction::*;
use pi_coding_agent::session::Compaction;
use serde_json::json;
use tokio::sync::Barrier;

use crate::support::*;

#[tokio::test]
async fn a_first_summary() {
    let entries = branch(vec![
        EntryContent::Message(user(format!("please read one.rs {}", words(60)))),
        EntryContent::Message(assistant(vec![call("t", "read", json!({ "path": "one.rs" }))])),
        EntryContent::Message(result("t", "content")),
        EntryContent::Injected(custom("from an extension")),
        EntryContent::Message(user(words(100))),
    ]);
    let preparation = prepare(&entries, &[], &settings(50)).unwrap();
    let summariser = Summariser::new(|_| text("SUMMARY"));
    let model = thinker();
    let focus = SummaryRequest { custom_instructions: Some("dwell on tests"), ..request(&model) };
    let compaction = summariser.run(&preparation, focus).await.unwrap();
    assert_eq!(
        compaction,
        Compaction {
            summary: "SUMMARY\n\n<read-files>\none.rs\n</read-files>".to_owned(),
            first_kept_entry_id: "e3".to_owned(),
            tokens_before: 0,
            details: Some(json!({ "readFiles": ["one.rs"], "modifiedFiles": [] })),
            from_hook: Some(false),
        }
    );
    let (context, options) = summariser.asked.lock().unwrap()[0].clone();
    assert_eq!(options, SummaryOptions { max_tokens: 1600, reasoning: ThinkingLevel::High });
    insta::assert_json_snapshot!("first_summary_request", context);
}

#[tokio::test]
async fn a_later_summary_carries_the_earlier_one_on() {
    let preparation = prepare(&drawn("UAUAXUA"), &[], &settings(150)).unwrap();
    let summariser = Summariser::new(|_| text("SUMMARY"));
    summariser.run(&preparation, request(&Model::default())).await.unwrap();
    let [(text, options)] = summariser.asked().try_into().unwrap();
    assert_eq!(options, SummaryOptions { max_tokens: 1600, reasoning: ThinkingLevel::Off });
    let instructions = text.split("</conversation>\n\n").nth(1).unwrap();
    insta::assert_snapshot!("later_summary_instructions", instructions);
}

#[tokio::test]
async fn a_turn_that_is_cut_through_takes_two_requests_at_once() {
    let preparation = prepare(&drawn("UAUA"), &[], &settings(50)).unwrap();
    // Neither answer comes before both were asked for.
    let both = Barrier::new(2);
    let complete = async |context: Context, options: SummaryOptions| {
        both.wait().await;
        let is_prefix = text_of(&context).contains("## Original Request");
        assert_eq!(options.max_tokens, if is_prefix { 1000 } else { 1600 });
        Arc::new(text(if is_prefix { "PREFIX" } else { "HISTORY" }))
    };
    let model = thinker();
    let compaction = compact(&preparation, &request(&model), complete).await.unwrap();
    assert_eq!(compaction.summary, "HISTORY\n\n---\n\n**Turn Context (split turn):**\n\nPREFIX");
}

#[tokio::test]
async fn a_compaction_can_run_in_a_task_of_its_own() {
    let preparation = prepare(&drawn("UAUA"), &[], &settings(50)).unwrap();
    let task = tokio::spawn(async move {
        let complete = |_: Context, _| Box::pin(async { Arc::new(text("S")) }) as futures::future::BoxFuture<'_, _>;
        compact(&preparation, &request(&thinker()), complete).await
    });
    assert!(task.await.unwrap().unwrap().summary.starts_with("S\n\n---"));
}

#[tokio::test]
async fn the_request_about_the_beginning_of_a_turn() {
    let preparation = prepare(&drawn("UA"), &[], &settings(50)).unwrap();
    let summariser = Summariser::new(|_| text("PREFIX"));
    let model = Model { max_tokens: 700, ..Model::default() };
    let focus = SummaryRequest { custom_instructions: Some("ignored here"), ..request(&model) };
    let compaction = summariser.run(&preparation, focus).await.unwrap();
    assert_eq!(compaction.summary, "No prior history.\n\n---\n\n**Turn Context (split turn):**\n\nPREFIX");
    let [(text, options)] = summariser.asked().try_into().unwrap();
    assert_eq!(options.max_tokens, 700);
    insta::assert_snapshot!("turn_prefix_request", text);
}

#[tokio::test]
async fn an_earlier_summary_survives_a_turn_without_history() {
    let lists = "\n\n<read-files>\na\n</read-files>\n\n<modified-files>\nb\n</modified-files>";
    for (previous, kept) in
        [(format!("EARLIER{lists}"), "EARLIER"), ("EARLIER <read-files>".to_owned(), "EARLIER <read-files>")]
    {
        let mut entries = drawn("XUA");
        entries[0].content = EntryContent::Compaction(Box::new(Compaction {
            summary: previous,
            details: Some(json!({ "readFiles": ["a"], "modifiedFiles": ["b"] })),
            ..Compaction::default()
        }));
        let preparation = prepare(&entries, &[], &settings(50)).unwrap();
        assert!(preparation.messages_to_summarize.is_empty());
        let compaction = Summariser::new(|_| text("P")).run(&preparation, request(&thinker())).await.unwrap();
        let wanted = format!("{kept}\n\n---\n\n**Turn Context (split turn):**\n\nP{lists}");
        assert_eq!(compaction.summary, wanted);
    }
}

#[tokio::test]
async fn failures_keep_the_session_as_it_is() {
    fn failed(stop_reason: StopReason, error_message: Option<&str>) -> AssistantMessage {
        AssistantMessage { stop_reason, error_message: error_message.map(str::to_owned), ..text("half") }
    }
    let (whole, split) = ("UAUA", "UA");
    for (picture, answer, wanted) in [
        (whole, (|_: &str| failed(StopReason::Error, Some("no"))) as fn(&str) -> _, "Summarization failed: no"),
        (whole, |_: &str| failed(StopReason::Error, None), "Summarization failed: Unknown error"),
        (split, |_: &str| failed(StopReason::Error, Some("no")), "Turn prefix summarization failed: no"),
        (whole, |_: &str| failed(StopReason::Aborted, Some("x")), "Compaction cancelled"),
        (whole, |_: &str| text(" \n"), "Summarization failed: the model answered without any text"),
    ] {
        let preparation = prepare(&drawn(picture), &[], &settings(if picture == whole { 150 } else { 50 })).unwrap();
        let error = Summariser::new(answer).run(&preparation, request(&thinker())).await.unwrap_err();
        assert!(error.to_string().starts_with(wanted), "{error} / {wanted}");
    }
}

#[tokio::test]
async fn a_summary_larger_than_the_history_is_refused() {
    // The intro of a summary is about 23 tokens.
    let preparation = prepare(&drawn("UuUA"), &[], &settings(150)).unwrap();
    let fitting = Summariser::new(|_| text(&words(60))).run(&preparation, request(&thinker())).await;
    assert_eq!(fitting.unwrap().summary, words(60));
    let too_long = Summariser::new(|_| text(&words(200))).run(&preparation, request(&thinker())).await;
    insta::assert_snapshot!(too_long.unwrap_err(), @"the summary takes about 229 tokens, more than the 101 that it would replace, so the history was kept; go on until there is more to summarise");
}

#[tokio::test]
async fn results_that_are_cut_through_are_quoted_at_their_end() {
    let lines: String = (0..900).map(|n| format!("line {n}\n")).collect();
    let mut entries = drawn("UCR");
    entries[2].content = EntryContent::Message(result("c2", lines));
    let preparation = prepare(&entries, &[], &settings(30)).unwrap();
    let summariser = Summariser::new(|_| text("PREFIX"));
    let compaction = summariser.run(&preparation, request(&thinker())).await.unwrap();
    insta::assert_snapshot!(compaction.summary, @r"
    No prior history.

    ---

    **Turn Context (split turn):**

    PREFIX

    ---

    **Last tool results (the end of them):**

    [Result of read]:
    [... 7873 characters before this]
    line 887
    line 888
    line 889
    line 890
    line 891
    line 892
    line 893
    line 894
    line 895
    line 896
    line 897
    line 898
    line 899
    ");
    let [(asked, _)] = summariser.asked().try_into().unwrap();
    assert!(asked.contains("[Tool result]: line 0\n") && asked.contains("more characters truncated]"), "{asked}");
    assert_eq!(compaction.first_kept_entry_id, "", "the caller fills it in");
}

#[tokio::test]
async fn what_is_pinned_stays_word_for_word() {
    let mut entries = drawn("UAUCRAUA");
    entries[2].content = EntryContent::Message(user("never touch main"));
    entries[2].pinned = true;
    entries[4].pinned = true;
    let summary = |entries: Vec<BranchEntry>| async move {
        let preparation = prepare(&entries, &[], &settings(150)).unwrap();
        let summariser = Summariser::new(|_| text("SUMMARY"));
        let summary = summariser.run(&preparation, request(&thinker())).await.unwrap().summary;
        (summary, summariser.asked().remove(0).0)
    };
    let (first, _) = summary(entries.clone()).await;
    let shown = first.replace(&words(1000), "<1000 words>");
    insta::assert_snapshot!(shown, @r"
    SUMMARY

    <pinned>
    [User]: never touch main

    [Tool result]: <1000 words>
    </pinned>
    ");
    // The next compaction quotes it again, from the branch and not from the summary.
    let compaction = Compaction { summary: first, first_kept_entry_id: "e6".to_owned(), ..Compaction::default() };
    entries.push(BranchEntry::new("x", EntryContent::Compaction(Box::new(compaction))));
    entries.extend(drawn("UAUA").into_iter().map(|entry| BranchEntry::new(format!("n{}", entry.id), entry.content)));
    let (second, asked) = summary(entries.clone()).await;
    assert_eq!(second.replace(&words(1000), "<1000 words>"), shown);
    assert!(asked.contains("<previous-summary>\nSUMMARY\n"), "{asked}");
    // Until it is no longer pinned.
    entries.iter_mut().for_each(|entry| entry.pinned = false);
    assert_eq!(summary(entries).await.0, "SUMMARY");
}

#[tokio::test]
async fn what_is_too_long_for_one_request_is_summarised_in_portions() {
    // About 10,300 tokens, and a window of 8,000.
    let mut entries = drawn("UAUAUAUAUAUA");
    for (n, entry) in entries.iter_mut().enumerate().take(10) {
        entry.content = EntryContent::Message(user(format!("question {n} {}", words(1000))));
    }
    let preparation = prepare(&entries, &[], &settings(150)).unwrap();
    let model = Model { context_window: 8000, ..Model::default() };
    let summariser = Summariser::new(|asked| {
        let seen = (0..10).filter(|n| asked.contains(&format!("question {n} "))).map(|n| n.to_string());
        let before = asked.split("<previous-summary>\n").nth(1).and_then(|rest| rest.split('\n').next());
        text(&format!("{}{} | ", before.unwrap_or_default(), seen.collect::<String>()))
    });
    let compaction = summariser.run(&preparation, request(&model)).await.unwrap();
    assert_eq!(compaction.summary, "012 | 345 | 678 | 9 | ");
    assert!(summariser.asked().iter().all(|(asked, _)| asked.len() < 4 * 6000));
    // The same with the beginning of a turn: there each portion is told by itself.
    for entry in &mut entries[1..10] {
        entry.content = EntryContent::Message(says(words(1000)));
    }
    entries.truncate(11);
    entries[10].content = EntryContent::Message(says(words(1000)));
    let preparation = prepare(&entries, &[], &settings(150)).unwrap();
    let summariser = Summariser::new(|_| text("PART"));
    let compaction = summariser.run(&preparation, request(&model)).await.unwrap();
    assert!(compaction.summary.ends_with("PART\n\nPART\n\nPART\n\nPART"), "{}", compaction.summary);
}
