//! Retries: pauses double, the context forgets failures, the file does not, and everything can be cancelled.

use pi_ai::scripted::model;
use pi_coding_agent::agent_session::PromptOptions;
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
    assert_eq!(stage.session.message_count(), 2, "the context forgets failures");
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
