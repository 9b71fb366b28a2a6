//! Compaction on request: what is announced, what is stored, and what happens to everything else meanwhile.

use std::sync::Arc;

use futures::FutureExt;
use pi_agent_core::AgentEvent;
use pi_ai::Message;
use pi_ai::scripted::model;
use pi_coding_agent::agent_session::{PromptOptions, SessionEvent};
use serde_json::json;

use crate::support::{Stage, says};

/// A session of two long turns, of which one is kept.
async fn stage() -> Stage {
    let settings = json!({"compaction": {"enabled": false, "reserveTokens": 100, "keepRecentTokens": 300}});
    let stage = Stage::new(settings, model("m"));
    stage.script([says("one"), says("two"), says("three"), says("four")]);
    stage.prompt(&("first ".to_owned() + &long())).await;
    stage.prompt(&("second ".to_owned() + &long())).await;
    stage.events();
    stage
}

fn long() -> String {
    "many words ".repeat(200)
}

/// The first word of every message of the context.
fn context(stage: &Stage) -> Vec<String> {
    let text = |message: &Message| match message {
        Message::User(user) => user.content.to_text(),
        Message::Assistant(answer) => answer.text(),
        Message::ToolResult(_) => "result".to_owned(),
        Message::Other(other) => other.0["role"].as_str().unwrap().to_owned(),
    };
    let first = |text: String| text.split(' ').next().unwrap_or_default().to_owned();
    stage.session.messages().iter().map(|message| first(text(message))).collect()
}

#[tokio::test]
async fn history_is_summarised_on_request() {
    let stage = stage().await;
    let before = stage.session.stats().context_usage();
    let outcome = stage.session.compaction().run(Some("dwell on tests")).await.unwrap();
    assert_eq!(stage.events(), ["compact Manual", "compacted true false false -"]);
    assert_eq!(context(&stage), ["compactionSummary", "second", "two"]);
    assert_eq!(outcome.summary, "SUMMARY");
    assert!(outcome.tokens_before > 1000 && outcome.estimated_tokens_after < 600, "{outcome:?} {before:?}");
    let kept = stage
        .session
        .store()
        .read(|m| m.entries().get(&outcome.first_kept_entry_id).unwrap().unwrap().raw().to_owned());
    assert!(kept.contains("second many words"));
    let request = stage.summary_request().await;
    assert!(request.contains("Additional focus: dwell on tests") && !request.contains("second many words"));
    // On it goes, and nothing more is to be done.
    let error = stage.session.compaction().run(None).await.unwrap_err().to_string();
    assert_eq!(error, "Already compacted");
    let expected = ["compact Manual", "compacted false false false Compaction failed: Already compacted"];
    assert_eq!(stage.events(), expected);
    stage.prompt("next").await;
    assert_eq!(context(&stage), ["compactionSummary", "second", "two", "next", "three"]);
}

#[tokio::test]
async fn what_cannot_be_compacted_says_why() {
    let stage = Stage::new(json!({}), model("m"));
    stage.script([says("one")]);
    for _ in 0..2 {
        let error = stage.session.compaction().run(None).await.unwrap_err().to_string();
        assert_eq!(error, "Nothing to compact (session too small)");
        stage.prompt("hi").await;
    }
    stage.session.models().registry().auth().remove_runtime_key(&stage.provider.model().provider);
    let error = stage.session.compaction().run(None).await.unwrap_err().to_string();
    assert!(error.starts_with("No API key found for "), "{error}");
    let last = stage.events().pop().unwrap();
    assert!(last.starts_with("compacted false false false Compaction failed: No API key found for "), "{last}");
}

