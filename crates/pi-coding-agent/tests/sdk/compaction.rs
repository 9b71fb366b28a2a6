//! Automatic compaction: when it happens, what becomes of the prompt that did not fit.

use pi_ai::Model;
use pi_ai::scripted::model;
use serde_json::json;

use crate::support::{Stage, fails, says};

const TOO_LONG: &str = "prompt is too long: 210000 tokens > 200000 maximum";

fn window(context_window: u64) -> Model {
    Model { context_window, ..model("m") }
}

fn stage(context_window: u64) -> Stage {
    let compaction = json!({"enabled": true, "reserveTokens": 100, "keepRecentTokens": 20});
    Stage::new(json!({"compaction": compaction, "retry": {"enabled": false}}), window(context_window))
}

fn long() -> String {
    "many words ".repeat(200)
}

/// Tokens after two long prompts.
async fn size_of_two() -> u64 {
    let stage = stage(1_000_000);
    stage.script([says("one"), says("two")]);
    stage.prompt(&long()).await;
    stage.prompt(&long()).await;
    stage.session.stats().context_usage().unwrap().tokens.unwrap()
}

#[tokio::test]
async fn a_context_that_is_nearly_full_is_summarised() {
    let stage = stage(size_of_two().await + 50);
    stage.script([says("one"), says("two"), says("three")]);
    stage.prompt(&long()).await;
    assert_eq!(stage.events(), ["start", "answer one", "end false"]);
    stage.prompt(&long()).await;
    let expected = ["start", "answer two", "end false", "compact Threshold", "compacted true false false -"];
    assert_eq!(stage.events(), expected);
    assert_eq!(stage.entries().last().unwrap(), "compaction");
    let usage = stage.session.stats().context_usage().unwrap();
    assert_eq!((usage.tokens, usage.percent), (None, None), "nobody knows until the model answers");
    stage.prompt("next").await;
    assert_eq!(stage.events(), ["start", "answer three", "end false"]);
    assert!(stage.session.stats().context_usage().unwrap().tokens.is_some());
}

#[tokio::test]
async fn a_prompt_that_did_not_fit_is_repeated_once() {
    let stage = stage(1_000_000);
    stage.script([says("zero"), says("one"), fails(TOO_LONG), says("two")]);
    stage.prompt(&long()).await;
    stage.prompt(&long()).await;
    stage.events();
    stage.prompt("next").await;
    let events = stage.events();
    let failed = format!("answer {TOO_LONG}");
    let expected = [
        "start",
        &failed,
        "end false",
        "compact Overflow",
        "compacted true false true -",
        "start",
        "answer two",
        "end false",
    ];
    assert_eq!(events, expected);
    assert!(
        stage.session.messages().iter().all(|message| message.as_assistant().is_none_or(|m| m.error_message.is_none()))
    );
}

#[tokio::test]
async fn a_prompt_that_still_does_not_fit_is_given_up() {
    let stage = stage(1_000_000);
    stage.script([says("zero"), says("one"), fails(TOO_LONG), fails(TOO_LONG), says("never")]);
    stage.prompt(&long()).await;
    stage.prompt(&long()).await;
    stage.events();
    stage.prompt("next").await;
    let events = stage.events();
    assert_eq!(events.iter().filter(|event| *event == "compact Overflow").count(), 1, "{events:#?}");
    assert!(
        events.last().unwrap().starts_with("compacted false false false Context overflow recovery failed"),
        "{events:#?}"
    );
}

#[tokio::test]
async fn settings_can_forbid_it() {
    let settings = json!({"compaction": {"enabled": false}, "retry": {"enabled": false}});
    let stage = Stage::new(settings, window(1));
    stage.script([says("one"), fails(TOO_LONG)]);
    stage.prompt(&long()).await;
    stage.prompt(&long()).await;
    assert!(stage.events().iter().all(|event| !event.starts_with("compact")));
}

#[tokio::test]
async fn a_window_of_unknown_size_is_never_full() {
    let stage = stage(0);
    stage.script([says("one"), says("two")]);
    stage.prompt(&long()).await;
    stage.prompt(&long()).await;
    assert_eq!(stage.events(), ["start", "answer one", "end false", "start", "answer two", "end false"]);
}

#[tokio::test]
async fn a_summary_that_fails_leaves_the_context_as_it_was() {
    let stage = stage(1_000_000);
    stage.script([says("zero"), says("one"), fails(TOO_LONG)]);
    stage.prompt(&long()).await;
    stage.prompt(&long()).await;
    stage.hold_summaries(true);
    stage.events();
    let prompt = stage.prompt("next");
    let abort = async {
        stage.summary_request().await;
        assert!(stage.session.compaction().is_running());
        stage.session.compaction().abort();
    };
    tokio::join!(prompt, abort);
    assert_eq!(stage.events().last().unwrap(), "compacted false true false -");
    assert!(!stage.session.compaction().is_running());
    let messages = stage.session.messages();
    let last = messages.last().unwrap().as_assistant().unwrap();
    assert_eq!((messages.len(), last.error_message.as_deref()), (6, Some(TOO_LONG)));
}
