//! Compaction: where a branch is cut, what is asked of the summarising model, what becomes of the answers.
#![allow(clippy::unwrap_used, clippy::panic)] // helpers of a test

use std::sync::{Arc, Mutex};

use pi_ai::{
    AssistantMessage, ContentBlock, Context, Extra, Message, Model, StopReason, ThinkingLevel, ToolCall,
    ToolResultMessage, Usage, UserMessage,
};
use pi_coding_agent::compaction::*;
use pi_coding_agent::messages::{BashExecutionMessage, CompactionSummaryMessage, CustomMessage};
use pi_coding_agent::session::Compaction;
use proptest::prelude::*;
use serde_json::{Value, json};
use tokio::sync::Barrier;

/// Text of so many tokens.
fn words(tokens: usize) -> String {
    "abcd".repeat(tokens)
}

fn user(text: impl Into<String>) -> Arc<Message> {
    Arc::new(UserMessage::text(text, 1).into())
}

fn assistant(content: Vec<ContentBlock>) -> Arc<Message> {
    Arc::new(AssistantMessage { content, ..AssistantMessage::default() }.into())
}

fn says(text: impl Into<String>) -> Arc<Message> {
    assistant(vec![ContentBlock::text(text)])
}

fn call(id: &str, name: &str, arguments: Value) -> ContentBlock {
    let (id, name) = (id.to_owned(), name.to_owned());
    ContentBlock::ToolCall(ToolCall { id, name, arguments, thought_signature: None, extra: Extra::new() })
}

fn result(id: &str, text: impl Into<String>) -> Arc<Message> {
    let message = ToolResultMessage {
        tool_call_id: id.to_owned(),
        tool_name: "read".to_owned(),
        content: vec![ContentBlock::text(text)],
        details: None,
        is_error: false,
        timestamp: 1,
        extra: Extra::new(),
    };
    Arc::new(message.into())
}

fn bash(command: &str, output: &str) -> Arc<Message> {
    let (command, output) = (command.to_owned(), output.to_owned());
    Arc::new(BashExecutionMessage { command, output, ..BashExecutionMessage::default() }.into())
}

fn custom(text: &str) -> Arc<Message> {
    let message = CustomMessage {
        custom_type: "note".to_owned(),
        content: pi_ai::UserContent::Text(text.to_owned()),
        display: true,
        details: None,
        timestamp: 1,
    };
    Arc::new(message.into())
}

/// Entries with ids `e0`, `e1`, …
fn branch(contents: Vec<EntryContent>) -> Vec<BranchEntry> {
    let entries = contents.into_iter().enumerate();
    entries.map(|(index, content)| BranchEntry { id: format!("e{index}"), content }).collect()
}

/// A branch by letters: `U` and `A` are messages of 100 tokens, `u` and `a` of one, `C` calls a tool (100), `R` is its
/// result (1000), `B` a command (100), `N` an injected message, `T` a setting, `X` an earlier compaction.
fn drawn(picture: &str) -> Vec<BranchEntry> {
    let content = |(index, letter): (usize, char)| match letter {
        'U' => EntryContent::Message(user(words(100))),
        'u' => EntryContent::Message(user("abcd")),
        'A' => EntryContent::Message(says(words(100))),
        'a' => EntryContent::Message(says("abcd")),
        'C' => EntryContent::Message(assistant(vec![
            ContentBlock::text(words(100)),
            call(&format!("c{}", index + 1), "read", json!({})),
        ])),
        'R' => EntryContent::Message(result(&format!("c{index}"), words(1000))),
        'B' => EntryContent::Message(bash("", &words(100))),
        'N' => EntryContent::Injected(custom("abcd")),
        'T' => EntryContent::Other,
        'X' => EntryContent::Compaction(Box::new(Compaction {
            summary: "earlier".to_owned(),
            first_kept_entry_id: "e2".to_owned(),
            ..Compaction::default()
        })),
        other => panic!("{other}"),
    };
    branch(picture.chars().enumerate().map(content).collect())
}

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
        // Settings before a turn go with it; as in the reference, the turn before then counts as cut through.
        ("UATUA", 150, 2, Some(0)),
        ("UATTNUA", 150, 2, Some(0)),
        // A setting inside a turn does not hide that it is cut through.
        ("UATA", 100, 2, Some(0)),
        ("UANA", 100, 2, None),
        // The result that crosses the budget belongs to its call; the cut comes after it.
        ("UCRA", 500, 3, Some(0)),
        // Nothing can be cut at after the crossing result: the last place before it is taken.
        ("UCR", 500, 1, Some(0)),
        ("UACRT", 500, 2, Some(0)),
        ("CR", 500, 0, None),
        // The first entry crosses: everything is kept.
        ("Uaua", 100, 0, None),
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

