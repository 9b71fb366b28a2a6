//! Retries: pauses double, the context forgets failures, the file does not, and everything can be cancelled.

use std::sync::Arc;

use futures::FutureExt;
use pi_ai::Message;
use pi_ai::scripted::model;
use pi_coding_agent::agent_session::{PromptOptions, SessionEvent};
use serde_json::json;

use crate::support::{Stage, fails, says};

fn stage() -> Stage {
    Stage::new(json!({"retry": {"enabled": true, "maxRetries": 2, "baseDelayMs": 4000}}), model("m"))
}

#[tokio::test(start_paused = true)]
async fn a_failure_that_passes() {
    let stage = stage();
    stage.script([fails("529 overloaded"), fails("503 again"), says("fine")]);
    stage.prompt("hi").await;
    let expected = [
        "start",
        "answer 529 overloaded",
        "end true",
        "retry 1/2 in 4000",
        "start",
        "answer 503 again",
        "end true",
        "retry 2/2 in 8000",
        "start",
        "answer fine",
        "retried 2 true -",
        "end false",
    ];
    assert_eq!(stage.events(), expected);
    assert_eq!(stage.session.stats().message_count(), 2, "the context forgets failures");
    assert_eq!(stage.entries().iter().filter(|kind| *kind == "message").count(), 4, "the session keeps them");
}

#[tokio::test(start_paused = true)]
async fn a_failure_that_stays() {
    let stage = stage();
    stage.script([fails("overloaded a"), fails("overloaded b"), fails("overloaded c"), says("later")]);
    stage.prompt("hi").await;
    let events = stage.events();
    assert_eq!(events[events.len() - 3..], ["answer overloaded c", "end false", "retried 2 false overloaded c"]);
    assert_eq!(stage.provider.call_count(), 3);
    stage.prompt("again").await;
    assert_eq!(stage.events(), ["start", "answer later", "end false"], "a new series starts from nothing");
}

#[tokio::test(start_paused = true)]
async fn failures_that_do_not_pass_and_settings_that_forbid() {
    let stage = stage();
    stage.script([fails("400 malformed request")]);
    stage.prompt("hi").await;
    assert_eq!(stage.events(), ["start", "answer 400 malformed request", "end false"]);
    let stage = Stage::new(json!({"retry": {"enabled": false}}), model("m"));
    stage.script([fails("529 overloaded")]);
    stage.prompt("hi").await;
    assert_eq!(stage.events(), ["start", "answer 529 overloaded", "end false"]);
}

