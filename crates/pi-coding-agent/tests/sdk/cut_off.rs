//! A run whose prompt was dropped in the middle of a call.

use std::fs;

use pi_ai::scripted::model;
use pi_ai::{ContentBlock, Message};
use pi_coding_agent::agent_session::AgentSession;
use pi_coding_agent::extension::SendMessageOptions;
use pi_coding_agent::session::CustomMessageContent;

use crate::support::{Stage, made, runs, says};

fn results(session: &AgentSession) -> Vec<String> {
    let texts = |message: &std::sync::Arc<Message>| match &**message {
        Message::ToolResult(result) => Some(result.content.iter().filter_map(ContentBlock::as_text).collect()),
        _ => None,
    };
    session.messages().iter().filter_map(texts).collect()
}

#[tokio::test]
async fn the_next_prompt_says_what_is_known_of_the_call() {
    let dir = tempfile::tempdir().unwrap();
    let stage = Stage::in_files(dir.path(), vec![model("m")]);
    stage.script([runs("touch started; sleep 30"), says("I see"), says("yes")]);
    let started = dir.path().join("started");
    tokio::select! {
        () = stage.prompt("go on") => panic!("the run has ended"),
        () = made(&started) => {}
    }
    let file = stage.session.session_file().unwrap();
    let notes = file.with_extension("jsonl.effects");
    assert!(notes.exists());
    stage.prompt("and?").await;
    stage.prompt("well?").await;
    let told = results(&stage.session);
    assert_eq!(told.len(), 1);
    assert!(told[0].starts_with("Outcome unknown: the run was cut off while this call was under way."), "{told:?}");
    assert!(!notes.exists());
    let messages = stage.session.messages();
    let roles: Vec<&str> = messages.iter().map(|message| message.role()).collect();
    assert_eq!(roles, ["user", "assistant", "toolResult", "user", "assistant", "user", "assistant"]);
    let stored = fs::read_to_string(&file).unwrap();
    assert_eq!(stored.matches("Outcome unknown").count(), 1);
}

#[tokio::test]
async fn so_does_a_run_that_an_extension_begins() {
    let dir = tempfile::tempdir().unwrap();
    let stage = Stage::in_files(dir.path(), vec![model("m")]);
    stage.script([runs("touch started; sleep 30"), says("I see")]);
    let started = dir.path().join("started");
    tokio::select! {
        () = stage.prompt("go on") => panic!("the run has ended"),
        () = made(&started) => {}
    }
    let options = SendMessageOptions { trigger_turn: true, ..SendMessageOptions::default() };
    stage.session.queue().send_custom_message(CustomMessageContent::text("note", "and?"), options).await.unwrap();
    let told = results(&stage.session);
    assert_eq!(told.len(), 1);
    assert!(told[0].starts_with("Outcome unknown: the run was cut off while this call was under way."), "{told:?}");
    let messages = stage.session.messages();
    let roles: Vec<&str> = messages.iter().map(|message| message.role()).collect();
    assert_eq!(roles, ["user", "assistant", "toolResult", "custom", "assistant"]);
}