fn settings(keep_recent_tokens: u64) -> CompactionSettings {
    CompactionSettings { enabled: true, reserve_tokens: 2000, keep_recent_tokens }
}

fn messages_of(entries: &[BranchEntry]) -> Vec<Arc<Message>> {
    let message = |entry: &BranchEntry| match &entry.content {
        EntryContent::Message(message) | EntryContent::Injected(message) => Some(Arc::clone(message)),
        _ => None,
    };
    entries.iter().filter_map(message).collect()
}

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
        // What the earlier compaction kept (from e2 on) is summarised now; its own entry adds nothing.
        ("UAUAXUA", 150, Ok(("e5", 2, 0, Some("earlier")))),
        ("UAUAXUA", 50, Ok(("e6", 2, 1, Some("earlier")))),
        // The entry that it kept is gone: history begins after it.
        ("UXUAUA", 150, Ok(("e4", 2, 0, Some("earlier")))),
    ] {
        let prepared = prepare(&drawn(picture), &[], &settings(keep));
        let counts = prepared.map(|p| {
            let (history, prefix) = (p.messages_to_summarize.len(), p.turn_prefix_messages.len());
            (p.first_kept_entry_id, history, prefix, p.previous_summary)
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

/// A model that answers from a list and remembers what it was asked.
struct Summariser {
    asked: Mutex<Vec<(Context, SummaryOptions)>>,
    answer: fn(&str) -> AssistantMessage,
}

impl Summariser {
    fn new(answer: fn(&str) -> AssistantMessage) -> Self {
        Self { asked: Mutex::default(), answer }
    }

    async fn run(&self, preparation: &Preparation, request: SummaryRequest<'_>) -> Result<Compaction, CompactionError> {
        let complete = async |context: Context, options| {
            let answer = (self.answer)(&text_of(&context));
            self.asked.lock().unwrap().push((context, options));
            Arc::new(answer)
        };
        compact(preparation, &request, complete).await
    }

    fn asked(&self) -> Vec<(String, SummaryOptions)> {
        self.asked.lock().unwrap().iter().map(|(context, options)| (text_of(context), *options)).collect()
    }
}

fn text_of(context: &Context) -> String {
    let [message] = context.messages.as_slice() else { panic!("one message expected") };
    let Message::User(user) = message.as_ref() else { panic!("a user message expected") };
    user.content.to_text()
}

fn text(text: &str) -> AssistantMessage {
    AssistantMessage { content: vec![ContentBlock::text(text)], ..AssistantMessage::default() }
}

fn request(model: &Model) -> SummaryRequest<'_> {
    SummaryRequest { model, thinking_level: ThinkingLevel::High, custom_instructions: None, now_ms: 42 }
}

fn thinker() -> Model {
    Model { reasoning: true, max_tokens: 32_000, ..Model::default() }
}

#[tokio::test]
async fn a_first_summary() {
    let entries = branch(vec![
        EntryContent::Message(user("please read one.rs")),
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
    let preparation = prepare(&drawn("uA"), &[], &settings(50)).unwrap();
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
    let (whole, split) = ("UAUA", "uA");
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

#[test]
fn conversations_as_text() {
    let thinking = |text: &str| serde_json::from_value(json!({ "type": "thinking", "thinking": text })).unwrap();
    let messages = [
        Arc::new(
            UserMessage::blocks(
                vec![ContentBlock::text("a"), ContentBlock::image("AA", "image/png"), ContentBlock::text("b")],
                1,
            )
            .into(),
        ),
        Arc::new(UserMessage::blocks(vec![ContentBlock::image("AA", "image/png")], 1).into()),
        assistant(vec![
            call("1", "edit", json!({ "path": "x", "edits": [{ "oldText": "a\n" }], "n": 1 })),
            ContentBlock::text("one"),
            thinking("think"),
            ContentBlock::text("two"),
            thinking("more"),
            call("2", "ls", json!({})),
        ]),
        result("1", "done"),
        result("2", ""),
        result("3", format!("{}{}", "x".repeat(1999), "\u{1d11e}tail")),
    ];
    insta::assert_snapshot!(serialize_conversation(&messages).replace(&"x".repeat(1999), "<1999 x>"), @r#"
    [User]: ab

    [Assistant thinking]: think
    more

    [Assistant]: one
    two

    [Assistant tool calls]: edit(path="x", edits=[{"oldText":"a\n"}], n=1); ls()

    [Tool result]: done

    [Tool result]: <1999 x>

    [... 6 more characters truncated]
    "#);
}

#[test]
fn tool_results_are_cut_at_two_thousand_characters() {
    for (length, left_out) in [(1500, None), (2000, None), (5000, Some(3000))] {
        let text = serialize_conversation(&[result("1", "r".repeat(length))]);
        let wanted = match left_out {
            None => format!("[Tool result]: {}", "r".repeat(length)),
            Some(n) => format!("[Tool result]: {}\n\n[... {n} more characters truncated]", "r".repeat(2000)),
        };
        assert_eq!(text, wanted);
    }
    let long = "u".repeat(9000);
    assert_eq!(serialize_conversation(&[user(long.clone())]), format!("[User]: {long}"));
}

#[test]
fn estimates() {
    let image = ContentBlock::image("AA", "image/png");
    let thinking = serde_json::from_value(json!({ "type": "thinking", "thinking": "12345" })).unwrap();
    let summary = CompactionSummaryMessage { summary: words(5), tokens_before: 9, timestamp: 1 };
    let unknown = serde_json::from_value(json!({ "role": "hologram", "content": "x" })).unwrap();
    for (message, tokens) in [
        (user(""), 0),
        (user("12345"), 2),
        (user("\u{1d11e}\u{1d11e}\u{1d11e}"), 2),
        (Arc::new(UserMessage::blocks(vec![ContentBlock::text("1234"), image.clone()], 1).into()), 1201),
        // "read" and {"path":"x"} are 4 and 12 characters.
        (assistant(vec![thinking, call("1", "read", json!({ "path": "x" })), ContentBlock::text("abc")]), 6),
        (result("1", "12345678"), 2),
        (bash("1234", "5678"), 2),
        (custom("12345678"), 2),
        (Arc::new(summary.into()), 5),
        (Arc::new(Message::Other(unknown)), 0),
    ] {
        assert_eq!(estimate_tokens(&message), tokens, "{message:?}");
    }
}

#[test]
fn context_sizes() {
    let usage = |total_tokens, input| Usage {
        total_tokens,
        input,
        output: 500,
        cache_read: 200,
        cache_write: 100,
        ..Usage::default()
    };
    assert_eq!(context_tokens(&usage(0, 1000)), 1800);
    assert_eq!(context_tokens(&usage(7, 1000)), 7);
    assert_eq!(context_tokens(&Usage::default()), 0);

    let answer = |stop_reason, total| {
        let message = AssistantMessage { stop_reason, usage: usage(total, 0), ..text("1234") };
        Arc::new(Message::from(message))
    };
    let messages = [user("1234"), answer(StopReason::Stop, 50), user("1234"), answer(StopReason::Aborted, 900)];
    let wanted = ContextEstimate { tokens: 52, usage_tokens: 50, trailing_tokens: 2, last_usage_index: Some(1) };
    assert_eq!(estimate_context_tokens(&messages), wanted);
    let wanted = ContextEstimate { tokens: 1, usage_tokens: 0, trailing_tokens: 1, last_usage_index: None };
    assert_eq!(estimate_context_tokens(&messages[..1]), wanted);
}

#[test]
fn when_to_compact() {
    let settings = CompactionSettings { reserve_tokens: 10_000, ..CompactionSettings::default() };
    for (tokens, window, enabled, wanted) in [
        (95_000, 100_000, true, true),
        (90_001, 100_000, true, true),
        (90_000, 100_000, true, false),
        (89_000, 100_000, true, false),
        (95_000, 100_000, false, false),
        (1, 5_000, true, true),
        (95_000, 0, true, false),
    ] {
        let settings = CompactionSettings { enabled, ..settings };
        assert_eq!(should_compact(tokens, window, &settings), wanted, "{tokens} of {window}");
    }
}

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
        let kept = entries.iter().position(|entry| entry.id == preparation.first_kept_entry_id).unwrap();
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
