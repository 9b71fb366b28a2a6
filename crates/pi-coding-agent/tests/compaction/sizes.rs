//! Conversations as text and in tokens.

use std::sync::Arc;

use pi_ai::{AssistantMessage, ContentBlock, Message, StopReason, Usage, UserMessage};
use pi_coding_agent::compaction::*;
use pi_coding_agent::messages::CompactionSummaryMessage;
use serde_json::json;

use crate::support::*;

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
    // Only zeros: nobody counted. Clients are told the zero, compaction does not believe it.
    let wanted = ContextEstimate { tokens: 2, usage_tokens: 0, trailing_tokens: 2, last_usage_index: None };
    let uncounted = AssistantMessage { stop_reason: StopReason::Stop, usage: Usage::default(), ..text("1234") };
    let uncounted = [user("1234"), Arc::new(uncounted.into())];
    assert_eq!(estimate_used_tokens(&uncounted), wanted);
    assert_eq!((estimate_context_tokens(&uncounted).tokens, estimate_used_tokens(&messages).tokens), (0, 52));
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
        // At most half of a small window stays free.
        (2_500, 5_000, true, false),
        (2_501, 5_000, true, true),
        // Unknown.
        (95_000, 0, true, false),
    ] {
        let settings = CompactionSettings { enabled, ..settings };
        assert_eq!(should_compact(tokens, window, &settings), wanted, "{tokens} of {window}");
    }
}

#[test]
fn small_windows() {
    let default = CompactionSettings::default();
    for (window, reserve, keep) in
        [(0, 16_384, 20_000), (200_000, 16_384, 20_000), (32_768, 16_384, 8_192), (8_192, 4_096, 2_048), (1, 0, 0)]
    {
        let fitted = default.fitted_to(window);
        assert_eq!((fitted.reserve_tokens, fitted.keep_recent_tokens), (reserve, keep), "{window}");
    }
}

#[test]
fn estimates_are_compared_with_reports() {
    let answer = |total_tokens, text: String| {
        let usage = Usage { total_tokens, ..Usage::default() };
        Arc::new(Message::from(AssistantMessage {
            usage,
            content: vec![ContentBlock::text(text)],
            ..AssistantMessage::default()
        }))
    };
    let mut messages =
        vec![user("question"), answer(1000, words(10)), user(words(50)), answer(0, words(40)), answer(1120, words(20))];
    let error = EstimateError::of(&messages);
    assert_eq!(error, EstimateError { answers: 1, reported: 120, estimated: 110 });
    assert_eq!(error.percent().map(f64::round), Some(-8.0));
    // History was summarised in between.
    messages.push(answer(300, words(1)));
    assert_eq!(EstimateError::of(&messages), error);
    assert_eq!(EstimateError::of(&messages[..2]).percent(), None);
}