#[tokio::test(start_paused = true)]
async fn abort_ends_the_pause() {
    let stage = stage();
    stage.script([fails("529 overloaded"), says("never")]);
    let abort = async {
        stage.wait_for("retry 1/2").await;
        stage.session.abort().await;
    };
    tokio::join!(stage.prompt("hi"), abort);
    assert_eq!(stage.events().last().unwrap(), "retried 1 false Retry cancelled");
    assert_eq!(stage.provider.call_count(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_closed_session_neither_retries_nor_takes_prompts() {
    let stage = stage();
    stage.script([fails("529 overloaded"), says("never")]);
    let close = async {
        stage.wait_for("retry 1/2").await;
        stage.session.dispose().await;
    };
    tokio::join!(stage.prompt("hi"), close);
    assert_eq!(stage.provider.call_count(), 1);
    let refused = stage.session.prompt("again", PromptOptions::default()).await.unwrap_err();
    assert_eq!(refused.to_string(), "The session is closed; open it again to send prompts.");
}

/// What was said, in the context.
fn texts(stage: &Stage) -> Vec<String> {
    let text = |message: &Arc<Message>| match &**message {
        Message::User(user) => user.content.to_text(),
        other => other.as_assistant().unwrap().text(),
    };
    stage.session.messages().iter().map(text).collect()
}

#[tokio::test(start_paused = true)]
async fn a_prompt_during_the_pause_takes_the_place_of_the_retry() {
    let stage = stage();
    stage.script([fails("529 overloaded"), says("to both")]);
    let second = async {
        stage.wait_for("retry 1/2").await;
        assert!(stage.session.retry().is_waiting() && !stage.session.is_streaming());
        assert_eq!(stage.session.retry().attempt(), 1);
        stage.prompt("and another thing").await;
    };
    tokio::join!(stage.prompt("hi"), second);
    let expected = [
        "start",
        "answer 529 overloaded",
        "end true",
        "retry 1/2 in 4000",
        "retried 1 false Retry cancelled",
        "start",
        "answer to both",
        "end false",
    ];
    assert_eq!(stage.events(), expected, "the series is over before the next run begins");
    assert_eq!(texts(&stage), ["hi", "and another thing", "to both"]);
    assert_eq!((stage.session.retry().is_waiting(), stage.session.retry().attempt()), (false, 0));
}

#[tokio::test(start_paused = true)]
async fn of_several_prompts_during_one_pause_the_first_counts() {
    let stage = stage();
    stage.script([fails("529 overloaded"), says("one")]);
    let later = async |text| {
        stage.wait_for("retry 1/2").await;
        stage.session.prompt(text, PromptOptions::default()).await
    };
    // Polled in this order.
    let ((), first, second) = futures::join!(stage.prompt("hi"), later("first"), later("second"));
    first.unwrap();
    assert!(second.unwrap_err().to_string().starts_with("Agent is already processing."), "as during any run");
    assert_eq!(texts(&stage), ["hi", "first", "one"]);
}

/// Runs with a failure, and does something about it as soon as the retry is announced, before its pause.
async fn at_the_announcement(act: impl Fn(&Stage) + Send + Sync + 'static) -> Arc<Stage> {
    let stage = Arc::new(stage());
    stage.script([fails("529 overloaded"), says("never")]);
    let weak = Arc::downgrade(&stage);
    stage.session.subscribe(Arc::new(move |event| {
        if let (SessionEvent::AgentEnd { .. }, Some(stage)) = (event, weak.upgrade()) {
            act(&stage);
        }
        async {}.boxed()
    }));
    stage.prompt("hi").await;
    stage
}

#[tokio::test(start_paused = true)]
async fn a_retry_can_be_cancelled_from_its_announcement_on() {
    let stage = at_the_announcement(|stage| stage.session.retry().abort()).await;
    let events = stage.events();
    assert_eq!(events[2..], ["end true", "retry 1/2 in 4000", "retried 1 false Retry cancelled"]);
    assert_eq!(stage.provider.call_count(), 1);
}

#[tokio::test(start_paused = true)]
async fn an_abort_in_the_instant_of_the_failure_is_no_retry() {
    let stage = at_the_announcement(|stage| {
        let session = stage.session.clone();
        tokio::spawn(async move { session.abort().await });
    })
    .await;
    assert_eq!(stage.events().last().unwrap(), "retried 1 false Retry cancelled");
    assert_eq!(stage.provider.call_count(), 1);
}

#[tokio::test(start_paused = true)]
async fn nothing_is_left_of_a_pause_whose_prompt_was_dropped() {
    let stage = stage();
    stage.script([fails("529 overloaded"), says("later")]);
    tokio::select! {
        () = stage.prompt("hi") => panic!("the pause is over"),
        () = stage.wait_for("retry 1/2") => {}
    }
    assert!(!stage.session.retry().is_waiting());
    stage.session.abort().await;
    stage.prompt("again").await;
    assert_eq!(stage.session.last_assistant_text().as_deref(), Some("later"));
}

#[tokio::test(start_paused = true)]
async fn retrying_can_be_switched_off_and_stale_cancels_mean_nothing() {
    let stage = stage();
    stage.script([fails("529 overloaded"), fails("503 again"), says("fine")]);
    stage.session.retry().set_auto(false);
    assert!(!stage.session.retry().is_auto());
    stage.prompt("hi").await;
    assert_eq!(stage.events(), ["start", "answer 529 overloaded", "end false"]);
    stage.session.retry().set_auto(true);
    stage.session.retry().abort();
    stage.prompt("again").await;
    assert_eq!(stage.events().last().unwrap(), "end false");
    assert_eq!(stage.session.last_assistant_text().as_deref(), Some("fine"));
}