#[tokio::test]
async fn a_run_is_aborted_first_and_its_answer_is_kept() {
    let stage = stage().await;
    stage.session.queue().follow_up("waits", Vec::new()).await.unwrap();
    stage.events();
    // Called while the answer arrives.
    let (session, begun) = (stage.session.clone(), Arc::new(tokio::sync::Notify::new()));
    let told = Arc::clone(&begun);
    let once = std::sync::Once::new();
    session.subscribe(Arc::new(move |event| {
        if matches!(event, SessionEvent::Agent(AgentEvent::MessageUpdate { .. })) {
            once.call_once(|| told.notify_one());
        }
        tokio::task::yield_now().boxed()
    }));
    let compact = async {
        begun.notified().await;
        stage.session.compaction().run(None).await.unwrap()
    };
    let prompt = stage.prompt("third");
    let (_, outcome) = tokio::join!(prompt, compact);
    assert_eq!(outcome.summary, "SUMMARY");
    let events = stage.events();
    let expected = [
        "start",
        "answer Request was aborted",
        "end false",
        "compact Manual",
        "compacted true false false -",
        // What was queued goes on, with the smaller context.
        "start",
        "queue [] []",
        "answer four",
        "end false",
    ];
    assert_eq!(events, expected);
    let context = context(&stage);
    assert_eq!(context.first().unwrap(), "compactionSummary");
    assert!(context.ends_with(&["waits".to_owned(), "four".to_owned()]), "{context:?}");
    let aborted = |entry: &pi_coding_agent::session::StoredEntry| entry.raw().contains(r#""stopReason":"aborted""#);
    assert_eq!(
        stage.session.store().read(|manager| manager.entries().iter().map(Result::unwrap).filter(aborted).count()),
        1
    );
}

#[tokio::test]
async fn one_at_a_time_and_prompts_wait() {
    let stage = stage().await;
    stage.hold_summaries(true);
    let first = stage.session.compaction().run(None);
    let others = async {
        stage.summary_request().await;
        assert!(stage.session.compaction().is_running() && !stage.session.is_streaming());
        let error = stage.session.compaction().run(None).await.unwrap_err().to_string();
        assert!(error.starts_with("A compaction is already in progress"), "{error}");
        // Stops runs, and there is none.
        stage.session.abort().await;
        assert!(stage.session.compaction().is_running());
        let prompt = stage.prompt("third");
        let release = async {
            for _ in 0..50 {
                tokio::task::yield_now().await;
            }
            assert_eq!(stage.events(), ["compact Manual"], "the prompt waits");
            stage.hold_summaries(false);
        };
        tokio::join!(prompt, release);
    };
    let (outcome, ()) = tokio::join!(first, others);
    outcome.unwrap();
    assert_eq!(stage.events(), ["compacted true false false -", "start", "answer three", "end false"]);
    assert_eq!(context(&stage), ["compactionSummary", "second", "two", "third", "three"]);
}

#[tokio::test]
async fn it_can_be_stopped() {
    // How it is stopped; whether listeners still hear of it.
    for (how, heard) in [("abort", true), ("drop", false), ("dispose", false), ("new session", true)] {
        let stage = stage().await;
        let before = (stage.entries(), context(&stage));
        stage.hold_summaries(true);
        let stop = async {
            stage.summary_request().await;
            match how {
                "abort" => stage.session.compaction().abort(),
                "dispose" => stage.session.dispose().await,
                "new session" => drop(stage.session.switch().to_new(None).await.unwrap()),
                _ => {}
            }
        };
        let (result, ()) = if how == "drop" {
            let compact = stage.session.compaction().run(None).boxed();
            drop(futures::future::select(compact, stop.boxed()).await);
            (None, ())
        } else {
            let (result, ()) = tokio::join!(stage.session.compaction().run(None), stop);
            (Some(result), ())
        };
        if let Some(result) = result {
            assert_eq!(result.unwrap_err().to_string(), "Compaction cancelled", "{how}");
        }
        assert!(!stage.session.compaction().is_running(), "{how}");
        let events = stage.events();
        assert_eq!(events.contains(&"compacted false true false -".to_owned()), heard, "{how}: {events:?}");
        stage.hold_summaries(false);
        match how {
            "new session" => assert_eq!(stage.entries(), ["model_change", "thinking_level_change"]),
            _ => assert_eq!((stage.entries(), context(&stage)), before, "{how}"),
        }
        let next = stage.session.prompt("next", PromptOptions::default()).await;
        assert_eq!(next.is_ok(), how != "dispose", "{how}");
        let again = stage.session.compaction().run(None).await;
        match how {
            "dispose" => assert!(again.unwrap_err().to_string().starts_with("The session is closed")),
            "new session" => drop(again.unwrap_err()),
            _ => drop(again.unwrap()),
        }
    }
}

#[tokio::test]
async fn automatic_compaction_can_be_switched() {
    let stage = stage().await;
    stage.session.compaction().set_auto(true);
    assert!(stage.session.settings().compaction().enabled);
    stage.session.compaction().set_auto(false);
    assert!(!stage.session.settings().compaction().enabled);
}

#[tokio::test]
async fn the_error_of_estimates_is_counted() {
    let stage = stage().await;
    let error = stage.session.stats().current().estimate_error;
    assert!(error.answers == 1 && error.reported > 0 && error.estimated > 500, "{error:?}");
    let json = serde_json::to_value(stage.session.stats().current()).unwrap();
    assert!(json.get("estimateError").is_none());
}
